// NVIDIA's cuFFT. The repetitions of a sample are replayed from one CUDA graph, so that no launch costs
// processor time, and CUDA events take its time.
// Build: nvcc -O3 -std=c++17 peers/cufft.cu -o cufft -lcufft
#include <cuda_runtime.h>
#include <cufft.h>

#include "cuda_graph.h"

struct Transform {
    cufftHandle plan;
    int sign;
};

static void record(void *context, Buffers *buffers) {
    Transform *fft = static_cast<Transform *>(context);
    PEER_CHECK(cufftExecC2C(fft->plan, static_cast<float2 *>(buffers->input),
                            static_cast<float2 *>(buffers->output), fft->sign));
}

static void measure(const peer_task *task, peer_times *times) {
    cudaStream_t stream;
    PEER_CHECK(cudaStreamCreate(&stream));
    Transform fft = {};
    fft.sign = task->inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
    bool lines = task->dimensions == 1;
    int lengths[2] = {task->height, task->width};
    PEER_CHECK(cufftPlanMany(&fft.plan, task->dimensions, lengths + lines, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C,
                             lines ? task->height : task->batch));
    PEER_CHECK(cufftSetStream(fft.plan, stream));
    std::vector<Buffers> buffers = upload(task);
    graph_measure(task, times, stream, buffers, record, &fft);
    PEER_CHECK(cufftDestroy(fft.plan));
    release(buffers);
    PEER_CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv) {
    int number = 0;
    PEER_CHECK(cufftGetVersion(&number));
    char version[64];
    snprintf(version, sizeof version, "%d.%d", number / 1000, number % 1000 / 100);
    return peer_main(argc, argv, "cufft", version, device_name(), measure);
}
