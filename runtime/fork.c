/* Keeps the runtime usable in both processes after a fork. */
#include <pthread.h>

#include "interrupt.h"
#include "memory.h"
#include "pool.h"
#include "watch.h"

static void before_fork(void) {
    watch_before_fork();
    interrupt_lock();
    pool_lock();
    memory_lock();
}

static void in_parent(void) {
    memory_unlock();
    pool_unlock();
    interrupt_unlock();
    watch_in_parent();
}

static void in_child(void) {
    memory_reset_lock();
    pool_forget_workers();
    watch_in_child();
    interrupt_forget();
}

__attribute__((constructor)) static void register_fork_handlers(void) {
    pthread_atfork(before_fork, in_parent, in_child);
}
