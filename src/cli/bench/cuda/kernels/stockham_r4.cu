// Radix-4 Stockham, decimation in frequency (Mota, High Performance Fourier Transforms on GPUs
// (2022), section 4.3 and listing C.3). Different here: a length that is no power of four, which the
// thesis leaves out, ends with a stage of radix 2, two butterflies a thread.

constexpr unsigned POINTS = 4;

// +-i a, by the direction.
__device__ inline float2 turned(float2 a) { return {-SIGN * a.y, SIGN * a.x}; }

template <unsigned LENGTH, bool ROWS> __device__ void transform(Images from, Images to) {
    const unsigned j = threadIdx.x;
    unsigned s = 1;
    for (; 4 * s <= LENGTH; s *= 4) {
        // j = q + s p, and n = LENGTH / s.
        const unsigned q = j & (s - 1);
        const unsigned sp = j - q;
        const float2 a = read_point<ROWS>(from, j);
        const float2 b = read_point<ROWS>(from, j + LENGTH / 4);
        const float2 c = read_point<ROWS>(from, j + LENGTH / 2);
        const float2 d = read_point<ROWS>(from, j + LENGTH / 4 * 3);
        const float2 w1 = root(sp, LENGTH);
        const float2 w2 = times(w1, w1);
        const float2 w3 = times(w1, w2);
        const float2 apc = a + c;
        const float2 amc = a - c;
        const float2 bpd = b + d;
        const float2 jbmd = turned(b - d);
        write_point<ROWS>(to, q + 4 * sp, apc + bpd);
        write_point<ROWS>(to, q + 4 * sp + s, times(w1, amc + jbmd));
        write_point<ROWS>(to, q + 4 * sp + 2 * s, times(w2, apc - bpd));
        write_point<ROWS>(to, q + 4 * sp + 3 * s, times(w3, amc - jbmd));
        next_stage(from, to);
    }
    if (s < LENGTH) {
        // s = LENGTH / 2, and p = 0.
        for (unsigned k = j; k < s; k += LENGTH / 4) {
            const float2 a = read_point<ROWS>(from, k);
            const float2 b = read_point<ROWS>(from, k + s);
            write_point<ROWS>(to, k, a + b);
            write_point<ROWS>(to, k + s, a - b);
        }
    }
}
