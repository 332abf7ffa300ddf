"""Programs made from statements drawn at random."""
