// VkFFT, whose kernels NVRTC compiles at run time, timed as cuFFT is.
// Build: nvcc -O2 -std=c++17 -DVKFFT_BACKEND=1 -I DIR/vkFFT peers/vkfft_cuda.cu -o vkfft_cuda -lnvrtc -lcuda
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include "vkfft.h"

#include "cuda_graph.h"

struct Transform {
    VkFFTApplication application;
    VkFFTLaunchParams launch;
    int direction;
};

static void record(void *context, Buffers *buffers) {
    Transform *fft = static_cast<Transform *>(context);
    fft->launch.buffer = &buffers->output;
    if (fft->launch.inputBuffer) fft->launch.inputBuffer = &buffers->input;
    PEER_CHECK(VkFFTAppend(&fft->application, fft->direction, &fft->launch));
}

static void measure(const peer_task *task, peer_times *times) {
    cudaStream_t stream;
    PEER_CHECK(cudaStreamCreate(&stream));
    CUdevice device;
    PEER_CHECK(cuDeviceGet(&device, 0));
    std::vector<Buffers> buffers = upload(task);
    uint64_t bytes = peer_floats(task) * sizeof(float);
    Transform fft = {};
    fft.direction = task->inverse ? 1 : -1;
    VkFFTConfiguration configuration = vkfft_configuration(task);
    configuration.device = &device;
    configuration.stream = &stream;
    configuration.num_streams = 1;
    configuration.buffer = &buffers[0].output;
    configuration.bufferSize = &bytes;
    if (!task->in_place) vkfft_separate(task, &configuration, &fft.launch, &buffers[0].input, &bytes);
    VkFFTResult planned = initializeVkFFT(&fft.application, configuration);
    if (planned != VKFFT_SUCCESS) {
        snprintf(times->skipped, sizeof times->skipped, "VkFFT cannot plan it (error %d)", (int)planned);
    } else {
        graph_measure(task, times, stream, buffers, record, &fft);
        deleteVkFFT(&fft.application);
    }
    release(buffers);
    PEER_CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv) {
    // The runtime makes the context that the driver's functions need.
    PEER_CHECK(cudaFree(nullptr));
    return peer_main(argc, argv, "vkfft_cuda", vkfft_version(), device_name(), measure);
}
