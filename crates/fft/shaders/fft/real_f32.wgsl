// What kernels compute in: 32-bit floats.

alias Real = f32;
