"""The error when generated code cannot become native code: a fault of Tapeless."""


class RejectedCode(RuntimeError):
    """Code that was generated here and that LLVM or the linker does not take."""
