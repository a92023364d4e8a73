// $TITLE, by seaway $VERSION (MIT or Apache-2.0).
// Paste it into a <script type="module"> or the console of a page that comes by https or from this computer.
const kernels = [$KERNELS
];
const dispatches = [$DISPATCHES
];
const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
if (!adapter) throw new Error("This page has no WebGPU adapter.");
const device = await adapter.requestDevice({ requiredFeatures: [$FEATURES], requiredLimits: { $LIMITS } });
const STORAGE = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
const memory = (size, usage = STORAGE) => device.createBuffer({ size, usage });
function filled(values, usage = STORAGE) {
    const buffer = memory(values.byteLength, usage);
    device.queue.writeBuffer(buffer, 0, values);
    return buffer;
}
$HELPERSconst buffers = { $BUFFERS };
const params = (words) => filled(Uint32Array.from(words), GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
const layouts = kernels.map(({ groups }) => groups.map((bindings) => device.createBindGroupLayout({
    entries: bindings.map(([binding, type]) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
})));
const pipelines = await Promise.all(kernels.map(({ code, entryPoint }, kernel) => device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: layouts[kernel] }),
    compute: { module: device.createShaderModule({ code }), entryPoint },
})));
const steps = dispatches.map(({ kernel, workgroups, bind }) => ({ kernel, workgroups, groups: bind.map((names, group) => device.createBindGroup({
    layout: layouts[kernel][group],
    entries: names.map((name, at) => ({
        binding: kernels[kernel].groups[group][at][0],
        resource: { buffer: buffers[name] ?? params(name) },
    })),
})) }));
async function transform(values) {
    for (const name of [$SOURCES]) device.queue.writeBuffer(buffers[name], 0, values);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const { kernel, workgroups, groups } of steps) {
        pass.setPipeline(pipelines[kernel]);
        groups.forEach((group, number) => pass.setBindGroup(number, group));
        pass.dispatchWorkgroups(...workgroups);
    }
    pass.end();
    const read = memory(buffers.$RESULT.size, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    encoder.copyBufferToBuffer(buffers.$RESULT, 0, read, 0, read.size);
    device.queue.submit([encoder.finish()]);
    await read.mapAsync(GPUMapMode.READ);
    return new $OUT(read.getMappedRange());
}
const input = $IN.from({ length: $COUNT }, () => 2 * Math.random() - 1);
const output = await transform(input);
