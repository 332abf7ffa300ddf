/* Signals during a long call: the host's handlers are wrapped, so that it can run them while the kernel is at work. */
#define _GNU_SOURCE
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "float_mode.h"
#include "pool.h"
#include "watch.h"

/* What programs raise from (Ctrl-C, a polite request to end, a time limit), and what threads are poked with: a signal that
 * is ignored unless a program asks for it, so that a poke which comes late, when its handler is given back, does nothing. */
enum { POKE = SIGURG, NUMBERS = 4 };
static const int numbers[NUMBERS] = {POKE, SIGINT, SIGTERM, SIGALRM};

static tl_host host;
static _Atomic bool has_host;
static pthread_t main_thread;
static void *raised[3]; /* the host's exception, until it takes it */

static tl_link *_Atomic watched;
static _Atomic bool stopping;
static _Atomic bool signalled; /* a signal came, and the host has not looked yet */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction previous[NUMBERS];
static _Atomic bool borrowed;
static char poke_mark;

void tl_set_host(const tl_host *given) {
    host = *given;
    main_thread = (pthread_t)given->main_thread;
    atomic_store(&has_host, true);
}

void tl_take_raised(void **three) {
    for (int part = 0; part < 3; part++) {
        three[part] = raised[part];
        raised[part] = NULL;
    }
}

bool interrupt_is_watched(const tl_link *buffers) {
    return buffers != NULL && atomic_load_explicit(&watched, memory_order_relaxed) == buffers;
}

bool interrupt_is_stopping(const tl_link *buffers) { return interrupt_is_watched(buffers) && atomic_load(&stopping); }

static bool is_main(void) { return pthread_equal(pthread_self(), main_thread); }

bool interrupt_watch(tl_link *buffers) {
    if (!atomic_load_explicit(&has_host, memory_order_relaxed) || !is_main()) return false;
    atomic_store_explicit(&watched, buffers, memory_order_relaxed);
    watch_begin();
    return true;
}

void interrupt_unwatch(void) {
    watch_end();
    atomic_store_explicit(&watched, NULL, memory_order_relaxed);
    interrupt_give_back();
}

void interrupt_check(void) {
    if (atomic_load(&stopping) || !atomic_exchange(&signalled, false)) return;
    const int state = host.enter();
    const uint64_t mode = float_mode();
    float_mode_set(float_mode_keeping(mode)); /* the host's code is not the kernel's */
    if (host.run_handlers() != 0) {
        host.take_exception(&raised[0], &raised[1], &raised[2]);
        atomic_store(&stopping, true);
    }
    float_mode_set(mode);
    host.leave(state);
}

/* On a thread that works for the watched call. */
static void end_if_wanted(void) {
    if (is_main()) interrupt_check();
    if (atomic_load(&stopping)) frame_raise(&(tl_error){.kind = TL_INTERRUPTED});
}

void interrupt_poll(void) {
    if (!atomic_load(&signalled) && !atomic_load(&stopping)) return;
    const tl_frame *frame = frame_current();
    if (frame != NULL && interrupt_is_watched(frame->buffers)) end_if_wanted();
}

/* Whether this thread is at code of the watched call. Threads that ran no kernel have no frames, and asking for them
 * could allocate, which a signal handler must not. */
static bool is_in_watched_code(void) {
    if (atomic_load(&watched) == NULL || !(is_main() || pool_has_thread(pthread_self()))) return false;
    const tl_frame *frame = frame_current();
    return frame != NULL && !frame->busy && interrupt_is_watched(frame->buffers);
}

static bool is_left_to_system(const struct sigaction *action) {
    return !(action->sa_flags & SA_SIGINFO) && (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
}

static void pass_on(int number, siginfo_t *info, void *context) {
    int k = 0;
    while (numbers[k] != number) k++;
    if (previous[k].sa_flags & SA_SIGINFO)
        previous[k].sa_sigaction(number, info, context);
    else if (!is_left_to_system(&previous[k]))
        previous[k].sa_handler(number);
}

/* Runs on top of whatever the thread was doing; leaves it for good only from generated code. */
static void on_signal(int number, siginfo_t *info, void *context) {
    const int before = errno;
    if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &poke_mark) {
        pass_on(number, info, context);
        atomic_store(&signalled, true);
    }
    if (is_in_watched_code()) end_if_wanted();
    errno = before;
}

void interrupt_unblock(sigset_t *blocked) {
    sigdelset(blocked, POKE);
}

void interrupt_poke(pthread_t thread) {
    if (atomic_load(&borrowed)) pthread_sigqueue(thread, POKE, (union sigval){.sival_ptr = &poke_mark});
}

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

/* Wraps a handler; signals that the program leaves to the system stay there. On the thread's own stack, which is large
 * enough for the host's handlers. */
static void borrow(int k) {
    struct sigaction now, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    if (sigaction(numbers[k], NULL, &now) != 0 || is_ours(&now)) return;
    if (numbers[k] != POKE && is_left_to_system(&now)) return;
    previous[k] = now;
    sigemptyset(&ours.sa_mask);
    sigaction(numbers[k], &ours, NULL);
}

/* A signal may have come before its handler was ours, so the host is asked once in any case. */
bool interrupt_attend(void) {
    pthread_mutex_lock(&lock);
    for (int k = 0; k < NUMBERS; k++) borrow(k);
    if (!atomic_exchange(&borrowed, true)) atomic_store(&signalled, true);
    pthread_mutex_unlock(&lock);
    const bool has_cause = atomic_load(&signalled) || atomic_load(&stopping);
    if (has_cause) interrupt_poke(main_thread);
    return has_cause;
}

/* Handlers that were replaced meanwhile stay as they are. */
void interrupt_give_back(void) {
    struct sigaction now;
    if (!atomic_load_explicit(&borrowed, memory_order_relaxed)) return;
    pthread_mutex_lock(&lock);
    for (int k = 0; k < NUMBERS; k++)
        if (sigaction(numbers[k], NULL, &now) == 0 && is_ours(&now)) sigaction(numbers[k], &previous[k], NULL);
    atomic_store(&borrowed, false);
    atomic_store(&signalled, false);
    atomic_store(&stopping, false);
    pthread_mutex_unlock(&lock);
}

void interrupt_lock(void) { pthread_mutex_lock(&lock); }
void interrupt_unlock(void) { pthread_mutex_unlock(&lock); }

void interrupt_forget(void) {
    pthread_mutex_init(&lock, NULL);
    atomic_store(&watched, NULL);
    main_thread = pthread_self();
    interrupt_give_back();
}
