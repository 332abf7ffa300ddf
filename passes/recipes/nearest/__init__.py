"""The nearest of many points, looked for with products of small matrices and proved by the errors these can have."""
