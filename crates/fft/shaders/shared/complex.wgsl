// Complex arithmetic on vec2(re, im).

const TAU: f32 = 6.283185307179586;

fn complex_mul(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn complex_conj(a: vec2<f32>) -> vec2<f32> {
    return vec2(a.x, -a.y);
}

// i a
fn complex_mul_i(a: vec2<f32>) -> vec2<f32> {
    return vec2(-a.y, a.x);
}
