//! The pages of the folder `docs/`, for readers of this documentation. They hold no code.

/// Declares a page. Its links come first, since the first of two definitions counts, and lead to items
/// in place of files.
macro_rules! page {
    ($name:ident) => {
        #[doc = "[commands]: crate::guide::commands"]
        #[doc = "[browser]: crate::guide::browser"]
        #[doc = "[measuring]: crate::guide::measuring"]
        #[doc = "[rendering]: crate::guide::rendering"]
        #[doc = "[frame]: crate::guide::frame"]
        #[doc = "[fft]: crate::guide::fft"]
        #[doc = "[embedding]: crate::guide::embedding"]
        #[doc = "[measurements]: crate::guide::measuring#the-stored-measurements"]
        #[doc = "[compared]: crate::guide::measuring#the-stored-measurements"]
        #[doc = "[figures]: crate::guide::measuring#published-figures"]
        #[doc = "[tables]: crate::guide::measuring#the-stored-measurements"]
        #[doc = ""]
        #[doc = include_str!(concat!("../docs/", stringify!($name), ".md"))]
        pub mod $name {}
    };
}

page!(commands);
page!(browser);
page!(measuring);
page!(rendering);
page!(frame);
page!(fft);
page!(embedding);
