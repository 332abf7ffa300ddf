"""What the seeds of one derivative have in common is computed once, before the map over seeds."""
