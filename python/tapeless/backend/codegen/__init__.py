"""The code generators: LLVM IR to object code for the CPU, to PTX for GPUs."""
