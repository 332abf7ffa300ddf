/* Noticing long calls costs short ones nothing but two stores: a thread looks now and then, and sleeps when none come. */
#define _GNU_SOURCE
#include "watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "interrupt.h"

enum { STACK_BYTES = 256 << 10, LOOK_MS = 25, HURRY_MS = 2, IDLE_LOOKS = 40 };

static _Atomic int64_t calls;   /* begun so far */
static _Atomic bool is_running; /* one of them runs now */
static _Atomic bool is_asleep = true;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t thread;
static bool exists, is_ending;

static void init(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&woken, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void wait_for(int milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&woken, &lock, &until);
}

/* Sleeps once nothing was called for a while. A call that began unseen just before is seen at the look after that. */
static void *look_now_and_then(void *unused) {
    (void)unused;
    int64_t seen = -1;
    int idle = 0;
    bool hurry = false;
    pthread_mutex_lock(&lock);
    while (!is_ending) {
        if (idle > IDLE_LOOKS)
            pthread_cond_wait(&woken, &lock);
        else
            wait_for(hurry ? HURRY_MS : LOOK_MS);
        const int64_t now = atomic_load(&calls);
        const bool running = atomic_load(&is_running);
        const bool is_long = running && now == seen;
        hurry = is_long && interrupt_attend();
        if (!is_long) interrupt_give_back();
        idle = running || now != seen ? 0 : idle + 1;
        atomic_store(&is_asleep, idle >= IDLE_LOOKS);
        seen = now;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void start(void) {
    pthread_attr_t attributes;
    sigset_t every_signal, before;
    sigfillset(&every_signal);
    pthread_sigmask(SIG_SETMASK, &every_signal, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    is_ending = false;
    exists = pthread_create(&thread, &attributes, look_now_and_then, NULL) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Without the thread, calls run as ever and cannot be interrupted. */
static void wake(void) {
    pthread_once(&once, init);
    pthread_mutex_lock(&lock);
    if (!exists) start();
    atomic_store(&is_asleep, false);
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
}

void watch_begin(void) {
    const int64_t count = atomic_load_explicit(&calls, memory_order_relaxed);
    atomic_store_explicit(&calls, count + 1, memory_order_relaxed);
    atomic_store_explicit(&is_running, true, memory_order_relaxed);
    if (atomic_load_explicit(&is_asleep, memory_order_relaxed)) wake();
}

void watch_end(void) { atomic_store_explicit(&is_running, false, memory_order_relaxed); }

/* The lock stays taken while the process is copied. */
void watch_before_fork(void) {
    pthread_mutex_lock(&lock);
    if (exists) {
        is_ending = true;
        pthread_cond_signal(&woken);
        pthread_mutex_unlock(&lock);
        pthread_join(thread, NULL);
        pthread_mutex_lock(&lock);
    }
    exists = false;
    atomic_store(&is_asleep, true);
}

void watch_in_parent(void) {
    pthread_mutex_unlock(&lock);
    if (atomic_load(&is_running)) wake();
}

void watch_in_child(void) {
    pthread_mutex_init(&lock, NULL);
    init();
    atomic_store(&is_running, false);
}
