// An image between its row pass and its column pass, where nobody else looks: in tiles of as many
// columns as a workgroup of the column pass transforms, and of more rows than one of the row pass
// does. A tile is contiguous: what a workgroup of the column pass reads lies in pieces of whole cache
// lines, and few of them, and what neighbouring workgroups of the row pass write at a time, side by
// side. In row-major order the column pass would touch a few elements of every row.

// Place of (x, y) in a layer.
fn in_tiles(y: u32, x: u32) -> u32 {
    let tile = y / TILE_ROWS * (WIDTH / TILE_COLUMNS) + x / TILE_COLUMNS;
    return (tile * TILE_ROWS + y % TILE_ROWS) * TILE_COLUMNS + x % TILE_COLUMNS;
}
