// An image between its row pass and its column pass, where nobody else looks: in tiles of as many
// rows as a workgroup of the row pass transforms, and as many columns as one of the column pass
// does. A tile is contiguous, so both passes touch whole cache lines. In row-major order the column
// pass would touch a few elements of every row.

// Place of (x, y) in a layer.
fn in_tiles(y: u32, x: u32) -> u32 {
    let tile = y / TILE_ROWS * (WIDTH / TILE_COLUMNS) + x / TILE_COLUMNS;
    return (tile * TILE_ROWS + y % TILE_ROWS) * TILE_COLUMNS + x % TILE_COLUMNS;
}
