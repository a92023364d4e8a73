// Radix-2 Cooley-Tukey, decimation in time: the first stage reads in bit-reversed order (Mota, High
// Performance Fourier Transforms on GPUs (2022), section 6.3 and listing C.1).

constexpr unsigned POINTS = 2;

template <unsigned LENGTH> __device__ inline unsigned bit_reverse(unsigned n) {
    // 2^32 / LENGTH; the division is a shift.
    return __brev(n) / (0x80000000u / LENGTH * 2);
}

template <unsigned LENGTH, bool ROWS> __device__ void transform(Images from, Images to) {
    const unsigned j = threadIdx.x;
    for (unsigned shift = 1; shift < LENGTH; shift *= 2) {
        const unsigned within = j & (shift - 1);
        const unsigned idx = 2 * j - within;
        const bool first = shift == 1;
        const float2 a = read_point<ROWS>(from, first ? bit_reverse<LENGTH>(idx) : idx);
        const float2 b =
            read_point<ROWS>(from, first ? bit_reverse<LENGTH>(idx + shift) : idx + shift);
        const float2 wb = times(root(within, 2 * shift), b);
        write_point<ROWS>(to, idx, a + wb);
        write_point<ROWS>(to, idx + shift, a - wb);
        next_stage(from, to);
    }
}
