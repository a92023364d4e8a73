// In layout `Planar` an invocation passes one element at a time.

#import "fft/passed_packed.wgsl"

alias Bits = vec2<u32>;

// 1 for the first float of each word.
const FIRST = Bits(1u, 0u);

// The bits that are set in any of them.
fn any_of(words: Words) -> u32 {
    return words;
}
