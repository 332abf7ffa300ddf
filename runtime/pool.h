/* What fork and signal handling need to know of the pool. */
#ifndef TAPELESS_POOL_H
#define TAPELESS_POOL_H

#include <pthread.h>
#include <stdbool.h>

/* Whether a thread is one of the workers; may be asked in a signal handler. */
bool pool_has_thread(pthread_t thread);

void pool_lock(void);
void pool_unlock(void);

/* In the child of a fork, where no worker lives on: the next parallel call starts new ones. */
void pool_forget_workers(void);

#endif
