// What is passed at a time in layout `Planar`: one element.

#import "fft/passed_as_bits.wgsl"

alias Words = vec2<u32>;

// The bits that are set in any of them.
fn any_of(words: Words) -> u32 {
    return words.x | words.y;
}
