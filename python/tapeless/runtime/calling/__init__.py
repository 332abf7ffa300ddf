"""From the arguments of a Python call to the slots of a kernel, and from its slots to Python results."""
