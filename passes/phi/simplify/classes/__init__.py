"""Rules by the properties that they may change: one table per class; class F, which is about functions, has a folder of
its own.
"""
