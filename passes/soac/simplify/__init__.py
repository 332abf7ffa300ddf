"""`soac-simplify`: rules on operators, reads and writes, each of which makes a program smaller."""
