"""How a map over the seeds of one derivative is told from other maps."""

SEEDS = "ad.seeds"
