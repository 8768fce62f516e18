/**
 * Draws docs/images/motion.gif: the bundled arm goes straight to its goal until it first touches the shelf, then along the
 * planned path, with the nearest pair and its distance. `node scripts/draw-motion.mjs` after `npm run build`.
 *
 * Triangles are drawn with a depth buffer at twice the resolution, flat shaded, in one palette; frames hold what changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  addObject,
  addRobot,
  buildModel,
  castRobot,
  createConfigurationSpace,
  createScene,
  createSceneChecker,
  createTransform,
  nearestPair,
  planRrtConnect,
  poseToTransform,
  requireValue,
  setConfiguration,
  shortcutPath,
  updateFramePlacements,
} from 'clearance';
import { loadRobot, loadScene } from 'clearance/node';
import { createRobotObject, placeObject, toShapeGeometry, updateRobotObject } from 'clearance/three';
import { Mesh, MeshBasicMaterial, PerspectiveCamera, Vector3 } from 'three';

const WIDTH = 480;
const HEIGHT = 336;
const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const files = requireValue(
  await loadRobot(inRoot('examples/arm/arm.urdf'), { srdf: inRoot('examples/arm/arm.srdf'), geometry: 'both' }),
);
const shelf = requireValue(await loadScene(inRoot('examples/scenes/table-shelf.json')));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
for (const { name, shape, pose } of shelf.description.objects) addObject(scene, { name, shape, pose });
const problem = JSON.parse(readFileSync(inRoot('examples/scenes/problems.jsonl'), 'utf8').split('\n')[1]);
const start = Float64Array.from(problem.start);
const goal = Float64Array.from(problem.goal);

const mix = (a, b, t) => Float64Array.from(a, (x, i) => x + t * (b[i] - x));
const straight = castRobot(scene, robot, start, goal);
const space = createConfigurationSpace(model);
const checker = createSceneChecker(scene, robot);
const found = planRrtConnect({ space, checker, start, goals: [goal], seed: 1 });
const { path } = shortcutPath({ space, checker, path: found.path, seed: 1 });

/** The configuration at a share of the path's length in joint space. */
function alongPath(share) {
  const steps = path.slice(1).map((q, k) => Math.sqrt(q.reduce((sum, x, i) => sum + (x - path[k][i]) ** 2, 0)));
  let rest = share * steps.reduce((a, b) => a + b, 0);
  for (const [k, step] of steps.entries()) {
    if (rest <= step || k === steps.length - 1) return mix(path[k], path[k + 1], Math.min(rest / step, 1));
    rest -= step;
  }
}
const ease = (t) => t * t * (3 - 2 * t);

/** What is drawn: triangles in world, with the colour of a body by its name. */
const figure = createRobotObject({ description: files.description, meshes: files.meshes, geometry: { segments: 24 } });
const things = shelf.description.objects.map(({ name, shape, pose }) => {
  const mesh = new Mesh(toShapeGeometry(shape, { segments: 24 }), new MeshBasicMaterial());
  placeObject(mesh, poseToTransform(createTransform(), pose));
  mesh.updateMatrixWorld(true);
  return {
    name,
    mesh,
    base: name.startsWith('floor') ? 'floor' : name.startsWith('shelf') || name === 'table' ? 'wood' : 'thing',
  };
});

const COLORS = {
  sky: [243, 245, 247],
  wood: [201, 186, 160],
  floor: [214, 210, 202],
  thing: [120, 150, 190],
  arm: [196, 202, 210],
  dark: [62, 68, 78],
  red: [222, 52, 40],
};
const SHADES = 10;
const shade = ([r, g, b], level) => [r, g, b].map((x) => Math.round(x * (0.42 + (0.58 * level) / (SHADES - 1))));
const palette = [COLORS.sky, [255, 255, 255], [24, 28, 34], [190, 30, 24]];
const ramps = {};
for (const name of ['wood', 'floor', 'thing', 'arm', 'dark', 'red']) {
  ramps[name] = palette.length;
  for (let level = 0; level < SHADES; level++) palette.push(shade(COLORS[name], level));
}
const CLEAR = palette.length;
while (palette.length < 128) palette.push([0, 0, 0]);

const camera = new PerspectiveCamera(33, WIDTH / HEIGHT, 0.1, 20);
camera.up.set(0, 0, 1);
camera.position.set(-1.25, -2.05, 1.75);
camera.lookAt(0.33, 0.02, 0.5);
camera.updateMatrixWorld(true);
camera.updateProjectionMatrix();
const light = new Vector3(-0.45, -0.6, 0.9).normalize();

const W2 = 2 * WIDTH;
const H2 = 2 * HEIGHT;
const toScreen = (p) => {
  const v = p.clone().project(camera);
  return [(v.x + 1) * WIDTH, (1 - v.y) * HEIGHT, v.z];
};

