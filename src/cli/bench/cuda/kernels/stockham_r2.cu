// Radix-2 Stockham, decimation in frequency (Mota, High Performance Fourier Transforms on GPUs
// (2022), section 4.2 and listing C.2).

constexpr unsigned POINTS = 2;

template <unsigned LENGTH, bool ROWS> __device__ void transform(Images from, Images to) {
    const unsigned j = threadIdx.x;
    for (unsigned s = 1; s < LENGTH; s *= 2) {
        // j = q + s p, and n = LENGTH / s.
        const unsigned q = j & (s - 1);
        const unsigned sp = j - q;
        const float2 a = read_point<ROWS>(from, j);
        const float2 b = read_point<ROWS>(from, j + LENGTH / 2);
        write_point<ROWS>(to, q + 2 * sp, a + b);
        write_point<ROWS>(to, q + 2 * sp + s, times(root(sp, LENGTH), a - b));
        next_stage(from, to);
    }
}
