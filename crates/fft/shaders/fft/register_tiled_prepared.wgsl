// For register-tiled kernels that transform layers in turn, from what a load hook prepared once for
// `group` of them.

fn prepare_value(group: u32, place: Place, m: u32) -> Prepared {
    let at = value_at(place, m);
    return prepare(group, at.y, at.x);
}

fn load_prepared_value(prepared: Prepared, layer: u32, place: Place, m: u32) -> Element {
    let at = value_at(place, m);
    return load_prepared(prepared, layer, at.y, at.x);
}
