/* Runs one linked kernel from a file and writes what it leaves to another: the other end of `emulator.py`.
 *
 * The file is a row of 64-bit words with bytes between them, padded to whole words; `emulator.py` lists its parts. It
 * loads the image as `tapeless/runtime/image.py` does, on whatever processor this program was compiled for.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tapeless_runtime.h"

enum { NAME_BYTES = 64 };

static FILE *input, *output;

static void stop(const char *what) {
    fprintf(stderr, "run_kernel: %s\n", what);
    exit(2);
}

static int64_t word(void) {
    int64_t value;
    if (fread(&value, sizeof value, 1, input) != 1) stop("the file ends early");
    return value;
}

static void bytes(void *target, int64_t size) {
    if (size && fread(target, (size_t)size, 1, input) != 1) stop("the file ends early");
    fseek(input, -size & 7, SEEK_CUR);
}

static void put(const void *source, int64_t size) {
    static const char zeros[8];
    fwrite(source, 1, (size_t)size, output);
    fwrite(zeros, 1, (size_t)(-size & 7), output);
}

static char *load_image(void) {
    int64_t size = word(), writable_from = word();
    char *image = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (image == MAP_FAILED) stop("no memory for the image");
    bytes(image, size);
    for (int64_t imports = word(); imports; imports--) {
        char name[NAME_BYTES];
        int64_t place = word();
        bytes(name, NAME_BYTES);
        void *address = dlsym(RTLD_DEFAULT, name);
        if (!address) stop(name);
        memcpy(image + place, &address, sizeof address);
    }
    for (int64_t absolutes = word(); absolutes; absolutes--) {
        int64_t place = word();
        char *address = image + word();
        memcpy(image + place, &address, sizeof address);
    }
    __builtin___clear_cache(image, image + size);
    if (mprotect(image, (size_t)writable_from, PROT_READ | PROT_EXEC)) stop("the image cannot be made executable");
    return image;
}

int main(int count, char **arguments) {
    if (count != 3 || !(input = fopen(arguments[1], "rb")) || !(output = fopen(arguments[2], "wb"))) stop("usage");
    char *image = load_image();
    tl_kernel kernel = (tl_kernel)(image + word());
    int64_t slot_count = word();
    int64_t *slots = malloc((size_t)(slot_count + 1) * sizeof *slots);
    bytes(slots, slot_count * 8);
    int64_t arrays = word(), *sizes = malloc((size_t)(arrays + 1) * sizeof *sizes);
    void **memory = malloc((size_t)(arrays + 1) * sizeof *memory);
    for (int64_t k = 0; k < arrays; k++) {
        int64_t slot = word();
        sizes[k] = word();
        memory[k] = aligned_alloc(64, (size_t)((sizes[k] + 64) & ~63));
        bytes(memory[k], sizes[k]);
        slots[slot] = (int64_t)memory[k];
    }
    tl_error error;
    int64_t kind = tl_invoke(kernel, slots, &error);
    put(&kind, 8);
    if (kind) return 0;
    put(slots, slot_count * 8);
    for (int64_t k = 0; k < arrays; k++) put(memory[k], sizes[k]);
    for (int64_t results = word(); results; results--) {
        int64_t slot = word(), rank = word(), size = word();
        for (int64_t axis = 1; axis <= rank; axis++) size *= slots[slot + axis];
        put((void *)slots[slot], size);
    }
    return fclose(output);
}
