// The images of a batch one below the other in a CUDA array behind a surface object, as in the
// thesis. CUDA promises nothing for a surface that a kernel reads after it wrote it, not even behind
// a barrier; that it works on a device is what the check of the results shows.

using Images = cudaSurfaceObject_t;

__device__ inline float2 read(Images images, unsigned x, unsigned y) {
    return surf2Dread<float2>(images, int(x * sizeof(float2)), int(y));
}

__device__ inline void write(Images images, unsigned x, unsigned y, float2 value) {
    surf2Dwrite(value, images, int(x * sizeof(float2)), int(y));
}