function drawMesh(target, depth, mesh, ramp) {
  const { position } = mesh.geometry.attributes;
  const index = mesh.geometry.index;
  const count = index ? index.count : position.count;
  const corner = (k) =>
    new Vector3().fromBufferAttribute(position, index ? index.getX(k) : k).applyMatrix4(mesh.matrixWorld);
  for (let k = 0; k < count; k += 3) {
    const [a, b, c] = [corner(k), corner(k + 1), corner(k + 2)];
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    const towards = camera.position.clone().sub(a).dot(normal);
    const lit = normal.dot(light) * Math.sign(towards);
    const level = Math.max(0, Math.min(SHADES - 1, Math.round((0.35 + 0.65 * lit) * (SHADES - 1))));
    fillTriangle(target, depth, toScreen(a), toScreen(b), toScreen(c), ramp + level);
  }
}

function fillTriangle(target, depth, [ax, ay, az], [bx, by, bz], [cx, cy, cz], color) {
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (area === 0) return;
  const [x0, x1] = [Math.max(0, Math.floor(Math.min(ax, bx, cx))), Math.min(W2 - 1, Math.ceil(Math.max(ax, bx, cx)))];
  const [y0, y1] = [Math.max(0, Math.floor(Math.min(ay, by, cy))), Math.min(H2 - 1, Math.ceil(Math.max(ay, by, cy)))];
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      const u = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area;
      const v = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area;
      const w = 1 - u - v;
      if (u < 0 || v < 0 || w < 0) continue;
      const z = u * az + v * bz + w * cz;
      if (z >= depth[y * W2 + x]) continue;
      depth[y * W2 + x] = z;
      target[y * W2 + x] = color;
    }
}

/** Nearest entry of the palette for the mean of four samples. */
const nearestOf = new Map();
function blend(samples) {
  const key = samples
    .slice()
    .sort((a, b) => a - b)
    .join();
  let best = nearestOf.get(key);
  if (best === undefined) {
    const mean = [0, 1, 2].map((i) => samples.reduce((sum, s) => sum + palette[s][i], 0) / 4);
    let least = Infinity;
    for (let k = 0; k < CLEAR; k++) {
      const error = mean.reduce((sum, x, i) => sum + (x - palette[k][i]) ** 2, 0);
      if (error < least) [least, best] = [error, k];
    }
    nearestOf.set(key, best);
  }
  return best;
}

function drawLine(pixels, [ax, ay], [bx, by], color) {
  const steps = Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay), 1));
  for (let k = 0; k <= steps; k++) {
    const x = Math.round((ax + ((bx - ax) * k) / steps) / 2);
    const y = Math.round((ay + ((by - ay) * k) / steps) / 2);
    for (const [i, j] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ])
      if (x + i >= 0 && x + i < WIDTH && y + j >= 0 && y + j < HEIGHT) pixels[(y + j) * WIDTH + x + i] = color;
  }
}

/** Columns of five, lowest bit on top. */
const GLYPHS = {
  0: '3e5149453e',
  1: '00427f4000',
  2: '4261514946',
  3: '2141454b31',
  4: '1814127f10',
  5: '2745454539',
  6: '3c4a494930',
  7: '0171090503',
  8: '3649494936',
  9: '064949291e',
  '.': '0060600000',
  '-': '0808080808',
  _: '4040404040',
  ':': '0036360000',
  a: '2054545478',
  b: '7f48444438',
  c: '3844444420',
  d: '384444487f',
  e: '3854545418',
  f: '087e090102',
  g: '0c5252523e',
  h: '7f08040478',
  i: '00447d4000',
  j: '2040443d00',
  k: '7f10284400',
  l: '00417f4000',
  m: '7c04180478',
  n: '7c08040478',
  o: '3844444438',
  p: '7c14141408',
  q: '081414187c',
  r: '7c08040408',
  s: '4854545420',
  t: '043f444020',
  u: '3c4040207c',
  v: '1c2040201c',
  w: '3c4030403c',
  x: '4428102844',
  y: '0c5050503c',
  z: '4464544c44',
  ' ': '0000000000',
};
function drawText(pixels, text, x0, y0, color) {
  for (const [n, letter] of [...text].entries())
    for (let column = 0; column < 5; column++) {
      const bits = Number.parseInt(GLYPHS[letter].slice(2 * column, 2 * column + 2), 16);
      for (let row = 0; row < 7; row++)
        if (bits & (1 << row))
          for (const [i, j] of [
            [0, 0],
            [1, 0],
            [0, 1],
            [1, 1],
          ])
            pixels[(y0 + 2 * row + j) * WIDTH + x0 + 12 * n + 2 * column + i] = color;
    }
}

