/* Ending a long kernel call when a signal handler of the host program raises.
 *
 * Kernels are not asked to poll: a signal handler leaves generated code by a jump to the catch point of its call, from
 * wherever it is. Only code of the runtime itself, which holds locks, must not be left; it is marked as busy, and loops
 * in it that can take long poll. The calls of one thread are watched, that on which the host runs its handlers. */
#ifndef TAPELESS_INTERRUPT_H
#define TAPELESS_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "failure.h"
#include "links.h"

/* Around an outermost call: whether it is watched, which ends before its frame is left. */
bool interrupt_watch(tl_link *buffers);
void interrupt_unwatch(void);

/* Whether a call, known by its list of buffers, is the watched one; whether it is to end. */
bool interrupt_is_watched(const tl_link *buffers);
bool interrupt_is_stopping(const tl_link *buffers);

/* Lets the host run its handlers if there was a signal, on its own thread, and notes if one of them raises. */
void interrupt_check(void);

/* Ends the current call if it is to end; for loops of the runtime that can take long. */
void interrupt_poll(void);

/* Makes a thread that runs generated code for the watched call look whether it is to end. */
void interrupt_poke(pthread_t thread);

/* Lets a set of blocked signals be poked with. */
void interrupt_unblock(sigset_t *blocked);

/* For the thread that notices long calls. Handlers are borrowed while such a call runs, and given back after it; the
 * answer is whether it has cause to end. */
bool interrupt_attend(void);
void interrupt_give_back(void);

/* Around fork. In the child, the thread that forked is the host's main thread, and nothing is watched. */
void interrupt_lock(void);
void interrupt_unlock(void);
void interrupt_forget(void);

#endif
