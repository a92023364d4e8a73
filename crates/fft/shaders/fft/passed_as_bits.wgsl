// Elements are passed as their bits.

#import "fft/passed.wgsl"

fn to_words(value: Element) -> Words {
    // The bit costs up to 2^-23 of each number.
    return (bitcast<Words>(value) & Words(~1u)) | Words(turn_bit);
}

fn from_words(words: Words) -> Element {
    return bitcast<Element>(words);
}
