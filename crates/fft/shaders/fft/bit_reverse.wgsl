// The LOG2_LENGTH low bits of n in reverse.
fn bit_reverse(n: u32) -> u32 {
    return reverseBits(n) >> (32u - LOG2_LENGTH);
}
