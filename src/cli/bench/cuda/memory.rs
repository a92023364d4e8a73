use std::sync::Arc;

use anyhow::Context as _;
use cudarc::driver::{self, CudaContext, sys};

pub struct Memory {
    pub address: sys::CUdeviceptr,
    context: Arc<CudaContext>,
}

impl Memory {
    /// Memory that must be filled, or written on the device, before it is read.
    pub fn new(context: &Arc<CudaContext>, bytes: u64) -> anyhow::Result<Self> {
        // SAFETY: the context is current; its contents are not read before they are written.
        let address = unsafe { driver::result::malloc_sync(usize::try_from(bytes)?) }
            .with_context(|| format!("CUDA could not allocate {bytes} bytes"))?;
        Ok(Self { address, context: context.clone() })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`, freed once; cuMemFree waits for the work that uses it.
        let freed = unsafe { driver::result::free_sync(self.address) };
        // Reported by the next call that can.
        self.context.record_err(freed);
    }
}

/// Complex numbers of 32-bit floats, behind a surface object.
pub struct Surface {
    pub object: sys::CUsurfObject,
    array: sys::CUarray,
    row_bytes: usize,
    context: Arc<CudaContext>,
}

impl Surface {
    /// Allocates rows of `width` numbers each.
    pub fn new(context: &Arc<CudaContext>, width: usize, height: usize) -> anyhow::Result<Self> {
        let descriptor = sys::CUDA_ARRAY3D_DESCRIPTOR {
            Width: width,
            Height: height,
            Depth: 0,
            Format: sys::CUarray_format::CU_AD_FORMAT_FLOAT,
            NumChannels: 2,
            Flags: sys::CUDA_ARRAY3D_SURFACE_LDST,
        };
        let mut array = std::ptr::null_mut();
        // SAFETY: both point to what they should; the context is current.
        unsafe { sys::cuArray3DCreate_v2(&mut array, &descriptor) }.result().with_context(
            || format!("CUDA could not allocate an array of {width} x {height} numbers"),
        )?;
        // From here on, dropping the value destroys its parts.
        let (context, row_bytes) = (context.clone(), width * size_of::<[f32; 2]>());
        let mut surface = Self { object: 0, array, row_bytes, context };
        // SAFETY: all zero is a description without flags, of which the array is set.
        let mut resource: sys::CUDA_RESOURCE_DESC = unsafe { std::mem::zeroed() };
        resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        // SAFETY: as above.
        unsafe { sys::cuSurfObjectCreate(&mut surface.object, &resource) }
            .result()
            .context("CUDA could not create a surface object")?;
        Ok(surface)
    }

    /// Writes whole rows, beginning with row `first`.
    pub fn upload(&self, first: usize, bytes: &[u8]) -> anyhow::Result<()> {
        let copy = sys::CUDA_MEMCPY2D {
            srcHost: bytes.as_ptr().cast(),
            dstArray: self.array,
            dstY: first,
            ..self.copy(
                sys::CUmemorytype::CU_MEMORYTYPE_HOST,
                sys::CUmemorytype::CU_MEMORYTYPE_ARRAY,
                bytes.len(),
            )
        };
        // SAFETY: `bytes` hold the rows; CUDA checks the array's side.
        unsafe { sys::cuMemcpy2D_v2(&copy) }.result().context("CUDA could not upload the images")
    }

    /// Reads whole rows, beginning with row `first`.
    pub fn download(&self, first: usize, bytes: &mut [u8]) -> anyhow::Result<()> {
        let copy = sys::CUDA_MEMCPY2D {
            srcArray: self.array,
            srcY: first,
            dstHost: bytes.as_mut_ptr().cast(),
            ..self.copy(
                sys::CUmemorytype::CU_MEMORYTYPE_ARRAY,
                sys::CUmemorytype::CU_MEMORYTYPE_HOST,
                bytes.len(),
            )
        };
        // SAFETY: as in `upload`.
        unsafe { sys::cuMemcpy2D_v2(&copy) }.result().context("CUDA could not read the result back")
    }

    /// Copies `bytes`, which are packed on the host, between the places that the caller names.
    fn copy(
        &self,
        from: sys::CUmemorytype,
        to: sys::CUmemorytype,
        bytes: usize,
    ) -> sys::CUDA_MEMCPY2D {
        sys::CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: from,
            srcHost: std::ptr::null(),
            srcDevice: 0,
            srcArray: std::ptr::null_mut(),
            srcPitch: self.row_bytes,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: to,
            dstHost: std::ptr::null_mut(),
            dstDevice: 0,
            dstArray: std::ptr::null_mut(),
            dstPitch: self.row_bytes,
            WidthInBytes: self.row_bytes,
            Height: bytes / self.row_bytes,
        }
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: made once, destroyed once, the view before what it shows.
        unsafe {
            if self.object != 0 {
                self.context.record_err(sys::cuSurfObjectDestroy(self.object).result());
            }
            self.context.record_err(sys::cuArrayDestroy(self.array).result());
        }
    }
}
