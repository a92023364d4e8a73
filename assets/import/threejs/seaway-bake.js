// Shows a bake of Seaway in three.js: `load` returns an animated sea to add to a scene.
//
// Tested with three 0.187.0 in headless Chromium 156: the vertices were read back and compared with NumPy.
//
//   import { load } from './seaway-bake.js';
//   const sea = await load('path/to/bake', { tiles: 5 });
//   scene.add(sea.mesh);               // every frame: sea.update(seconds)
//
// Axes are the same in both programs: x and z horizontal, y up, metres. Bake with --format exr or npy;
// browsers reduce 16-bit PNG to 8 bits. All frames stay in memory: for the web, bake few texels and frames.
// Positions are exact at texels and linear between them; normals and foam are computed for every pixel.
import * as THREE from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';

// Sums the patches at a place of the water at rest. `when` holds the first layer of this frame, the first
// layer of the next frame, and how far time has passed between them.
export const glsl = (count) => /* glsl */ `
precision highp sampler2DArray;
uniform sampler2DArray seaDisplacement, seaFirst, seaSecond; // normal, foam or slopes, stretches
uniform vec4 seaPatches[${count}]; // side in metres, texels, cosine and sine of the turn
uniform vec3 seaWhen;
vec2 seaLattice(vec4 patch_, vec2 rest) { // in patches
  return vec2(dot(patch_.zw, rest), dot(vec2(-patch_.w, patch_.z), rest)) / patch_.x;
}
vec3 seaTexels(vec2 p, int n, int layer) { // linear between texels; texel (0, 0) is at p = 0
  ivec2 a = (ivec2(floor(p)) % n + n) % n, b = (a + 1) % n;
  vec2 f = fract(p);
  return mix(
    mix(texelFetch(seaDisplacement, ivec3(a, layer), 0).xyz, texelFetch(seaDisplacement, ivec3(b.x, a.y, layer), 0).xyz, f.x),
    mix(texelFetch(seaDisplacement, ivec3(a.x, b.y, layer), 0).xyz, texelFetch(seaDisplacement, ivec3(b, layer), 0).xyz, f.x), f.y);
}
vec3 seaMoved(vec2 rest) {
  vec3 sum = vec3(rest.x, 0.0, rest.y);
  for (int i = 0; i < ${count}; i++) {
    vec2 p = seaLattice(seaPatches[i], rest) * seaPatches[i].y;
    int n = int(seaPatches[i].y);
    sum += mix(seaTexels(p, n, int(seaWhen.x) + i), seaTexels(p, n, int(seaWhen.y) + i), seaWhen.z);
  }
  return sum;
}
vec3 seaSum(sampler2DArray map, vec2 rest) { // filtered, for pixels
  vec3 sum = vec3(0.0);
  for (int i = 0; i < ${count}; i++) {
    vec2 uv = seaLattice(seaPatches[i], rest) + 0.5 / seaPatches[i].y; // centre of the first texel
    sum += mix(texture(map, vec3(uv, seaWhen.x + float(i))).xyz, texture(map, vec3(uv, seaWhen.y + float(i))).xyz, seaWhen.z);
  }
  return sum;
}
vec4 seaNormalFoam(vec2 rest, bool combined) {
  vec3 first = seaSum(seaFirst, rest), second = seaSum(seaSecond, rest);
  if (combined) return vec4(normalize(first), clamp(second.x, 0.0, 1.0));
  float a = 1.0 + second.x, b = 1.0 + second.y, c = second.z, j = a * b - c * c;
  vec3 normal = vec3(c * first.y - b * first.x, max(j, 1e-3), c * first.x - a * first.y);
  return vec4(normalize(normal), smoothstep(0.6, 0.2, j));
}`;

function rgbaFromNpy(buffer) {
  const header = new Uint8Array(buffer)[6] > 1 ? 12 + new DataView(buffer).getUint32(8, true) : 10 + new DataView(buffer).getUint16(8, true);
  const rgb = new Float32Array(buffer, header), out = new Float32Array(rgb.length / 3 * 4);
  for (let i = 0; i < rgb.length / 3; i++) out.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
  return out;
}

function rgbaFromExr(buffer) {
  const { data, width, height } = new EXRLoader().setDataType(THREE.FloatType).parse(buffer);
  const channels = data.length / (width * height), out = new Float32Array(4 * width * height);
  for (let z = 0; z < height; z++) // the loader puts the lowest row first, and z = 0 is the top row
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) out[4 * (z * width + x) + c] = data[channels * ((height - 1 - z) * width + x) + c];
  return out;
}

async function read(folder, image, frame) {
  if (image.format === 'png') throw new Error('Bake with --format exr or npy: browsers reduce 16-bit PNG to 8 bits.');
  const path = `${folder}/${image.file.replace('{frame}', String(frame).padStart(image.frame_digits, '0'))}`;
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return (image.format === 'npy' ? rgbaFromNpy : rgbaFromExr)(await answer.arrayBuffer());
}

