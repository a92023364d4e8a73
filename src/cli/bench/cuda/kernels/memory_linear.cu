// The images of a batch one below the other in linear memory, as a storage buffer of WGSL.

using Images = float2 *;

__device__ inline float2 read(Images images, unsigned x, unsigned y) {
    return images[y * WIDTH + x];
}

__device__ inline void write(Images images, unsigned x, unsigned y, float2 value) {
    images[y * WIDTH + x] = value;
}
