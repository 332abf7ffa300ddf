"""The problems of GradBench, one file each, written as its specification has them."""
