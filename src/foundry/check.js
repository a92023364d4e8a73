// Eight of the results by the definition, in double precision.
const [from, to] = [{ extent: $FROM, pitch: $FROM_PITCH, parts: $FROM_PARTS }, { extent: $TO, pitch: $TO_PITCH, parts: $TO_PARTS }];
const place = ({ extent, pitch, parts }, image, [x, y, z]) =>
    ((Math.floor(image / $PAIR) * extent[2] + z) * extent[1] + y) * pitch + ($PAIR * x + (image % $PAIR)) * parts;
const turn = (k, period) => [Math.cos, Math.sin].map((part) => part(($SIGN2 * Math.PI * (k % period)) / period));
const weight = (n, k, points, axis) => $WEIGHT;
function exact(values, image, k) {
    const [across, down, deep] = from.extent.map((count, axis) => Array.from({ length: count }, (_, n) =>
        [$AXES].includes(axis) ? weight(n, k[axis], [$POINTS][axis], axis) : [Number(n === k[axis]), 0]));
    const sum = [0, 0];
    deep.forEach(([c, d], z) => down.forEach(([e, f], y) => {
        const [re, im] = [c * e - d * f, c * f + d * e];
        if (re || im) across.forEach(([g, h], x) => {
            const [a, b] = [re * g - im * h, re * h + im * g];
            const at = place(from, image, [x, y, z]);
            const [p, q] = [values[at], from.parts > 1 ? values[at + 1] : 0];
            sum[0] += a * p - b * q;
            sum[1] += a * q + b * p;
        });
    }));
    return sum.slice(0, to.parts).map((part) => $SCALE * part);
}
let [wrong, whole] = [0, 0];
for (let trial = 0; trial < 8; trial++) {
    const [image, ...k] = [$BATCH, ...to.extent].map((count) => Math.floor(count * Math.random()));
    exact(input, image, k).forEach((part, at) => {
        wrong += (output[place(to, image, k) + at] - part) ** 2;
        whole += part ** 2;
    });
}
const error = Math.sqrt(wrong / whole);
console.log(`A relative error of ${error.toExponential(1)}, of at most $GATE: ${error <= $GATE ? "right" : "WRONG"}`);
