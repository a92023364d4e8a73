// Figures of rows of `seaway bench`, with no digit that is finer than the clock, and files of them.

/** Formats `value`, which is accurate to `known`, down to that power of ten. */
export function figure(value, known) {
    const power = Math.max(-6, Math.floor(Math.log10(known) + 1e-9));
    return (Math.round(value / 10 ** power) * 10 ** power).toFixed(Math.max(0, -power));
}

/** The accuracy of a row's times in microseconds: the clock times `repetitions` transforms together. */
const known = (row) => row.clock_step_us / row.repetitions;

/** Formats microseconds to their accuracy, with at most four digits. */
export const microseconds = (us, row) => figure(us, Math.max(known(row), us / 1000, 1e-3));

/** Formats a value computed from `times` times that are as accurate as the row's median, no finer than that. */
export const derived = (value, row, times = 1) =>
    figure(value, value * Math.max((times * known(row)) / row.median_us, 1e-3));

/** Saves `text` as a file of the visitor. */
export function save(name, text, type) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    anchor.click();
    // Browsers read what they save after the click, Safari seconds after it.
    setTimeout(() => URL.revokeObjectURL(url), 40_000);
}
