// An image between its row pass and its column pass, where nobody else looks: in tiles of as many
// columns as a workgroup of the column pass transforms, and of more rows than one of the row pass
// does. A tile is contiguous: what a workgroup of the column pass reads lies in pieces of whole cache
// lines, and few of them, and what neighbouring workgroups of the row pass write at a time, side by
// side. In row-major order the column pass would touch a few elements of every row.

// Place of (x, y) in a layer. Its tile begins at ((y / TILE_ROWS) (WIDTH / TILE_COLUMNS) + x / TILE_COLUMNS)
// TILE_ROWS TILE_COLUMNS. In the tile it is number (y mod TILE_ROWS) TILE_COLUMNS + x mod TILE_COLUMNS. In the form
// below, a constant step along a line that is a multiple of a tile's side only adds a constant, which compilers find.
fn in_tiles(y: u32, x: u32) -> u32 {
    var row = y * TILE_COLUMNS;
    if (TILE_ROWS < HEIGHT) {
        row = y * WIDTH - (y % TILE_ROWS) * (WIDTH - TILE_COLUMNS);
    }
    return row + x * TILE_ROWS - (x % TILE_COLUMNS) * (TILE_ROWS - 1u);
}
