// The part that the CUDA peers share: buffers with the random images, and the replay of a CUDA graph.
#ifndef SEAWAY_CUDA_GRAPH_H
#define SEAWAY_CUDA_GRAPH_H

#include <vector>

#include <cuda_runtime.h>

#include "peer.h"

static const char *device_name() {
    static cudaDeviceProp properties;
    PEER_CHECK(cudaGetDeviceProperties(&properties, 0));
    return properties.name;
}

// Input and output, which are one if the task works in place.
struct Buffers {
    void *input, *output;
};

// The buffers that successive transforms take in turn, each with the random images.
static std::vector<Buffers> upload(const peer_task *task) {
    size_t bytes = peer_floats(task) * sizeof(float);
    float *images = static_cast<float *>(peer_allocate(bytes));
    peer_noise(task, images);
    std::vector<Buffers> sets(peer_sets(task));
    for (Buffers &buffers : sets) {
        PEER_CHECK(cudaMalloc(&buffers.input, bytes));
        buffers.output = buffers.input;
        if (!task->in_place) PEER_CHECK(cudaMalloc(&buffers.output, bytes));
        PEER_CHECK(cudaMemcpy(buffers.input, images, bytes, cudaMemcpyHostToDevice));
    }
    PEER_CHECK(cudaDeviceSynchronize());
    free(images);
    return sets;
}

static void release(const std::vector<Buffers> &sets) {
    for (const Buffers &buffers : sets) {
        if (buffers.output != buffers.input) PEER_CHECK(cudaFree(buffers.output));
        PEER_CHECK(cudaFree(buffers.input));
    }
}

struct Replay {
    cudaStream_t stream;
    cudaEvent_t start, end;
    cudaGraphExec_t graph;
    int repetitions; // in the graph
    std::vector<Buffers> *sets;
    void (*record)(void *context, Buffers *buffers);
    void *context;
};

static void capture(Replay *replay, int repetitions) {
    cudaGraph_t graph;
    PEER_CHECK(cudaStreamBeginCapture(replay->stream, cudaStreamCaptureModeThreadLocal));
    for (int repetition = 0; repetition < repetitions; repetition++)
        replay->record(replay->context, &(*replay->sets)[repetition % replay->sets->size()]);
    PEER_CHECK(cudaStreamEndCapture(replay->stream, &graph));
    if (replay->graph) PEER_CHECK(cudaGraphExecDestroy(replay->graph));
    PEER_CHECK(cudaGraphInstantiate(&replay->graph, graph, 0));
    PEER_CHECK(cudaGraphDestroy(graph));
    replay->repetitions = repetitions;
}

static double replay_us(void *context, int repetitions) {
    Replay *replay = static_cast<Replay *>(context);
    // One launch alone would be mostly launch: a single transform is timed as a tenth of ten.
    int in_graph = repetitions == 1 ? 10 : repetitions;
    // A replay starts from the first set again: it must have gone through all of them.
    if (in_graph < (int)replay->sets->size()) in_graph = (int)replay->sets->size();
    if (replay->repetitions != in_graph) capture(replay, in_graph);
    float ms = 0;
    PEER_CHECK(cudaEventRecord(replay->start, replay->stream));
    PEER_CHECK(cudaGraphLaunch(replay->graph, replay->stream));
    PEER_CHECK(cudaEventRecord(replay->end, replay->stream));
    PEER_CHECK(cudaEventSynchronize(replay->end));
    PEER_CHECK(cudaEventElapsedTime(&ms, replay->start, replay->end));
    return ms * 1e3 / in_graph * repetitions;
}

// Keeps the result of one transform, then times `record`, which enqueues one transform into the stream.
static void graph_measure(const peer_task *task, peer_times *times, cudaStream_t stream, std::vector<Buffers> &sets,
                          void (*record)(void *context, Buffers *buffers), void *context) {
    record(context, &sets[0]);
    PEER_CHECK(cudaStreamSynchronize(stream));
    size_t bytes = peer_floats(task) * sizeof(float);
    float *images = static_cast<float *>(peer_allocate(bytes));
    PEER_CHECK(cudaMemcpy(images, sets[0].output, bytes, cudaMemcpyDeviceToHost));
    peer_keep(task, times, images);
    free(images);

    Replay replay = {};
    replay.stream = stream;
    replay.sets = &sets;
    replay.record = record;
    replay.context = context;
    PEER_CHECK(cudaEventCreate(&replay.start));
    PEER_CHECK(cudaEventCreate(&replay.end));
    peer_measure(times, "gpu_timestamps", replay_us, &replay);
    PEER_CHECK(cudaGraphExecDestroy(replay.graph));
    PEER_CHECK(cudaEventDestroy(replay.start));
    PEER_CHECK(cudaEventDestroy(replay.end));
}

#endif
