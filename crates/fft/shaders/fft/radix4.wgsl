// The four-point transform (Mota 2022, figure 9).

// Its values: in and out in natural order.
struct Four {
    a: Element,
    b: Element,
    c: Element,
    d: Element,
}

fn butterfly(v: Four) -> Four {
    let apc = v.a + v.c;
    let amc = v.a - v.c;
    let bpd = v.b + v.d;
    let jbmd = SIGN * times_i(v.b - v.d);
    return Four(apc + bpd, amc + jbmd, apc - bpd, amc - jbmd);
}

// For the stage in radix 2 that finishes an odd power of two: its butterflies j and j + N/4.
fn two_butterflies(v: Four) -> Four {
    return Four(v.a + v.c, v.b + v.d, v.a - v.c, v.b - v.d);
}
