// The memory of passed.wgsl, with elements as they are kept in buffers: two 16-bit floats in a word.

#import "fft/passed.wgsl"

alias Words = Stored;

@group(0) @binding(9) var<storage, read_write> passed: array<Words>;

fn to_words(value: Element) -> Words {
    // The first float of a word is rounded to the nearest one with the bit, which costs up to 2^-10 of it.
    let first = vec4(1u, 0u, 1u, 0u);
    let bits = bitcast<vec4<u32>>(value) + first * ((1u - turn_bit) << 13u);
    let rounded = (bits & ~(first * 0x3fffu)) | (first * (turn_bit << 13u));
    // Small numbers have fewer bits.
    return (to_stored(bitcast<Element>(rounded)) & Words(~1u)) | Words(turn_bit);
}

fn from_words(words: Words) -> Element {
    return from_stored(words);
}

// Bit 0 is set unless the words have been stored.
fn missing(words: Words) -> u32 {
    let other = words ^ Words(turn_bit);
    return other.x | other.y;
}
