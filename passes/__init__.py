"""The passes of Tapeless."""
