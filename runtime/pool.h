/* What fork handling needs to know of the pool. */
#ifndef TAPELESS_POOL_H
#define TAPELESS_POOL_H

void pool_lock(void);
void pool_unlock(void);

/* In the child of a fork, where no worker lives on: the next parallel call starts new ones. */
void pool_forget_workers(void);

#endif
