/* Asking the system for its sizes. */
#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif

#include "machine.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int64_t memory_bytes;
static int64_t processors;

/* A system that keeps memory sizes from us is taken to have as much as can be addressed. */
static int64_t physical_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_size = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_size > 0 ? (int64_t)pages * page_size : INT64_MAX / 2;
}

/* The number in a control group's limit file; INT64_MAX when there is none, or when it says "max". */
static int64_t group_limit(const char *path) {
    long long bytes = INT64_MAX;
    FILE *file = fopen(path, "r");
    if (file == NULL) return INT64_MAX;
    if (fscanf(file, "%lld", &bytes) != 1 || bytes <= 0) bytes = INT64_MAX;
    fclose(file);
    return bytes;
}

static int64_t usable_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? online : 1;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void find_sizes(void) {
    memory_bytes = physical_memory();
    memory_bytes = smaller(memory_bytes, group_limit("/sys/fs/cgroup/memory.max"));
    memory_bytes = smaller(memory_bytes, group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    processors = usable_processors();
}

int64_t machine_memory_bytes(void) {
    pthread_once(&once, find_sizes);
    return memory_bytes;
}

int64_t machine_processors(void) {
    pthread_once(&once, find_sizes);
    return processors;
}
