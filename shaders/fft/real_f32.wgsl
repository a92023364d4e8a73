// What kernels compute in.

alias Real = f32;
