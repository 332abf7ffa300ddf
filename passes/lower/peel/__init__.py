"""`lower-peel`: loops cut where guards change, so that most iterations run without them."""
