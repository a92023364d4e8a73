// Checks meshes and images of `seaway bake` with packages of npm: see scripts/check-javascript.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const [program, packages, picture] = process.argv.slice(2);
const require = createRequire(path.resolve(packages, 'package.json'));
const validator = require('gltf-validator');
const puppeteer = require('puppeteer-core');

const FRAMES = 8, LOOP_S = 80, SIZE = 64, SIDE_M = 400;
const SEA = '--preset gale --swell-height-m 2 --swell-period-s 11 --swell-direction-deg -50'.split(' ');
const GRID = ['--size', SIZE, '--fps', FRAMES / LOOP_S, '--loop-s', LOOP_S];
const top = fs.mkdtempSync(path.join(os.tmpdir(), 'seaway-'));
let failed = false;

function say(line, isWrong) {
  console.log(`${line}${isWrong ? ' WRONG' : ''}`);
  failed ||= isWrong;
}

/// Bakes into a folder, and returns it.
function bake(name, ...options) {
  const folder = path.join(top, name);
  execFileSync(program, ['bake', ...SEA, ...options.map(String), '--out', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}

async function validateMeshes() {
  const folder = bake('mesh', ...GRID, '--combine', SIDE_M, '--mesh', '--frames', 2);
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.glb'))) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path.join(folder, file))), { uri: file });
    const { numErrors, numWarnings, numInfos, messages } = report.issues;
    say(`${file}: ${report.info.totalVertexCount} vertices, ${numErrors} errors, ${numWarnings} warnings, ${numInfos} notes`,
        numErrors + numWarnings > 0 || report.info.totalVertexCount !== (SIZE + 1) ** 2);
    for (const message of messages) console.log(`  ${message.code} at ${message.pointer}: ${message.message}`);
  }
}

function readNpy(file) {
  const bytes = fs.readFileSync(file);
  const start = 10 + bytes.readUInt16LE(8);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length));
}

/// Returns a function from a frame and a place of the water at rest to its position: linear between texels and
/// frames, as three.js draws, of the values that `seaway bake --cpu` computes in double precision.
function reference(combined) {
  const folder = bake(`reference-${combined}`, ...GRID, ...(combined ? ['--combine', SIDE_M] : []), '--format', 'npy', '--cpu');
  const { patches } = JSON.parse(fs.readFileSync(path.join(folder, 'bake.json')));
  const images = patches.map(({ name }) =>
    Array.from({ length: FRAMES }, (_, k) => readNpy(path.join(folder, `${name}_displacement_${String(k).padStart(5, '0')}.npy`))));
  return (frame, x, z) => {
    const moved = [x, 0, z];
    for (const [p, patch] of patches.entries()) {
      const cos = Math.cos(patch.turn_rad), sin = Math.sin(patch.turn_rad);
      const [u, v] = [cos * x + sin * z, cos * z - sin * x].map((at) => at * SIZE / patch.side_m);
      const [i, j] = [u, v].map(Math.floor);
      for (const [k, partOfFrame] of [[0, 1 - frame % 1], [1, frame % 1]])
        for (const [di, dj] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
          const part = partOfFrame * (di ? u - i : 1 - u + i) * (dj ? v - j : 1 - v + j);
          const texel = ((j + dj) % SIZE + SIZE) % SIZE * SIZE + ((i + di) % SIZE + SIZE) % SIZE;
          const image = images[p][(Math.floor(frame) + k) % FRAMES];
          for (let axis = 0; axis < 3; axis++) moved[axis] += part * image[3 * texel + axis];
        }
    }
    return moved;
  };
}

