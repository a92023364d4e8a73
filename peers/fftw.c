// FFTW 3 in 32-bit floats, with a measured plan, on as many threads as --threads says.
// Build: cc -O3 peers/fftw.c -o fftw -lfftw3f_threads -lfftw3f -lm -lpthread
#include <fftw3.h>

#include "peer.h"

typedef struct {
    fftwf_plan plan;
    fftwf_complex **inputs, **outputs; // of the sets
    int sets, next; // the number of sets, and the next one
} transform;

static double work(void *context, int repetitions) {
    transform *fft = (transform *)context;
    double start_us = peer_now_us();
    for (int repetition = 0; repetition < repetitions; repetition++) {
        fftwf_execute_dft(fft->plan, fft->inputs[fft->next], fft->outputs[fft->next]);
        fft->next = (fft->next + 1) % fft->sets;
    }
    return peer_now_us() - start_us;
}

static void measure(const peer_task *task, peer_times *times) {
    size_t floats = peer_floats(task);
    transform fft = {.sets = peer_sets(task)};
    fft.inputs = peer_allocate(fft.sets * sizeof *fft.inputs);
    fft.outputs = peer_allocate(fft.sets * sizeof *fft.outputs);
    for (int set = 0; set < fft.sets; set++) {
        fft.inputs[set] = fftwf_malloc(floats * sizeof(float));
        fft.outputs[set] = task->in_place ? fft.inputs[set] : fftwf_malloc(floats * sizeof(float));
        if (!fft.inputs[set] || !fft.outputs[set]) peer_fail("fftwf_malloc", 0);
    }
    fftwf_complex *input = fft.inputs[0], *output = fft.outputs[0];
    fftwf_plan_with_nthreads(task->threads);
    int lines = task->dimensions == 1, lengths[2] = {task->height, task->width};
    int distance = lines ? task->width : task->width * task->height, count = lines ? task->height : task->batch;
    // Measuring overwrites both arrays: the images come after it.
    fft.plan = fftwf_plan_many_dft(task->dimensions, lengths + lines, count, input, NULL, 1, distance, output, NULL, 1,
                                   distance, task->inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_MEASURE);
    if (!fft.plan) peer_fail("fftwf_plan_many_dft", 0);
    peer_noise(task, (float *)input);
    fftwf_execute(fft.plan);
    peer_keep(task, times, (const float *)output);
    // In place, numbers would grow without end: zeros take as long.
    for (int set = 0; set < fft.sets; set++) {
        if (task->in_place || set > 0) memset(fft.inputs[set], 0, floats * sizeof(float));
        // No sample should be the first to touch this memory.
        if (!task->in_place) memset(fft.outputs[set], 0, floats * sizeof(float));
    }
    peer_measure(times, "wall", work, &fft);
    fftwf_destroy_plan(fft.plan);
    for (int set = 0; set < fft.sets; set++) {
        if (!task->in_place) fftwf_free(fft.outputs[set]);
        fftwf_free(fft.inputs[set]);
    }
    free(fft.inputs);
    free(fft.outputs);
}

// The processor's name as Linux reports it.
static void processor(char *name, size_t size) {
    snprintf(name, size, "processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            line[strcspn(line, "\n")] = 0;
            snprintf(name, size, "%s", strchr(line, ':') + 2);
            break;
        }
    if (file) fclose(file);
}

int main(int argc, char **argv) {
    char adapter[256], version[256];
    int threads = 1;
    for (int index = 1; index + 1 < argc; index++)
        if (!strcmp(argv[index], "--threads")) threads = atoi(argv[index + 1]);
    if (!fftwf_init_threads()) peer_fail("fftwf_init_threads", 0);
    processor(adapter, sizeof adapter);
    // As in fftw-3.3.10-sse2-avx.
    char number[64];
    snprintf(number, sizeof number, "%s", fftwf_version + (strncmp(fftwf_version, "fftw-", 5) ? 0 : 5));
    number[strcspn(number, "-")] = 0;
    snprintf(version, sizeof version, "%s, %d thread%s", number, threads, threads == 1 ? "" : "s");
    return peer_main(argc, argv, "fftw", version, adapter, measure);
}
