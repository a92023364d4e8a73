// Layout `Pair` in images: a texel is the same point of two images.

alias LoadedImage = texture_2d_array<f32>;
alias StoredImage = texture_storage_2d_array<rgba32float, write>;
alias Image = texture_storage_2d_array<rgba32float, read_write>;

fn to_texel(value: Element) -> vec4<f32> {
    return value;
}

fn from_texel(texel: vec4<f32>) -> Element {
    return texel;
}
