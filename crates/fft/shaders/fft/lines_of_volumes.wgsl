// Which points of a volume are a line. Of two axes across it, LINE_COUNT lines are neighbours along
// the first.

// x and, counted through all slices, which have so many rows each, y of the n-th point of a line.
fn place_of(line: u32, n: u32, slice_rows: u32) -> vec2<u32> {
    let first = line % LINE_COUNT;
    let second = line / LINE_COUNT;
    if (ROWS) {
        return vec2(n, second * slice_rows + first);
    }
    if (DEPTHS) {
        return vec2(first, n * slice_rows + second);
    }
    return vec2(first, second * slice_rows + n);
}
