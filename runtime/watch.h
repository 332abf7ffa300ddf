/* The thread that notices that a call takes long; see interrupt.h. */
#ifndef TAPELESS_WATCH_H
#define TAPELESS_WATCH_H

/* The thread whose calls are watched begins or ends one. */
void watch_begin(void);
void watch_end(void);

/* Around fork: a copied process has no such thread, and none is left while it is copied. */
void watch_before_fork(void);
void watch_in_parent(void);
void watch_in_child(void);

#endif
