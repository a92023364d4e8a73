// In layout `Planar` an invocation passes one element at a time.

#import "fft/passed_as_bits.wgsl"

alias Words = vec2<u32>;

// The bits that are set in any of them.
fn any_of(words: Words) -> u32 {
    return words.x | words.y;
}
