// Products in GF(2^m) by tables: a b = x^(log a + log b).

fn times(a: u32, b: u32) -> u32 {
    let product = tables[POWERS + tables[LOGS + a] + tables[LOGS + b]];
    return select(product, 0u, a == 0u || b == 0u);
}
