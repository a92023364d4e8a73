// Layout `Planar` in images: a texel is one complex value.

alias LoadedImage = texture_2d_array<f32>;
alias StoredImage = texture_storage_2d_array<rg32float, write>;
alias Image = texture_storage_2d_array<rg32float, read_write>;

fn to_texel(value: Element) -> vec4<f32> {
    return vec4(value, 0.0, 0.0);
}

fn from_texel(texel: vec4<f32>) -> Element {
    return texel.xy;
}
