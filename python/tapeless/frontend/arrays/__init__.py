"""Whole arrays: made, converted, reshaped, with other axes; the arguments such operators take."""