/// Serves the temporary folder, and the packages as its folder node_modules.
async function serve() {
  const types = { '.js': 'text/javascript', '.html': 'text/html', '.json': 'application/json' };
  const server = http.createServer((request, answer) => {
    const name = decodeURI(request.url.split('?')[0]);
    const file = path.join(name.startsWith('/node_modules/') ? packages : top, name);
    if (!fs.existsSync(file)) return answer.writeHead(404).end();
    let body = fs.readFileSync(file);
    if (file.endsWith('index.html'))
      body = String(body).replaceAll('https://cdn.jsdelivr.net/npm/three@0.187.0/', '/node_modules/three/');
    return answer.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' }).end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/// Runs in the page: moves the vertices of the sea on the GPU, and returns [x, y, z, 1] of each.
function readVertices(frame, shift) {
  const { sea, seaway, THREE, renderer } = window.seaway;
  renderer.setAnimationLoop(null);
  sea.show(frame);
  const { position } = sea.mesh.geometry.attributes;
  const width = 256, height = Math.ceil(position.count / width);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', position);
  const material = new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    uniforms: { ...sea.uniforms, shift: { value: new THREE.Vector2(...shift) } },
    vertexShader: `${seaway.glsl(sea.bake.patches.length)}
      uniform vec2 shift;
      out vec3 moved;
      void main() {
        moved = seaMoved(position.xz + shift);
        vec2 pixel = vec2(gl_VertexID % ${width}, gl_VertexID / ${width});
        gl_Position = vec4((pixel + 0.5) / vec2(${width}, ${height}) * 2.0 - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;
      }`,
    fragmentShader: 'in vec3 moved; out vec4 colour; void main() { colour = vec4(moved, 1.0); }',
  });
  const nearest = { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter };
  const target = new THREE.WebGLRenderTarget(width, height, nearest);
  const points = new THREE.Points(geometry, material);
  points.frustumCulled = false;
  renderer.setRenderTarget(target);
  renderer.render(new THREE.Scene().add(points), new THREE.Camera());
  const pixels = new Float32Array(4 * width * height);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  renderer.setRenderTarget(null);
  return { moved: Array.from(pixels.subarray(0, 4 * position.count)), rest: Array.from(position.array) };
}

async function open(browser, server, folder, query, size) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => say(`the page failed: ${error.message}`, true));
  await page.setViewport(size);
  await page.goto(`http://127.0.0.1:${server.address().port}/${path.basename(folder)}/threejs/index.html?time=0${query}`);
  await page.waitForFunction('document.body.dataset.drawn === "yes"', { timeout: 240000 });
  return page;
}

async function checkVertices(browser, server, combined, format) {
  const options = [...GRID, ...(combined ? ['--combine', SIDE_M] : []), '--format', format];
  const folder = bake(`${format}-${combined}`, ...options);
  const { significant_wave_height_m: hs } = JSON.parse(fs.readFileSync(path.join(folder, 'bake.json')));
  const target = 1e-3 + 1e-3 * hs.carried;
  const expected = reference(combined);
  const query = combined ? '&tiles=0' : '&tiles=0&side=300&segments=100';
  const page = await open(browser, server, folder, query, { width: 320, height: 200 });
  let worst = 0, loop = 0, seam = 0, first;
  for (const frame of [0, 3, FRAMES - 1, FRAMES - 0.5, FRAMES]) {
    const { moved, rest } = await page.evaluate(readVertices, frame, [0, 0]);
    first ??= moved;
    for (let i = 0; i < moved.length / 4; i++)
      expected(frame, rest[3 * i], rest[3 * i + 2]).forEach((value, axis) => {
        worst = Math.max(worst, Math.abs(moved[4 * i + axis] - value));
      });
    if (frame === FRAMES) loop = Math.max(...moved.map((value, i) => Math.abs(value - first[i])));
    for (const shift of combined ? [[SIDE_M, 0], [0, -SIDE_M]] : []) {
      const next = (await page.evaluate(readVertices, frame, shift)).moved;
      next.forEach((value, i) => {
        seam = Math.max(seam, Math.abs(value - moved[i] - [shift[0], 0, shift[1], 0][i % 4]));
      });
    }
  }
  // Neighbouring patches have 32-bit places of their own, which round by 3e-5 m.
  say(`three.js, ${combined ? 'combined' : 'cascades'}, ${format}: ${first.length / 4} vertices at 5 times differ by ` +
      `${worst.toExponential(1)} m at most, of ${target.toExponential(1)} m (Hs ${hs.carried.toFixed(2)} m); the loop's ends by ` +
      `${loop} m${combined ? `, neighbouring patches by ${seam.toExponential(1)} m` : ''}`,
      !(worst <= target && loop === 0 && seam < 1e-4));
  await page.close();
}

try {
  await validateMeshes();
  const server = await serve();
  const browser = await puppeteer.launch({
    executablePath: ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(fs.existsSync),
    protocolTimeout: 300000, timeout: 180000,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  for (const combined of [false, true])
    for (const format of ['exr', 'npy']) await checkVertices(browser, server, combined, format);
  const folder = bake('picture', '--combine', 300, '--size', 256, '--fps', 1, '--loop-s', 2, '--depth', 'float');
  const page = await open(browser, server, folder, '', { width: 960, height: 540 });
  await page.screenshot({ path: picture });
  console.log(`The picture is ${picture}.`);
  await browser.close();
  server.close();
} finally {
  fs.rmSync(top, { recursive: true });
}
process.exit(failed ? 1 : 0);
