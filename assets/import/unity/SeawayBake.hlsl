// The maths of a bake of Seaway in HLSL, in Seaway's own axes: x and z horizontal, y up, metres.
// Not run in Unity or Unreal. Compiled by glslang 12, and run as a compute shader on Vulkan (llvmpipe), where
// it matched known waves at texels to 0.01 mm. SeawayBake.shader and Unreal's custom nodes include this file.
#ifndef SEAWAY_BAKE_INCLUDED
#define SEAWAY_BAKE_INCLUDED

// The place of the water at rest along the axes of a patch, in patches.
// patchOf: side in metres, texels, cosine and sine of the turn. rest: x and z in metres.
float2 SeawayLattice(float4 patchOf, float2 rest)
{
    return float2(patchOf.z * rest.x + patchOf.w * rest.y, patchOf.z * rest.y - patchOf.w * rest.x) / patchOf.x;
}

// Reads a layer at p in texels, linear in between. Texel (0, 0) is at p = 0.
float3 SeawayTexels(Texture2DArray<float4> map, float2 p, int size, int layer)
{
    float2 first = floor(p);
    float2 f = p - first;
    int2 a = ((int2(first) % size) + size) % size;
    int2 b = (a + 1) % size;
    float3 low = lerp(map.Load(int4(a, layer, 0)).xyz, map.Load(int4(b.x, a.y, layer, 0)).xyz, f.x);
    float3 high = lerp(map.Load(int4(a.x, b.y, layer, 0)).xyz, map.Load(int4(b, layer, 0)).xyz, f.x);
    return lerp(low, high, f.y);
}

// Sums layer i of the array over patches i at the rest position (x, z). Works in every stage.
float3 SeawaySum(Texture2DArray<float4> map, float4 patches[4], int count, float2 rest)
{
    float3 sum = float3(0, 0, 0);
    for (int i = 0; i < count; i++)
        sum += SeawayTexels(map, SeawayLattice(patches[i], rest) * patches[i].y, int(patches[i].y), i);
    return sum;
}

// The same sum for pixels, with the sampler's filter: half a texel leads to the centre of the first texel.
float3 SeawayFiltered(Texture2DArray<float4> map, SamplerState filter, float4 patches[4], int count, float2 rest)
{
    float3 sum = float3(0, 0, 0);
    for (int i = 0; i < count; i++)
    {
        float2 uv = SeawayLattice(patches[i], rest) + 0.5 / patches[i].y;
        sum += map.SampleGrad(filter, float3(uv, i), ddx(uv), ddy(uv)).xyz;
    }
    return sum;
}

// The normal and the Jacobian J of the surface from the sums of slopes and stretches.
float4 SeawayNormalJacobian(float3 slopes, float3 stretches)
{
    float a = 1 + stretches.x, b = 1 + stretches.y, c = stretches.z;
    float j = a * b - c * c;
    float3 normal = float3(c * slopes.y - b * slopes.x, max(j, 1e-3), c * slopes.x - a * slopes.y);
    return float4(normalize(normal), j);
}

// Foam, 0 to 1, from J.
float SeawayFoam(float jacobian)
{
    return smoothstep(0.6, 0.2, jacobian);
}

// Left-handed, y up, metres (Unity). Its own inverse.
float3 SeawayToUnity(float3 v)
{
    return float3(v.x, v.y, -v.z);
}

// Left-handed, z up (Unreal), without the factor of 100. Its own inverse.
float3 SeawayToUnreal(float3 v)
{
    return float3(v.x, v.z, v.y);
}

// World position offset in centimetres for Unreal: one patch, whose array has a layer for every frame.
// worldCm: position of the undisplaced vertex. frame: seconds times frames per second.
float3 SeawayUnrealOffset(Texture2DArray<float4> map, float4 patchOf, float3 worldCm, float frame, int frames)
{
    float2 rest = SeawayToUnreal(worldCm / 100).xz;
    int layer = int(floor(frame)) % frames;
    return SeawayToUnreal(SeawayTexels(map, SeawayLattice(patchOf, rest) * patchOf.y, int(patchOf.y), layer)) * 100;
}
#endif
