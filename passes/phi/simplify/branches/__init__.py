"""Class S, merges of branches: common code of the arms, and facts in them."""
