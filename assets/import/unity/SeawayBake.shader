// Water from a bake of Seaway for Unity's Universal Render Pipeline. Not run in Unity: compiled only by glslang
// 12, with stubs for URP's functions. SeawayBake.cs sets the textures and patches.
// Unity is left-handed with y up, so Seaway's (x, y, z) is Unity's (x, y, -z).
Shader "Seaway/Bake"
{
    Properties
    {
        _WaterColor ("Water", Color) = (0.01, 0.06, 0.08, 1)
        _SkyColor ("Sky at the horizon", Color) = (0.62, 0.72, 0.8, 1)
    }
    SubShader
    {
        Tags { "RenderPipeline" = "UniversalPipeline" "RenderType" = "Opaque" }
        Pass
        {
            Tags { "LightMode" = "UniversalForward" }
            Cull Off
            HLSLPROGRAM
            #pragma target 4.5
            #pragma vertex Vertex
            #pragma fragment Fragment
            #include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
            #include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Lighting.hlsl"
            #include "SeawayBake.hlsl"

            Texture2DArray<float4> _SeaDisplacement, _SeaFirst, _SeaSecond; // normal, foam or slopes, stretches
            SamplerState sampler_SeaFirst;
            float4 _SeaPatches[4];
            int _SeaCount, _SeaCombined;
            float4 _WaterColor, _SkyColor;

            struct Varyings
            {
                float4 clip : SV_POSITION;
                float3 world : TEXCOORD0;
                float2 rest : TEXCOORD1; // in Seaway's axes
            };

            Varyings Vertex(float4 position : POSITION)
            {
                Varyings v;
                float3 world = TransformObjectToWorld(position.xyz);
                v.rest = SeawayToUnity(world).xz;
                v.world = world + SeawayToUnity(SeawaySum(_SeaDisplacement, _SeaPatches, _SeaCount, v.rest));
                v.clip = TransformWorldToHClip(v.world);
                return v;
            }

            float4 Fragment(Varyings v) : SV_Target
            {
                float3 first = SeawayFiltered(_SeaFirst, sampler_SeaFirst, _SeaPatches, _SeaCount, v.rest);
                float3 second = SeawayFiltered(_SeaSecond, sampler_SeaFirst, _SeaPatches, _SeaCount, v.rest);
                float4 surface = SeawayNormalJacobian(first, second);
                float foam = _SeaCombined ? saturate(second.x) : SeawayFoam(surface.w);
                float3 normal = SeawayToUnity(_SeaCombined ? normalize(first) : surface.xyz);
                float3 view = normalize(_WorldSpaceCameraPos - v.world);
                Light sun = GetMainLight();
                float fresnel = 0.02 + 0.98 * pow(1 - saturate(dot(normal, view)), 5);
                float glint = pow(saturate(dot(normal, normalize(view + sun.direction))), 400) * 8;
                float3 water = lerp(_WaterColor.rgb, _SkyColor.rgb, fresnel) + fresnel * glint * sun.color;
                float3 white = 0.8 * (saturate(dot(normal, sun.direction)) * sun.color + 0.3 * _SkyColor.rgb);
                return float4(lerp(water, white, foam), 1);
            }
            ENDHLSL
        }
    }
}
