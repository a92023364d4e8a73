// The part that all peers share: arguments, the random images that `seaway bench` transforms, the method of
// timing, and rows of JSON. It compiles as C11 and as C++17.
//
// A peer calls `peer_main` with its name, its version and the function that measures one task. `scripts/peers`
// builds and runs the peers, and `seaway bench --peer-file` reads their rows.
#ifndef SEAWAY_PEER_H
#define SEAWAY_PEER_H

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PEER_MOST_SAMPLES = 1000, PEER_MOST_REPETITIONS = 200, PEER_MOST_SETS = 2048 };
// As `fft::lab::timing::Method` has it: the length of a sample, of all samples, and of the work before them.
static const double PEER_SAMPLE_US = 4000.0, PEER_WARM_UP_US = 400000.0, PEER_BUDGET_US = 2e6;
// As `Regime::STREAMING_BYTES` has it: more than the largest caches.
static const size_t PEER_STREAMING_BYTES = (size_t)512 << 20;

// A batch of complex transforms of 32-bit floats, unscaled, [batch][height][width]. Lines are the rows of one
// image.
typedef struct {
    int width, height, batch;
    int dimensions; // 1 transforms the rows only
    int streaming;  // whether successive transforms take other buffers, which no cache holds together
    int in_place; // whether the result replaces the input
    int inverse;  // whether the exponent has the plus sign
    int threads;  // of a library on the processor
} peer_task;

// Floats of an image, and of a batch.
static size_t peer_image_floats(const peer_task *task) { return 2 * (size_t)task->width * task->height; }
static size_t peer_floats(const peer_task *task) { return task->batch * peer_image_floats(task); }

// Buffers of input and output that successive transforms take in turn.
static int peer_sets(const peer_task *task) {
    size_t bytes = peer_floats(task) * sizeof(float) * (task->in_place ? 1 : 2);
    size_t sets = (PEER_STREAMING_BYTES + bytes - 1) / bytes;
    return !task->streaming ? 1 : sets < 2 ? 2 : (int)sets;
}

static void peer_fail(const char *what, long code) {
    fprintf(stderr, "error: %s failed with code %ld\n", what, code);
    exit(1);
}
#define PEER_CHECK(call) \
    do { \
        long peer_code = (long)(call); \
        if (peer_code != 0) peer_fail(#call, peer_code); \
    } while (0)

static void *peer_allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory) peer_fail("malloc", (long)bytes);
    return memory;
}

// Fills `batch` images with the random numbers of crates/fft/src/lab/gate.rs, bit for bit: SplitMix64
// (Steele, Lea, Flood 2014), 24 bits a number, in [-1, 1). The first 61 images differ, and others repeat them.
static void peer_noise(const peer_task *task, float *values) {
    size_t points = peer_image_floats(task) / 2;
    for (int image = 0; image < task->batch; image++) {
        uint64_t state = (uint64_t)(image % 61 + 1) << 40;
        for (size_t point = 0; point < points; point++) {
            state += UINT64_C(0x9E3779B97F4A7C15);
            uint64_t z = state;
            z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
            z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
            z ^= z >> 31;
            *values++ = (float)(z >> 40) / 8388608.0f - 1.0f;
            *values++ = (float)((z >> 8) & 0xFFFFFF) / 8388608.0f - 1.0f;
        }
    }
}

static double peer_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

// The times of a task. A peer fills `samples_us` by `peer_measure`, and `result` with its first and last image.
typedef struct {
    double samples_us[PEER_MOST_SAMPLES]; // per transform
    int samples, repetitions;
    const char *timer; // gpu_timestamps or wall
    float *result;     // 2 images, or 1 of a batch of 1
    char skipped[200]; // the reason, if there are no times
} peer_times;

// Copies the first and the last image of a batch into the result.
static void peer_keep(const peer_task *task, peer_times *times, const float *values) {
    size_t floats = peer_image_floats(task);
    memcpy(times->result, values, floats * sizeof(float));
    if (task->batch > 1)
        memcpy(times->result + floats, values + (task->batch - 1) * floats, floats * sizeof(float));
}

