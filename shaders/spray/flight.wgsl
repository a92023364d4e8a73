// How drops fly.

// Where drops are after `seconds`, from where they left: their velocity comes down to that of the wind, with
// the speed at which they sink, as e^(-t / response): drag in proportion to the speed (Stokes).
fn spray_flight(velocity: vec3<f32>, wind: vec3<f32>, response_s: f32, seconds: f32) -> vec3<f32> {
    return wind * seconds + (velocity - wind) * (response_s * (1.0 - exp(-seconds / response_s)));
}
