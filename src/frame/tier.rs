use crate::settings::QualityTier;

/// Returns the tier that suits an adapter: the window and `seaway profile` start with it. A browser does
/// not report the kind of an adapter, and its name is mostly the maker and a family.
///
/// ```no_run
/// # fn f(adapter: &wgpu::Adapter) {
/// use seaway::frame::automatic_tier;
/// use seaway::settings::Quality;
///
/// let quality = Quality::of(automatic_tier(&adapter.get_info()));
/// # }
/// ```
pub fn automatic_tier(adapter: &wgpu::AdapterInfo) -> QualityTier {
    const OF_PHONES: [&str; 6] =
        ["qualcomm", "arm", "img-tec", "imagination", "samsung", "broadcom"];
    let maker = adapter.name.split_whitespace().next().unwrap_or_default().to_lowercase();
    match adapter.device_type {
        wgpu::DeviceType::Cpu => QualityTier::Low,
        wgpu::DeviceType::IntegratedGpu | wgpu::DeviceType::VirtualGpu => QualityTier::Medium,
        wgpu::DeviceType::DiscreteGpu => QualityTier::High,
        wgpu::DeviceType::Other if OF_PHONES.contains(&maker.as_str()) => QualityTier::Low,
        wgpu::DeviceType::Other if maker == "nvidia" => QualityTier::High,
        wgpu::DeviceType::Other => QualityTier::Medium,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_s_adapter_is_known_by_its_maker() {
        let tier = |device_type, name: &str| {
            let adapter = wgpu::AdapterInfo::new(device_type, wgpu::Backend::BrowserWebGpu);
            automatic_tier(&wgpu::AdapterInfo { name: name.to_owned(), ..adapter })
        };
        for (name, expected) in [
            ("nvidia ampere", QualityTier::High),
            ("amd rdna-3", QualityTier::Medium),
            ("apple metal-3", QualityTier::Medium),
            ("Intel gen-12lp", QualityTier::Medium),
            ("qualcomm adreno-7xx", QualityTier::Low),
            ("arm valhall", QualityTier::Low),
            ("", QualityTier::Medium),
        ] {
            assert_eq!(tier(wgpu::DeviceType::Other, name), expected, "{name}");
        }
        assert_eq!(tier(wgpu::DeviceType::Cpu, "nvidia"), QualityTier::Low);
    }
}
