"""Functions written in the language, with derivative rules where formulas are better than code: what operators call."""
