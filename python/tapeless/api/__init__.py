"""The public interface: decorated functions, compiled kernels, options."""
