// A filtered picture and its power spectrum, side by side.

#import "filter/pass_band.wgsl"

struct FilterPanes {
    // Left, top, width and height in pixels of the window.
    picture: vec4<f32>,
    spectrum: vec4<f32>,
    // The size of the picture, in its own pixels.
    size: vec2<u32>,
    // The floats of a pixel, 2 for grey, 4 for colour; the last is opacity.
    floats: u32,
    // Not 0 where the picture's values are linear light.
    is_linear: u32,
    // Not 0 where the target encodes by itself.
    target_encodes: u32,
    // The power that is black, in decibels.
    black_db: f32,
}

@group(0) @binding(0) var<uniform> panes: FilterPanes;
@group(0) @binding(1) var<storage, read> filter_result: array<f32>;
@group(0) @binding(2) var<storage, read> filter_spectrum: array<f32>;

const BACKGROUND: vec3<f32> = vec3(0.055, 0.067, 0.078);
// The background of transparent pixels.
const PAPER: f32 = 0.25;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32(index & 1u), f32(index >> 1u));
    return vec4(2.0 * corner - 1.0, 0.0, 1.0);
}

fn decoded(value: vec3<f32>) -> vec3<f32> {
    let bent = pow((max(value, vec3(0.0)) + 0.055) / 1.055, vec3(2.4));
    return select(bent, value / 12.92, value <= vec3(0.04045));
}

fn encoded(value: vec3<f32>) -> vec3<f32> {
    let bent = 1.055 * pow(max(value, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return select(bent, value * 12.92, value <= vec3(0.0031308));
}

// A pixel of the picture over the paper.
fn pixel_at(at: vec2<u32>) -> vec3<f32> {
    let first = (at.y * panes.size.x + at.x) * panes.floats;
    var colour = vec3(filter_result[first]);
    if (panes.floats == 4u) {
        colour = vec3(colour.x, filter_result[first + 1u], filter_result[first + 2u]);
    }
    if (panes.is_linear != 0u) {
        colour = encoded(colour);
    }
    return mix(vec3(PAPER), colour, filter_result[first + panes.floats - 1u]);
}

// (re, im) of pair `pair` of a frequency.
fn bin_at(at: vec2<u32>, pair: u32) -> vec2<f32> {
    let first = (at.y * panes.size.x + at.x) * panes.floats + 2u * pair;
    return vec2(filter_spectrum[first], filter_spectrum[first + 1u]);
}

// The power of each channel with the frequency 0 in the middle, as `filter::log_power` computes it.
fn power_at(at: vec2<u32>) -> vec3<f32> {
    let k = (at + panes.size - panes.size / 2u) % panes.size;
    let mirrored = (panes.size - k) % panes.size;
    let a = bin_at(k, 0u);
    let b = bin_at(mirrored, 0u);
    // For f + i g with the transforms f and g of real images, f(-k) = conj f(k).
    let first = 0.5 * vec2(a.x + b.x, a.y - b.y);
    if (panes.floats == 2u) {
        return vec3(dot(first, first));
    }
    let second = 0.5 * vec2(a.y + b.y, b.x - a.x);
    let c = bin_at(k, 1u);
    return vec3(dot(first, first), dot(second, second), dot(c, c));
}

fn is_in(pane: vec4<f32>, at: vec2<f32>) -> bool {
    return all(at >= pane.xy) && all(at < pane.xy + pane.zw);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let shows_picture = is_in(panes.picture, position.xy);
    var colour = BACKGROUND;
    if (shows_picture || is_in(panes.spectrum, position.xy)) {
        var pane = panes.spectrum;
        if (shows_picture) {
            pane = panes.picture;
        }
        // Averages over the pixels of the picture that a pixel of the window covers, up to 8 x 8.
        let scale = vec2<f32>(panes.size) / pane.zw;
        let begin = (position.xy - 0.5 - pane.xy) * scale;
        let count = clamp(vec2<i32>(ceil(scale)), vec2(1i), vec2(8i));
        var sum = vec3(0.0);
        for (var y = 0i; y < count.y; y += 1i) {
            for (var x = 0i; x < count.x; x += 1i) {
                let inside = (vec2(f32(x), f32(y)) + 0.5) / vec2<f32>(count);
                let at = clamp(vec2<i32>(begin + inside * scale), vec2(0i), vec2<i32>(panes.size) - 1i);
                if (shows_picture) {
                    sum += pixel_at(vec2<u32>(at));
                } else {
                    sum += power_at(vec2<u32>(at));
                }
            }
        }
        colour = sum / f32(count.x * count.y);
        if (!shows_picture) {
            let points = f32(panes.size.x) * f32(panes.size.y);
            let decibels = 10.0 / log(10.0) * (log(max(colour, vec3(1e-30))) - 2.0 * log(points));
            colour = 1.0 - decibels / panes.black_db;
        }
    }
    colour = clamp(colour, vec3(0.0), vec3(1.0));
    if (panes.target_encodes != 0u) {
        colour = decoded(colour);
    }
    return vec4(colour, 1.0);
}
