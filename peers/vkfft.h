// The part that both VkFFT peers share.
#ifndef SEAWAY_VKFFT_H
#define SEAWAY_VKFFT_H

#include "vkFFT.h"

#include "peer.h"

// "1.3.4"
static const char *vkfft_version() {
    static char version[64];
    int number = VkFFTGetVersion();
    snprintf(version, sizeof version, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
    return version;
}

// The transform of `task`, but for its device and its buffer.
static VkFFTConfiguration vkfft_configuration(const peer_task *task) {
    VkFFTConfiguration configuration = {};
    configuration.FFTdim = task->dimensions;
    configuration.size[0] = task->width;
    if (task->dimensions == 2) configuration.size[1] = task->height;
    configuration.numberBatches = task->dimensions == 1 ? task->height : task->batch;
    configuration.makeForwardPlanOnly = !task->inverse;
    configuration.makeInversePlanOnly = task->inverse;
    return configuration;
}

// Out of place, the first pass of either direction reads another buffer, which VkFFT leaves as it is.
template <class Buffer>
static void vkfft_separate(const peer_task *task, VkFFTConfiguration *configuration, VkFFTLaunchParams *launch,
                           Buffer *input, uint64_t *bytes) {
    uint64_t width = task->width, points = task->dimensions == 1 ? width : width * task->height;
    configuration->isInputFormatted = 1;
    configuration->inverseReturnToInputBuffer = 0;
    configuration->inputBuffer = input;
    configuration->inputBufferSize = bytes;
    configuration->inputBufferStride[0] = width;
    configuration->inputBufferStride[1] = points;
    configuration->inputBufferStride[2] = points;
    launch->inputBuffer = input;
}

#endif
