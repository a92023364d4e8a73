//! The pages of the folder `docs/`, for readers of this documentation. They hold no code.

/// Declares a page: its links come first, since the first of two definitions counts, and lead here and not to
/// a file.
macro_rules! page {
    ($name:ident) => {
        #[doc = "[commands]: super::commands"]
        #[doc = "[browser]: super::browser"]
        #[doc = "[measuring]: super::measuring"]
        #[doc = "[rendering]: super::rendering"]
        #[doc = "[frame]: super::frame"]
        #[doc = "[fft]: super::fft"]
        #[doc = "[embedding]: super::embedding"]
        #[doc = "[measurements]: super::measuring#the-stored-measurements"]
        #[doc = "[compared]: super::measuring#the-stored-measurements"]
        #[doc = "[figures]: super::measuring#published-figures"]
        #[doc = "[step]: super::measuring#the-stored-measurements"]
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
