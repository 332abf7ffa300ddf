/* Memory that an object of the host owns from the moment on in which it exists.
 *
 * A signal handler of the host can run between any two of its own instructions, and raise. So it must not be left to
 * those to take hold of an address, nor to free it: an object of the host is made first, then the memory, which is put
 * into it, and a function of the runtime frees it when the host drops the object. */
#include <stddef.h>
#include <stdlib.h>

#include "memory.h"
#include "tapeless_runtime.h"

static tl_objects objects;
static char nothing; /* what an object holds that owns nothing yet */

void tl_set_objects(const tl_objects *given) { objects = *given; }

static void drop(void *object) {
    void *held = objects.address(object, NULL);
    tl_release release = (tl_release)objects.context(object);
    if (held != &nothing) release(held);
}

void *tl_own(tl_make make, int64_t argument, tl_release release) {
    void *object = objects.create(&nothing, NULL, drop);
    if (object == NULL) return NULL;
    objects.set_context(object, (void *)release);
    void *made = make(argument);
    if (made != NULL) {
        objects.set_address(object, made);
        return object;
    }
    objects.discard(object);
    return objects.out_of_memory();
}

void *tl_new_results(int64_t unused) {
    (void)unused;
    tl_link *results = malloc(sizeof *results);
    if (results != NULL) link_init(results);
    return results;
}

void tl_free_results(void *results) {
    memory_free_all(results);
    free(results);
}

void *tl_take_result(int64_t address) {
    void *buffer = (void *)(intptr_t)address;
    memory_disown_one(buffer);
    return buffer;
}
