// A block transforms one line, and each of its threads one butterfly of every stage. A stage reads
// all of one set of images and writes all of another, so that one barrier a stage is enough. Block
// [x, y] takes line x of image y.

template <bool ROWS> __device__ inline float2 read_point(Images images, unsigned n) {
    const unsigned first = blockIdx.y * HEIGHT;
    return ROWS ? read(images, n, first + blockIdx.x) : read(images, blockIdx.x, first + n);
}

template <bool ROWS> __device__ inline void write_point(Images images, unsigned n, float2 value) {
    const unsigned first = blockIdx.y * HEIGHT;
    if (ROWS) {
        write(images, n, first + blockIdx.x, value);
    } else {
        write(images, blockIdx.x, first + n, value);
    }
}

// What was written may be read, in the images that the next stage reads.
__device__ inline void next_stage(Images &from, Images &to) {
    const Images written = to;
    to = from;
    from = written;
    __syncthreads();
}
