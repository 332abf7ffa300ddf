/* Runs the kernels of a GPU on the CPU: the blocks of a grid one after the other, the threads of a block as fibers that
 * change at barriers, both in a random order, so that results that depend on the order differ from run to run.
 *
 * A fiber begins by setcontext, once for all launches, and changes by _longjmp, which asks nothing of the kernel of the
 * system: that takes a tenth of the time. */
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_BYTES = 256 << 10, MOST_THREADS = 1024, WARP = 32 };

enum { MOST_OF_HEAP = 1 << 26 };

typedef void (*kernel_function)(void *arguments);
enum state { READY, AT_WARP, AT_BLOCK, DONE }; /* waits for its warp, or for its block */
enum { MOST_UNDER_WAY = 1024 };

struct copy {
    char *target;
    const char *source;
    size_t bytes;
};

struct fiber {
    jmp_buf place; /* where it goes on */
    jmp_buf bottom; /* where it ends the thread of a block, and waits for the next */
    int has_begun;
    enum state state;
    struct copy copies[MOST_UNDER_WAY]; /* what the thread has sent to shared memory and not waited for */
    uint32_t under_way;
    uint32_t words[2]; /* what a thread shows to the others of its warp, this time and last time */
    uint32_t turn;
};

static struct fiber fibers[MOST_THREADS];
static char *stacks;
static jmp_buf scheduler;
static jmp_buf outside;
static kernel_function running;
static void *running_arguments;
static uint32_t grid[3], block[3], block_id[3];
static uint32_t current;
static int has_fibers;
static uint64_t random_state;

static uint64_t next_random(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state >> 33;
}

static void shuffle(uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)(next_random() % i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

uint32_t emulated_tid_x(void) { return current % block[0]; }
uint32_t emulated_tid_y(void) { return current / block[0] % block[1]; }
uint32_t emulated_tid_z(void) { return current / block[0] / block[1]; }
uint32_t emulated_ntid_x(void) { return block[0]; }
uint32_t emulated_ntid_y(void) { return block[1]; }
uint32_t emulated_ntid_z(void) { return block[2]; }
uint32_t emulated_ctaid_x(void) { return block_id[0]; }
uint32_t emulated_ctaid_y(void) { return block_id[1]; }
uint32_t emulated_ctaid_z(void) { return block_id[2]; }
uint32_t emulated_nctaid_x(void) { return grid[0]; }
uint32_t emulated_nctaid_y(void) { return grid[1]; }
uint32_t emulated_nctaid_z(void) { return grid[2]; }
uint32_t emulated_laneid(void) { return current % WARP; }

static void leave(uint32_t self) {
    if (!_setjmp(fibers[self].place))
        _longjmp(scheduler, 1);
}

/* Others run until they come here too. */
static void wait_for_others(enum state where) {
    if (!has_fibers)
        abort();
    uint32_t self = current;
    fibers[self].state = where;
    leave(self);
}

void emulated_barrier(void) { wait_for_others(AT_BLOCK); }

/* Every thread of the warp must exchange words at once; those outside get their own. A word stays until the exchange
 * after the next one, so that threads need not wait twice. */
static uint32_t exchanged(uint32_t word, int64_t lane) {
    uint32_t self = current, turn = fibers[self].turn ^= 1;
    fibers[self].words[turn] = word;
    wait_for_others(AT_WARP);
    uint32_t other = self / WARP * WARP + (uint32_t)lane;
    return lane >= 0 && lane < WARP && other < block[0] * block[1] * block[2] ? fibers[other].words[turn] : word;
}

static float exchanged_float(float value, int64_t lane) {
    union {
        float value;
        uint32_t word;
    } both = {value};
    both.word = exchanged(both.word, lane);
    return both.value;
}

#define SHUFFLE(mode, place)                                                                                           \
    uint32_t emulated_shuffle_##mode##_i32(uint32_t mask, uint32_t word, uint32_t lane, uint32_t clamp) {             \
        (void)mask, (void)clamp;                                                                                       \
        return exchanged(word, place);                                                                                 \
    }                                                                                                                  \
    float emulated_shuffle_##mode##_f32(uint32_t mask, float value, uint32_t lane, uint32_t clamp) {                  \
        (void)mask, (void)clamp;                                                                                       \
        return exchanged_float(value, place);                                                                          \
    }

