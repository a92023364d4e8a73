// Elements are passed as they are kept in buffers: two 16-bit floats in a word.

#import "fft/passed.wgsl"

alias Words = Stored;

fn to_words(value: Element) -> Words {
    // The first float of a word is rounded to the nearest one with the bit, which costs up to 2^-10 of it.
    let bits = bitcast<Bits>(value) + FIRST * ((1u - turn_bit) << 13u);
    let rounded = (bits & ~(FIRST * 0x3fffu)) | (FIRST * (turn_bit << 13u));
    // Small numbers have fewer bits.
    return (to_stored(bitcast<Element>(rounded)) & Words(~1u)) | Words(turn_bit);
}

fn from_words(words: Words) -> Element {
    return from_stored(words);
}
