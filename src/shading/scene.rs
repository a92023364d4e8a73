//! The bindings of passes over the scene, by name.

use super::Sky;
use crate::gpu::Constants;
use crate::gpu::bindings::{Group, Layout};
use crate::maps::Maps;
use crate::mesh::Mesh;

/// The bind groups that all passes over the scene share, and the constants of their shaders: groups 0 to
/// 2 of the table in [`shading`](crate::shading). A pass has its own bindings in group 3.
#[derive(Clone, Copy, Debug)]
pub struct SceneBindings<'a> {
    /// The view and the grid.
    pub view: &'a Group,
    /// The sea's maps; none in a scene without a sea.
    pub maps: Option<&'a Group>,
    /// The sky, the clouds and the exposure.
    pub sky: &'a Group,
    /// The frames of the images of objects, alone.
    pub(super) objects: &'a Group,
    constants: [(&'static str, f64); 3],
}

impl<'a> SceneBindings<'a> {
    /// The bindings of a frame.
    pub fn new(mesh: &'a Mesh, maps: &'a Maps, sky: &'a Sky) -> Self {
        let ([cubic, blended], [clouded]) = (maps.constants(), sky.constants());
        Self {
            view: mesh.group(),
            maps: Some(maps.group()),
            sky: sky.group(),
            objects: sky.object_frames(),
            constants: [cubic, blended, clouded],
        }
    }

    /// The bindings of a scene of nothing but sky, whose `view` has the view uniform at binding 0
    /// (`mesh/view.wgsl`).
    #[cfg(test)]
    pub(super) fn of_sky(view: &'a Group, sky: &'a Sky) -> Self {
        let [clouded] = sky.constants();
        let (sky, objects) = (sky.group(), sky.object_frames());
        Self { view, maps: None, sky, objects, constants: [clouded; 3] }
    }

    /// Returns whether the sky may have clouds.
    pub(super) fn is_clouded(&self) -> bool {
        self.constants[2].1 != 0.0
    }

    /// The layouts of a pipeline whose pass also binds `own`.
    pub fn layouts(&self, own: Option<&Layout>) -> Vec<Option<Layout>> {
        let maps = self.maps.map(|maps| maps.layout.clone());
        let shared = [Some(self.view.layout.clone()), maps, Some(self.sky.layout.clone())];
        shared.into_iter().chain(own.map(|own| Some(own.clone()))).collect()
    }

    /// The same bindings with another group 0, which begins with the view and the grid.
    pub(crate) fn with_view(self, view: &'a Group) -> Self {
        Self { view, ..self }
    }

    /// The same bindings with another group 2 of the same layout, and the groups of such a pass.
    pub(crate) fn groups_under(
        &self,
        sky: &'a wgpu::BindGroup,
        own: Option<&'a wgpu::BindGroup>,
    ) -> [Option<&'a wgpu::BindGroup>; 4] {
        let [view, maps, _, own] = self.groups(own);
        [view, maps, Some(sky), own]
    }

    /// The groups of such a pass. All are bound, even where a shader does not use them: bound groups
    /// stay bound only between pipelines whose layouts agree in all groups up to them.
    pub fn groups(&self, own: Option<&'a wgpu::BindGroup>) -> [Option<&'a wgpu::BindGroup>; 4] {
        let maps = self.maps.map(|maps| &maps.bind_group);
        [Some(&self.view.bind_group), maps, Some(&self.sky.bind_group), own]
    }

    /// The constants of shaders that sample maps or sky, followed by `more`.
    pub fn constants(&self, more: &[(&'static str, f64)]) -> Constants {
        [&self.constants, more].concat()
    }
}
