"""Pure expressions: numbers, arrays, integers and conditions over what is in scope."""
