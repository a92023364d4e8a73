// One launch an axis: WIDTH / POINTS or HEIGHT / POINTS threads a block.

extern "C" __global__ void __launch_bounds__(WIDTH / POINTS)
    along_rows(Images from, Images to) {
    transform<WIDTH, true>(from, to);
}

#ifdef COLUMNS
extern "C" __global__ void __launch_bounds__(HEIGHT / POINTS)
    along_columns(Images from, Images to) {
    transform<HEIGHT, false>(from, to);
}
#endif