// Times `work(context, repetitions)`, which returns microseconds of so many transforms.
static void peer_measure(peer_times *times, const char *timer,
                         double (*work)(void *context, int repetitions), void *context) {
    work(context, 1);
    double once_us = fmax(work(context, 1), 0.1);
    int repetitions = (int)(PEER_SAMPLE_US / once_us);
    repetitions = repetitions < 1 ? 1 : repetitions;
    repetitions = repetitions > PEER_MOST_REPETITIONS ? PEER_MOST_REPETITIONS : repetitions;
    double worked_us = 0.0, sample_us = once_us * repetitions;
    while (worked_us < PEER_WARM_UP_US) worked_us += sample_us = work(context, repetitions);
    int within = (int)(PEER_BUDGET_US / sample_us);
    if (times->samples > within) times->samples = within < 3 ? 3 : within;
    for (int sample = 0; sample < times->samples; sample++)
        times->samples_us[sample] = work(context, repetitions) / repetitions;
    times->repetitions = repetitions;
    times->timer = timer;
}

static int peer_compare(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static double peer_percentile(const peer_times *times, double share) {
    return times->samples_us[(int)(share * (times->samples - 1) + 0.5)];
}

// The text as a JSON string, without control characters.
static void peer_print_string(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text >= ' ') putchar(*text);
    }
    putchar('"');
}

static int peer_list(char *text, char **parts, int most) {
    int count = 0;
    for (char *part = strtok(text, ","); part && count < most; part = strtok(NULL, ",")) parts[count++] = part;
    return count;
}

static int peer_number(const char *text, char **end) {
    errno = 0;
    long number = strtol(text, end, 10);
    if (*end == text || errno || number < 1 || number > 1 << 24) {
        fprintf(stderr, "error: %s is no number from 1 to 16777216\n", text);
        exit(2);
    }
    return (int)number;
}

static int peer_rows; // printed so far

static void peer_row(const char *algorithm, const char *version, const char *adapter, const peer_task *task,
                     peer_times *times, const char *folder) {
    printf("%s  {\"algorithm\":\"%s\",\"version\":", peer_rows++ ? ",\n" : "", algorithm);
    peer_print_string(version);
    printf(",\"adapter\":");
    peer_print_string(adapter);
    if (task->dimensions == 1 || task->width == task->height)
        printf(",\"size\":%d", task->width);
    else
        printf(",\"size\":[%d,%d]", task->width, task->height);
    printf(",\"dimensions\":%d,\"kind\":\"complex\",\"batch\":%d,\"precision\":\"f32\",\"direction\":\"%s\","
           "\"normalization\":\"none\",\"layout\":\"planar\",\"regime\":\"%s\",\"placement\":\"%s\",",
           task->dimensions, task->dimensions == 1 ? task->height : task->batch,
           task->inverse ? "inverse" : "forward", task->streaming ? "streaming" : "hot",
           task->in_place ? "in_place" : "out_of_place");
    if (times->skipped[0]) {
        printf("\"skipped\":");
        peer_print_string(times->skipped);
    } else {
        qsort(times->samples_us, times->samples, sizeof(double), peer_compare);
        char name[300], path[1024];
        snprintf(name, sizeof name, "%s-%dd-%dx%d-%d-%s-%s.f32", algorithm, task->dimensions, task->width,
                 task->height, task->batch, task->inverse ? "inverse" : "forward",
                 task->in_place ? "in_place" : "out_of_place");
        snprintf(path, sizeof path, "%s/%s", folder, name);
        size_t floats = peer_image_floats(task) * (task->batch > 1 ? 2 : 1);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(times->result, sizeof(float), floats, file) != floats || fclose(file) != 0) {
            fprintf(stderr, "error: %s could not be written\n", path);
            exit(1);
        }
        printf("\"median_us\":%.6g,\"p5_us\":%.6g,\"p95_us\":%.6g,\"samples\":%d,\"repetitions\":%d,"
               "\"timer\":\"%s\",\"result\":\"%s\"",
               peer_percentile(times, 0.5), peer_percentile(times, 0.05), peer_percentile(times, 0.95),
               times->samples, times->repetitions, times->timer, name);
    }
    printf("}");
    fflush(stdout);
}

