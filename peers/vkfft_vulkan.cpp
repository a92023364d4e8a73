// VkFFT over Vulkan. A sample is one command buffer of many transforms, between two timestamps; on a software
// adapter the processor's clock takes the time from submission to completion, as in Seaway.
// The device is the first one, or the first whose name contains WGPU_ADAPTER_NAME.
// Build: c++ -O2 -std=c++17 -DVKFFT_BACKEND=0 -I DIR/vkFFT -I /usr/include/glslang/Include \
//     peers/vkfft_vulkan.cpp -o vkfft_vulkan -lvulkan and glslang's libraries, as in scripts/peers
#include <vulkan/vulkan.h>

#include "vkfft.h"

struct Vulkan {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkFence fence;
    VkQueryPool stamps;
    bool has_timestamps;
};
static Vulkan vulkan;

static void open_device() {
    VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo instance = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    instance.pApplicationInfo = &application;
    PEER_CHECK(vkCreateInstance(&instance, nullptr, &vulkan.instance));
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    vkEnumeratePhysicalDevices(vulkan.instance, &count, devices);
    const char *wanted = getenv("WGPU_ADAPTER_NAME");
    for (uint32_t index = 0; index < count && !vulkan.physical; index++) {
        vkGetPhysicalDeviceProperties(devices[index], &vulkan.properties);
        if (!wanted || strstr(vulkan.properties.deviceName, wanted)) vulkan.physical = devices[index];
    }
    if (!vulkan.physical) peer_fail("finding a Vulkan device", (long)count);
    vkGetPhysicalDeviceMemoryProperties(vulkan.physical, &vulkan.memory);

    VkQueueFamilyProperties families[16];
    uint32_t family_count = 16, family = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(vulkan.physical, &family_count, families);
    while (family < family_count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) family++;
    if (family == family_count) peer_fail("finding a queue for compute", (long)family_count);
    vulkan.has_timestamps = families[family].timestampValidBits > 0 &&
                            vulkan.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo device = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    device.queueCreateInfoCount = 1;
    device.pQueueCreateInfos = &queue;
    PEER_CHECK(vkCreateDevice(vulkan.physical, &device, nullptr, &vulkan.device));
    vkGetDeviceQueue(vulkan.device, family, 0, &vulkan.queue);
    VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = family;
    PEER_CHECK(vkCreateCommandPool(vulkan.device, &pool, nullptr, &vulkan.pool));
    VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    PEER_CHECK(vkCreateFence(vulkan.device, &fence, nullptr, &vulkan.fence));
    VkQueryPoolCreateInfo stamps = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    stamps.queryType = VK_QUERY_TYPE_TIMESTAMP;
    stamps.queryCount = 2;
    PEER_CHECK(vkCreateQueryPool(vulkan.device, &stamps, nullptr, &vulkan.stamps));
}

struct Buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
};

