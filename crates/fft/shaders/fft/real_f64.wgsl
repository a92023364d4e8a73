// What kernels compute in: 64-bit floats, which WGSL has not and naga has. It has no sine and cosine
// of them (those that it takes come out wrong), so that twiddle factors are read from tables.

alias Real = f64;
