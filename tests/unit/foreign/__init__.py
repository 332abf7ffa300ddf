"""Code for processors that this machine is not."""
