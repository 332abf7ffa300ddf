"""The pass `soac-map-before-gather` computes a function of a gathered row once per row."""
