/* Keeps the runtime usable in both processes after a fork. */
#include <pthread.h>

#include "memory.h"
#include "pool.h"

static void before_fork(void) {
    pool_lock();
    memory_lock();
}

static void in_parent(void) {
    memory_unlock();
    pool_unlock();
}

static void in_child(void) {
    memory_reset_lock();
    pool_forget_workers();
}

__attribute__((constructor)) static void register_fork_handlers(void) {
    pthread_atfork(before_fork, in_parent, in_child);
}
