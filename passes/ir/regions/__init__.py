"""The structure of operations with regions: members, slots, liveness."""