// Returns { mesh, bake, uniforms, update(seconds), show(frame) }. A tile is `side` metres long; the default
// is the largest patch. `segments` vertices lie along it, and `tiles` tiles on each side of the origin's.
export async function load(folder, { side, segments, tiles = 0, onProgress = () => {} } = {}) {
  const bake = await (await fetch(`${folder}/bake.json`)).json();
  if (bake.format !== 'seaway-bake' || bake.version !== 1) throw new Error(`${folder} holds no bake of version 1`);
  const { patches, combined, frames } = bake, count = patches.length, n = patches[0].size;
  if (patches.some((p) => p.size !== n)) throw new Error('All patches must have the same number of texels');
  const kinds = combined ? ['displacement', 'normal', 'foam'] : ['displacement', 'slopes', 'stretches'];
  const frameData = kinds.map(() => []);
  for (let k = 0; k < frames; k++) {
    for (const [kind, name] of kinds.entries()) {
      const images = await Promise.all(patches.map((p) => read(folder, p.images.find((i) => i.name === name), k)));
      frameData[kind][k] = kind === 0 ? images : images.map((i) => Uint16Array.from(i, THREE.DataUtils.toHalfFloat));
    }
    onProgress((k + 1) / frames);
  }
  const textures = kinds.map((_, kind) => {
    const values = new (kind === 0 ? Float32Array : Uint16Array)(4 * n * n * 2 * count); // two frames
    const texture = new THREE.DataArrayTexture(values, n, n, 2 * count);
    texture.type = kind === 0 ? THREE.FloatType : THREE.HalfFloatType;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    if (kind > 0) {
      texture.magFilter = THREE.LinearFilter;
      texture.minFilter = THREE.LinearMipmapLinearFilter;
      texture.generateMipmaps = true;
      texture.anisotropy = 8;
    }
    return texture;
  });
  const uniforms = {
    seaDisplacement: { value: textures[0] }, seaFirst: { value: textures[1] }, seaSecond: { value: textures[2] },
    seaPatches: { value: patches.map((p) => new THREE.Vector4(p.side_m, p.size, Math.cos(p.turn_rad), Math.sin(p.turn_rad))) },
    seaWhen: { value: new THREE.Vector3() },
  };
  const held = [-1, -1]; // the frames in the two halves of the textures
  function show(frame) {
    const now = ((Math.floor(frame) % frames) + frames) % frames, next = (now + 1) % frames;
    const slot = held.includes(now) ? held.indexOf(now) : held.indexOf(next) === 0 ? 1 : 0;
    for (const [where, k] of [[slot, now], [1 - slot, next]]) {
      if (held[where] === k) continue;
      held[where] = k;
      textures.forEach((texture, kind) => {
        frameData[kind][k].forEach((image, p) => texture.image.data.set(image, 4 * n * n * (where * count + p)));
        texture.needsUpdate = true;
      });
    }
    uniforms.seaWhen.value.set(slot * count, (1 - slot) * count, frame - Math.floor(frame));
  }
  const length = side ?? Math.max(...patches.map((p) => p.side_m)), cells = segments ?? n;
  const geometry = new THREE.PlaneGeometry(length, length, cells, cells).rotateX(-Math.PI / 2).translate(length / 2, 0, length / 2);
  const { theoretical, carried } = bake.mean_square_slope; // roughness stands for the waves that the bake lacks
  const roughness = Math.min(0.3, Math.max(0.12, (theoretical - carried) ** 0.25));
  const material = new THREE.MeshPhysicalMaterial({ color: 0x06202a, roughness, ior: 1.333 });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader.replace('#include <common>', `#include <common>\n${glsl(count)}\nvarying vec2 seaRest;`)
      .replace('#include <begin_vertex>', `#include <begin_vertex>
        seaRest = (instanceMatrix * vec4(position, 1.0)).xz;
        transformed += seaMoved(seaRest) - vec3(seaRest.x, 0.0, seaRest.y);`);
    shader.fragmentShader = shader.fragmentShader.replace('#include <common>', `#include <common>\n${glsl(count)}\nvarying vec2 seaRest;`)
      .replace('#include <color_fragment>', `vec4 sea = seaNormalFoam(seaRest, ${combined});
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.85), sea.w);`)
      .replace('#include <roughnessmap_fragment>', 'float roughnessFactor = mix(roughness, 0.9, sea.w);')
      .replace('#include <normal_fragment_maps>', 'normal = normalize((viewMatrix * vec4(sea.xyz, 0.0)).xyz);');
  };
  const mesh = new THREE.InstancedMesh(geometry, material, (2 * tiles + 1) ** 2);
  for (let i = 0; i < mesh.count; i++)
    mesh.setMatrixAt(i, new THREE.Matrix4().makeTranslation(((i % (2 * tiles + 1)) - tiles) * length, 0, (Math.floor(i / (2 * tiles + 1)) - tiles) * length));
  mesh.frustumCulled = false;
  show(0);
  return { mesh, bake, uniforms, show, update: (seconds) => show(seconds * bake.fps) };
}
