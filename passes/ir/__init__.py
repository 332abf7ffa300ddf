"""Reading and building core IR, for every family of passes: sizes, places, scopes, rows, costs, copies."""
