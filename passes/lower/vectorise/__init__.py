"""Running a parallel loop's iterations as the lanes of vectors, one program for many data."""