function drawFrame(q, touching, title) {
  setConfiguration(robot, q);
  // Brings the robot's data up to date, too.
  const pair = nearestPair(scene);
  updateFramePlacements(model, robot.data);
  updateRobotObject(figure, model, robot.data);
  figure.root.updateMatrixWorld(true);
  const target = new Uint8Array(W2 * H2);
  const depth = new Float32Array(W2 * H2).fill(Infinity);
  for (const { name, mesh, base } of things)
    drawMesh(target, depth, mesh, ramps[touching.includes(name) ? 'red' : base]);
  for (const { name, visual } of figure.links.values())
    visual.traverse((part) => {
      if (!part.isMesh) return;
      const dark = part.material.color.r + part.material.color.g + part.material.color.b < 0.6;
      drawMesh(target, depth, part, ramps[touching.includes(name) ? 'red' : dark ? 'dark' : 'arm']);
    });
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const at = 2 * y * W2 + 2 * x;
      pixels[y * WIDTH + x] = blend([target[at], target[at + 1], target[at + W2], target[at + W2 + 1]]);
    }
  const [a, b] = [pair.pointA, pair.pointB].map((p) => toScreen(new Vector3(...p)));
  if (touching.length === 0) drawLine(pixels, a, b, 3);
  drawText(pixels, title, 12, 12, 2);
  const words =
    touching.length > 0
      ? `${touching.join(' touches ')}`
      : `nearest ${(1000 * pair.distance).toFixed(0)} mm: ${pair.a} - ${pair.b}`;
  drawText(pixels, words, 12, 34, touching.length > 0 ? 3 : 2);
  return pixels;
}

/** Variable-length codes of the GIF format, from its specification (GIF89a, appendix F). */
function compress(pixels, bits) {
  const bytes = [];
  let held = 0;
  let count = 0;
  let table = new Map();
  let size = bits + 1;
  let next = (1 << bits) + 2;
  const put = (code) => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  };
  put(1 << bits);
  let prefix = pixels[0];
  for (const pixel of pixels.subarray(1)) {
    const key = (prefix << 8) | pixel;
    const code = table.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    prefix = pixel;
    if (next === 4096) {
      put(1 << bits);
      table = new Map();
      size = bits + 1;
      next = (1 << bits) + 2;
    } else {
      if (next === 1 << size) size++;
      table.set(key, next++);
    }
  }
  put(prefix);
  put((1 << bits) + 1);
  if (count > 0) bytes.push(held & 255);
  return bytes;
}

const word = (n) => [n & 255, n >> 8];
function writeGif(frames) {
  const out = [...Buffer.from('GIF89a'), ...word(WIDTH), ...word(HEIGHT), 0xf6, 0, 0, ...palette.flat()];
  out.push(0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0);
  let last = null;
  for (const { pixels, hundredths } of frames) {
    let [x0, y0, x1, y1] = [WIDTH, HEIGHT, -1, -1];
    for (let i = 0; i < pixels.length; i++)
      if (!last || pixels[i] !== last[i]) {
        const [x, y] = [i % WIDTH, (i / WIDTH) | 0];
        [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
      }
    if (x1 < 0) [x0, y0, x1, y1] = [0, 0, 0, 0];
    const part = new Uint8Array((x1 - x0 + 1) * (y1 - y0 + 1));
    for (let y = y0, k = 0; y <= y1; y++)
      for (let x = x0; x <= x1; x++, k++) {
        const i = y * WIDTH + x;
        part[k] = last && pixels[i] === last[i] ? CLEAR : pixels[i];
      }
    last = pixels;
    out.push(0x21, 0xf9, 4, 0x05, ...word(hundredths), CLEAR, 0);
    out.push(0x2c, ...word(x0), ...word(y0), ...word(x1 - x0 + 1), ...word(y1 - y0 + 1), 0, 7);
    const data = compress(part, 7);
    for (let k = 0; k < data.length; k += 255) {
      const block = data.slice(k, k + 255);
      out.push(block.length, ...block);
    }
    out.push(0);
  }
  out.push(0x3b);
  return Uint8Array.from(out);
}

const frames = [];
const STRAIGHT = 16;
for (let k = 0; k <= STRAIGHT; k++) {
  const touching = k === STRAIGHT ? [straight.a, straight.b] : [];
  const pixels = drawFrame(mix(start, goal, (straight.time * k) / STRAIGHT), touching, 'straight');
  frames.push({ pixels, hundredths: k === STRAIGHT ? 160 : k === 0 ? 50 : 9 });
}
const PLANNED = 44;
for (let k = 0; k <= PLANNED; k++)
  frames.push({
    pixels: drawFrame(alongPath(ease(k / PLANNED)), [], 'planned'),
    hundredths: k === PLANNED ? 160 : k === 0 ? 50 : 9,
  });
const gif = writeGif(frames);
const out = process.argv[2] ?? inRoot('docs/images/motion.gif');
writeFileSync(out, gif);
console.log(
  `${out}: ${frames.length} frames, ${gif.length} bytes; straight: ${straight.a} touches ${straight.b} at ${straight.time.toFixed(3)}`,
);
