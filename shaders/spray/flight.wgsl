// The flight of drops.

// The displacement of drops after `seconds`: their velocity decays to that of the wind, plus their sinking
// speed, as e^(-t / response), by a drag in proportion to the speed (Stokes).
fn spray_flight(velocity: vec3<f32>, wind: vec3<f32>, response_s: f32, seconds: f32) -> vec3<f32> {
    return wind * seconds + (velocity - wind) * (response_s * (1.0 - exp(-seconds / response_s)));
}
