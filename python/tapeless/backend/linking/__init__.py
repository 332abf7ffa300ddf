"""The linker: an object file becomes an image that can be placed at any address."""
