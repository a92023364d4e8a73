// Complex numbers.

__device__ inline float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }

__device__ inline float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }

__device__ inline float2 times(float2 a, float2 b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

// e^(SIGN 2 pi i k / n), accurate to the last bits for powers of two n: 2 k / n is exact.
__device__ inline float2 root(unsigned k, unsigned n) {
    float2 w;
    sincospif(2.0f * float(k) / float(n), &w.y, &w.x);
    return {w.x, SIGN * w.y};
}
