"""Functions of core IR as loops on memrefs: every operator in the form of its schedule."""
