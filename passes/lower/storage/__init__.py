"""Where arrays live: the plan of storages, buffers, and who shares them."""
