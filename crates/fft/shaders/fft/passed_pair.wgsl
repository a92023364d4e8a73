// The memory of passed.wgsl, with both elements of a pair as their bits.

#import "fft/passed.wgsl"

alias Words = vec4<u32>;

@group(0) @binding(9) var<storage, read_write> passed: array<Words>;

fn to_words(value: Element) -> Words {
    // The bit costs up to 2^-23 of each number.
    return (bitcast<Words>(value) & Words(~1u)) | Words(turn_bit);
}

fn from_words(words: Words) -> Element {
    return bitcast<Element>(words);
}

// Bit 0 is set unless the words have been stored.
fn missing(words: Words) -> u32 {
    let other = words ^ Words(turn_bit);
    return other.x | other.y | other.z | other.w;
}
