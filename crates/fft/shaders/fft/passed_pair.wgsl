// In layout `Pair` an invocation passes both elements of a pair at a time.

#import "fft/passed_as_bits.wgsl"

alias Words = vec4<u32>;

// The bits that are set in any of them.
fn any_of(words: Words) -> u32 {
    return words.x | words.y | words.z | words.w;
}
