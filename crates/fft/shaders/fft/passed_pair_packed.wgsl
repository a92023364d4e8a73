// In layout `Pair` an invocation passes both elements of a pair at a time.

#import "fft/passed_packed.wgsl"

alias Bits = vec4<u32>;

// 1 for the first float of each word.
const FIRST = Bits(1u, 0u, 1u, 0u);

// The bits that are set in any of them.
fn any_of(words: Words) -> u32 {
    return words.x | words.y;
}
