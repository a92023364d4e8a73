//! Register-tiled Stockham of at most 32 points a butterfly, documented in `register_tiled`.

use super::register_tiled::register_tiled;

register_tiled!(StockhamR32, 32);
