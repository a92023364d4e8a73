//! Register-tiled Stockham of at most 32 points a butterfly; `register_tiled` says all about it.

use super::register_tiled::register_tiled;

register_tiled!(StockhamR32, 32);