SHUFFLE(up, (int64_t)(current % WARP) - lane)
SHUFFLE(down, (int64_t)(current % WARP) + lane)
SHUFFLE(idx, lane % WARP)
SHUFFLE(bfly, (int64_t)(current % WARP ^ lane))

static float first_bits(float value) {
    union {
        float value;
        uint32_t word;
    } both = {value};
    both.word &= ~UINT32_C(0x1fff);
    return both.value;
}

/* mma.m16n8k8 of doubles: lane 4 g + t gives rows g and g + 8 of one factor at steps t and t + 4, column g of the other
 * at these steps, and has the sums at its rows and columns 2 t and 2 t + 1. Products are added one after the other. */
void emulated_mma(double *sums, double a0, double a1, double a2, double a3, double b0, double b1) {
    static double left[MOST_THREADS][4], right[MOST_THREADS][2];
    uint32_t self = current, lane = self % WARP, warp = self - lane, group = lane / 4, within = lane % 4;
    left[self][0] = a0, left[self][1] = a1, left[self][2] = a2, left[self][3] = a3;
    right[self][0] = b0, right[self][1] = b1;
    wait_for_others(AT_WARP);
    for (uint32_t sum = 0; sum < 4; sum++)
        for (uint32_t step = 0; step < 8; step++) {
            double one = left[warp + 4 * group + step % 4][sum / 2 + step / 4 * 2];
            double other = right[warp + 4 * (2 * within + sum % 2) + step % 4][step / 4];
            sums[sum] = fma(one, other, sums[sum]);
        }
    wait_for_others(AT_WARP);
}

/* The same of floats whose first 11 bits count; the sums are floats. */
void emulated_mma_f32(float *sums, float a0, float a1, float a2, float a3, float b0, float b1) {
    static float left[MOST_THREADS][4], right[MOST_THREADS][2];
    uint32_t self = current, lane = self % WARP, warp = self - lane, group = lane / 4, within = lane % 4;
    left[self][0] = first_bits(a0), left[self][1] = first_bits(a1);
    left[self][2] = first_bits(a2), left[self][3] = first_bits(a3);
    right[self][0] = first_bits(b0), right[self][1] = first_bits(b1);
    wait_for_others(AT_WARP);
    for (uint32_t sum = 0; sum < 4; sum++)
        for (uint32_t step = 0; step < 8; step++) {
            float one = left[warp + 4 * group + step % 4][sum / 2 + step / 4 * 2];
            float other = right[warp + 4 * (2 * within + sum % 2) + step % 4][step / 4];
            sums[sum] = fmaf(one, other, sums[sum]);
        }
    wait_for_others(AT_WARP);
}

/* Copies to shared memory: they arrive when the thread waits for them, not before. */
static void sent(int64_t target, int64_t source, size_t bytes) {
    struct fiber *fiber = &fibers[current];
    if (fiber->under_way == MOST_UNDER_WAY || target % (int64_t)bytes || source % (int64_t)bytes)
        abort();
    fiber->copies[fiber->under_way++] = (struct copy){(char *)target, (const char *)source, bytes};
}

void emulated_send_4(int64_t target, int64_t source) { sent(target, source, 4); }
void emulated_send_8(int64_t target, int64_t source) { sent(target, source, 8); }
void emulated_send_16(int64_t target, int64_t source) { sent(target, source, 16); }

void emulated_wait_for_all(void) {
    struct fiber *fiber = &fibers[current];
    for (uint32_t i = 0; i < fiber->under_way; i++)
        memcpy(fiber->copies[i].target, fiber->copies[i].source, fiber->copies[i].bytes);
    fiber->under_way = 0;
}

/* The heap of the device is small: a thread that asks for much gets nothing. */
void *emulated_malloc(int64_t bytes) { return bytes > 0 && bytes < MOST_OF_HEAP ? malloc((size_t)bytes) : NULL; }