// Runs every task of the command line and prints its row. `measure` fills the times, or says why it skips.
static int peer_main(int argc, char **argv, const char *algorithm, const char *version, const char *adapter,
                     void (*measure)(const peer_task *task, peer_times *times)) {
    char sizes_text[512] = "256,512,1024", batches_text[512] = "4", placements_text[64] = "out_of_place";
    char directions_text[64] = "inverse";
    const char *folder = ".";
    int samples = 15, threads = 1, dimensions = 2, streaming = 0;
    for (int index = 1; index < argc; index += 2) {
        char *end, *value = index + 1 < argc ? argv[index + 1] : NULL;
        struct { const char *name; char *text; size_t size; } lists[] = {
            {"--size", sizes_text, sizeof sizes_text},
            {"--batch", batches_text, sizeof batches_text},
            {"--placement", placements_text, sizeof placements_text},
            {"--direction", directions_text, sizeof directions_text},
        };
        int known = 0;
        for (int list = 0; value && list < 4; list++)
            if (!strcmp(argv[index], lists[list].name)) {
                known = 1;
                snprintf(lists[list].text, lists[list].size, "%s", value);
            }
        if (value && !strcmp(argv[index], "--results")) known = 1, folder = value;
        if (value && !strcmp(argv[index], "--samples")) known = 1, samples = peer_number(value, &end);
        if (value && !strcmp(argv[index], "--threads")) known = 1, threads = peer_number(value, &end);
        if (value && !strcmp(argv[index], "--dimensions")) known = 1, dimensions = peer_number(value, &end);
        if (value && !strcmp(argv[index], "--regime"))
            known = !strcmp(value, "hot") || !strcmp(value, "streaming"), streaming = !strcmp(value, "streaming");
        if (!known || dimensions > 2) {
            fprintf(stderr, "usage: %s [--dimensions 1|2] [--size N,WxH,..] [--batch N,..] "
                            "[--placement out_of_place,in_place] [--direction inverse,forward] "
                            "[--regime hot|streaming] [--samples N] [--threads N] [--results DIR]\n", argv[0]);
            return 2;
        }
    }
    if (samples > PEER_MOST_SAMPLES) samples = PEER_MOST_SAMPLES;
    char *sizes[64], *batches[64], *placements[2], *directions[2];
    int size_count = peer_list(sizes_text, sizes, 64), batch_count = peer_list(batches_text, batches, 64);
    int placement_count = peer_list(placements_text, placements, 2);
    int direction_count = peer_list(directions_text, directions, 2);
    printf("[\n");
    for (int s = 0; s < size_count; s++)
        for (int b = 0; b < batch_count; b++)
            for (int p = 0; p < placement_count; p++)
                for (int d = 0; d < direction_count; d++) {
                    char *end;
                    peer_task task;
                    task.width = task.height = peer_number(sizes[s], &end);
                    if (*end == 'x') task.height = peer_number(end + 1, &end);
                    task.batch = peer_number(batches[b], &end);
                    if (dimensions == 1) {
                        if (strchr(sizes[s], 'x')) {
                            fprintf(stderr, "error: %s is no length of lines\n", sizes[s]);
                            return 2;
                        }
                        task.height = task.batch;
                        task.batch = 1;
                    }
                    task.dimensions = dimensions;
                    task.streaming = streaming;
                    task.in_place = !strcmp(placements[p], "in_place");
                    task.inverse = !strcmp(directions[d], "inverse");
                    task.threads = threads;
                    peer_times *times = (peer_times *)calloc(1, sizeof(peer_times));
                    if (!times) peer_fail("calloc", 0);
                    times->samples = samples;
                    int kept = task.batch > 1 ? 2 : 1;
                    times->result = (float *)peer_allocate(kept * peer_image_floats(&task) * sizeof(float));
                    if (peer_sets(&task) > PEER_MOST_SETS)
                        snprintf(times->skipped, sizeof times->skipped,
                                 "streaming needs %d sets of buffers, and the maximum is %d: use a larger batch",
                                 peer_sets(&task), PEER_MOST_SETS);
                    else
                        measure(&task, times);
                    peer_row(algorithm, version, adapter, &task, times, folder);
                    free(times->result);
                    free(times);
                }
    printf("\n]\n");
    return 0;
}

#endif
