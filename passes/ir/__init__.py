"""What every family of passes uses to read and build core IR: sizes, places, scopes, rows, costs, copies."""