/* Ends the thread. */
void emulated_exit(void) {
    if (!has_fibers)
        _longjmp(outside, 1);
    _longjmp(fibers[current].bottom, 1);
}

/* What a fiber does: the thread of its number in one block after the other. */
static void threads_of_blocks(void) {
    for (;;) {
        if (!_setjmp(fibers[current].bottom))
            running(running_arguments);
        fibers[current].state = DONE;
        leave(current);
    }
}

/* Returns when the fiber waits, or has ended its thread. */
static void go_on(struct fiber *fiber, char *stack) {
    static ucontext_t context;
    if (_setjmp(scheduler))
        return;
    if (fiber->has_begun)
        _longjmp(fiber->place, 1);
    fiber->has_begun = 1;
    getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = STACK_BYTES;
    context.uc_link = NULL;
    makecontext(&context, threads_of_blocks, 0);
    setcontext(&context);
}

static void run_plain(const uint32_t *order, uint32_t threads) {
    for (uint32_t i = 0; i < threads; i++) {
        current = order[i];
        if (!_setjmp(outside))
            running(running_arguments);
    }
}

/* Lets threads go on that all wait for each other, if they are among `count` ones from the first on. */
static int released(enum state where, uint32_t first, uint32_t count) {
    uint32_t waiting = 0;
    for (uint32_t i = first; i < first + count; i++) {
        if (fibers[i].state != where && fibers[i].state != DONE)
            return 0;
        waiting += fibers[i].state == where;
    }
    for (uint32_t i = first; i < first + count; i++)
        if (fibers[i].state == where)
            fibers[i].state = READY;
    return waiting > 0;
}

/* Whether some thread goes on; where none does, all must have ended. */
static int let_go(uint32_t threads) {
    int is_left = released(AT_BLOCK, 0, threads);
    for (uint32_t first = 0; first < threads; first += WARP)
        is_left |= released(AT_WARP, first, threads - first < WARP ? threads - first : WARP);
    for (uint32_t i = 0; i < threads && !is_left; i++)
        if (fibers[i].state != DONE)
            abort();
    return is_left;
}

static void run_fibers(const uint32_t *order, uint32_t threads) {
    for (uint32_t i = 0; i < threads; i++) {
        fibers[i].state = READY;
        fibers[i].turn = fibers[i].under_way = 0;
    }
    do {
        for (uint32_t i = 0; i < threads; i++)
            if (fibers[order[i]].state == READY) {
                current = order[i];
                go_on(&fibers[current], stacks + (size_t)current * STACK_BYTES);
            }
    } while (let_go(threads));
}

/* One launch; returns 0, or 1 for a block that no GPU takes. */
int emulated_launch(kernel_function kernel, void *arguments, const uint32_t *grid_sizes, const uint32_t *block_sizes,
                    int has_barriers, uint64_t seed) {
    uint32_t threads = block_sizes[0] * block_sizes[1] * block_sizes[2];
    if (threads > MOST_THREADS || grid_sizes[1] > 65535 || grid_sizes[2] > 65535)
        return 1;
    if (!stacks)
        stacks = mmap(NULL, (size_t)MOST_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int axis = 0; axis < 3; axis++) {
        grid[axis] = grid_sizes[axis];
        block[axis] = block_sizes[axis];
    }
    running = kernel;
    running_arguments = arguments;
    random_state = seed;
    has_fibers = has_barriers;
    uint32_t blocks = grid[0] * grid[1] * grid[2];
    uint32_t *order_of_blocks = malloc((blocks + threads) * sizeof *order_of_blocks), *order = order_of_blocks + blocks;
    shuffle(order_of_blocks, blocks);
    for (uint32_t i = 0; i < blocks; i++) {
        uint32_t number = order_of_blocks[i];
        block_id[0] = number % grid[0];
        block_id[1] = number / grid[0] % grid[1];
        block_id[2] = number / grid[0] / grid[1];
        shuffle(order, threads);
        (has_barriers ? run_fibers : run_plain)(order, threads);
    }
    free(order_of_blocks);
    return 0;
}
