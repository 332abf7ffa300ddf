"""A GPU for machines without one: memory of this process, and a build of the kernels' own code for the CPU."""
