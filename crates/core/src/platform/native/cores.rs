use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `work` for each number below `count`, on half of the cores. Meanwhile this thread repeats
/// `meanwhile`.
pub fn side_by_side(count: usize, work: impl Fn(usize) + Sync, meanwhile: impl Fn()) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (cores / 2).clamp(1, 8).min(count);
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            work(number);
        }
        finished.fetch_add(1, Ordering::Release);
    };
    std::thread::scope(|scope| {
        let mut running = 0;
        for _ in 0..threads {
            running += usize::from(std::thread::Builder::new().spawn_scoped(scope, work).is_ok());
        }
        if running == 0 {
            // Without another thread this one does all work.
            work();
        }
        while finished.load(Ordering::Acquire) < running {
            meanwhile();
        }
    });
}