static Buffer allocate(VkDeviceSize bytes, VkMemoryPropertyFlags flags) {
    Buffer made = {};
    VkBufferCreateInfo buffer = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    buffer.size = bytes;
    buffer.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                   VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    PEER_CHECK(vkCreateBuffer(vulkan.device, &buffer, nullptr, &made.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(vulkan.device, made.buffer, &needs);
    VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    memory.allocationSize = needs.size;
    for (uint32_t type = vulkan.memory.memoryTypeCount; type-- > 0;)
        if (needs.memoryTypeBits >> type & 1 && (vulkan.memory.memoryTypes[type].propertyFlags & flags) == flags)
            memory.memoryTypeIndex = type;
    PEER_CHECK(vkAllocateMemory(vulkan.device, &memory, nullptr, &made.memory));
    PEER_CHECK(vkBindBufferMemory(vulkan.device, made.buffer, made.memory, 0));
    return made;
}

static void release(Buffer buffer) {
    vkDestroyBuffer(vulkan.device, buffer.buffer, nullptr);
    vkFreeMemory(vulkan.device, buffer.memory, nullptr);
}

static VkCommandBuffer begin() {
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = vulkan.pool;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands;
    PEER_CHECK(vkAllocateCommandBuffers(vulkan.device, &allocate, &commands));
    VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    PEER_CHECK(vkBeginCommandBuffer(commands, &info));
    return commands;
}

// Runs the commands to their end and returns the processor's microseconds.
static double submit(VkCommandBuffer commands) {
    double start_us = peer_now_us();
    VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    PEER_CHECK(vkQueueSubmit(vulkan.queue, 1, &info, vulkan.fence));
    PEER_CHECK(vkWaitForFences(vulkan.device, 1, &vulkan.fence, VK_TRUE, UINT64_MAX));
    PEER_CHECK(vkResetFences(vulkan.device, 1, &vulkan.fence));
    return peer_now_us() - start_us;
}

static void copy(VkBuffer from, VkBuffer to, VkDeviceSize bytes) {
    VkCommandBuffer commands = begin();
    VkBufferCopy region = {0, 0, bytes};
    vkCmdCopyBuffer(commands, from, to, 1, &region);
    PEER_CHECK(vkEndCommandBuffer(commands));
    submit(commands);
    vkFreeCommandBuffers(vulkan.device, vulkan.pool, 1, &commands);
}

struct Transform {
    VkFFTApplication application;
    VkFFTLaunchParams launch;
    int direction;
    VkCommandBuffer commands;
    int repetitions; // in the commands
};

static double work(void *context, int repetitions) {
    Transform *fft = static_cast<Transform *>(context);
    if (fft->repetitions != repetitions) {
        if (fft->commands) vkFreeCommandBuffers(vulkan.device, vulkan.pool, 1, &fft->commands);
        fft->commands = begin();
        fft->repetitions = repetitions;
        fft->launch.commandBuffer = &fft->commands;
        if (vulkan.has_timestamps) {
            vkCmdResetQueryPool(fft->commands, vulkan.stamps, 0, 2);
            vkCmdWriteTimestamp(fft->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, vulkan.stamps, 0);
        }
        for (int repetition = 0; repetition < repetitions; repetition++)
            PEER_CHECK(VkFFTAppend(&fft->application, fft->direction, &fft->launch));
        if (vulkan.has_timestamps)
            vkCmdWriteTimestamp(fft->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, vulkan.stamps, 1);
        PEER_CHECK(vkEndCommandBuffer(fft->commands));
    }
    double wall_us = submit(fft->commands);
    if (!vulkan.has_timestamps) return wall_us;
    uint64_t ticks[2];
    PEER_CHECK(vkGetQueryPoolResults(vulkan.device, vulkan.stamps, 0, 2, sizeof ticks, ticks, sizeof(uint64_t),
                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    return (ticks[1] - ticks[0]) * (double)vulkan.properties.limits.timestampPeriod * 1e-3;
}

static void measure(const peer_task *task, peer_times *times) {
    uint64_t bytes = peer_floats(task) * sizeof(float);
    if (bytes > vulkan.properties.limits.maxStorageBufferRange) {
        snprintf(times->skipped, sizeof times->skipped, "a batch of %llu bytes is more than the device binds",
                 (unsigned long long)bytes);
        return;
    }
    if (task->streaming) {
        snprintf(times->skipped, sizeof times->skipped, "a plan of VkFFT over Vulkan binds its buffers once");
        return;
    }
    Buffer host = allocate(bytes, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    Buffer input = allocate(bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), output = input;
    if (!task->in_place) output = allocate(bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    void *images;
    PEER_CHECK(vkMapMemory(vulkan.device, host.memory, 0, VK_WHOLE_SIZE, 0, &images));
    peer_noise(task, static_cast<float *>(images));
    copy(host.buffer, input.buffer, bytes);

    Transform fft = {};
    fft.direction = task->inverse ? 1 : -1;
    VkFFTConfiguration configuration = vkfft_configuration(task);
    configuration.physicalDevice = &vulkan.physical;
    configuration.device = &vulkan.device;
    configuration.queue = &vulkan.queue;
    configuration.commandPool = &vulkan.pool;
    configuration.fence = &vulkan.fence;
    configuration.buffer = &output.buffer;
    configuration.bufferSize = &bytes;
    fft.launch.buffer = &output.buffer;
    if (!task->in_place) vkfft_separate(task, &configuration, &fft.launch, &input.buffer, &bytes);
    VkFFTResult planned = initializeVkFFT(&fft.application, configuration);
    if (planned != VKFFT_SUCCESS) {
        snprintf(times->skipped, sizeof times->skipped, "VkFFT cannot plan it (error %d)", (int)planned);
    } else {
        work(&fft, 1);
        copy(output.buffer, host.buffer, bytes);
        peer_keep(task, times, static_cast<float *>(images));
        peer_measure(times, vulkan.has_timestamps ? "gpu_timestamps" : "wall", work, &fft);
        vkFreeCommandBuffers(vulkan.device, vulkan.pool, 1, &fft.commands);
        deleteVkFFT(&fft.application);
    }
    vkUnmapMemory(vulkan.device, host.memory);
    release(host);
    release(input);
    if (!task->in_place) release(output);
}

int main(int argc, char **argv) {
    open_device();
    return peer_main(argc, argv, "vkfft_vulkan", vkfft_version(), vulkan.properties.deviceName, measure);
}
