"""Launches that write what another one leaves of its arrays, as part of that one."""
