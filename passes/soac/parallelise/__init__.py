"""Plain loops whose iterations are independent of one another, or only add up, as maps and sums."""
