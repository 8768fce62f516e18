/**
 * Writes the small meshes of the bundled examples (binary STL, metres) next to the files that use them.
 * Every mesh is one closed, outward-oriented surface.
 *
 *   node examples/make-meshes.mjs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Turns an (r, z) profile about z. `closed` joins the last point to the first (a ring); otherwise both ends lie on the axis. */
function lathe(profile, segments, closed = false) {
  const triangles = [];
  const at = ([r, z], k) => {
    const angle = (2 * Math.PI * (k % segments)) / segments;
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  };
  const edges = closed ? profile.length : profile.length - 1;
  for (let i = 0; i < edges; i++) {
    const low = profile[i];
    const high = profile[(i + 1) % profile.length];
    for (let k = 0; k < segments; k++) {
      if (low[0] > 0) triangles.push([at(low, k), at(low, k + 1), at(high, k + 1)]);
      if (high[0] > 0) triangles.push([at(low, k), at(high, k + 1), at(high, k)]);
    }
  }
  return triangles;
}

/** Turns triangles from "axis z" to "axis y" (a rotation, so orientation is kept). */
function layAlongY(triangles) {
  return triangles.map((triangle) => triangle.map(([x, y, z]) => [x, z, -y]));
}

/** Extrudes a convex counter-clockwise (x, z) outline along y from -halfWidth to halfWidth. */
function extrude(outline, halfWidth) {
  const triangles = [];
  const at = ([x, z], y) => [x, y, z];
  for (let i = 0; i < outline.length; i++) {
    const a = outline[i];
    const b = outline[(i + 1) % outline.length];
    triangles.push([at(a, -halfWidth), at(b, halfWidth), at(b, -halfWidth)]);
    triangles.push([at(a, -halfWidth), at(a, halfWidth), at(b, halfWidth)]);
    if (i > 0 && i < outline.length - 1) {
      triangles.push([at(outline[0], -halfWidth), at(a, -halfWidth), at(b, -halfWidth)]);
      triangles.push([at(outline[0], halfWidth), at(b, halfWidth), at(a, halfWidth)]);
    }
  }
  return triangles;
}

/**
 * A clevis: two cheeks (round at the bottom, about the y axis through the origin) joined by a bridge.
 * The slot between the cheeks is 2 `inner` wide and ends at z = `slot`; the bridge ends at z = `top`.
 */
function clevis({ radius, inner, outer, slot, top, chamfer, segments }) {
  const lower = [];
  for (let k = 0; k <= segments; k++) {
    const angle = Math.PI + (Math.PI * k) / segments;
    lower.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
  }
  const right = [radius, slot];
  const left = [-radius, slot];
  const cheek = [...lower, right, left];
  const bridge = [
    left,
    right,
    [radius, top - chamfer],
    [radius - chamfer, top],
    [chamfer - radius, top],
    [-radius, top - chamfer],
  ];
  const ys = [-outer, -inner, inner, outer];
  const triangles = [];
  const at = ([x, z], y) => [x, y, z];
  const wall = (a, b, y0, y1) => {
    triangles.push([at(a, y0), at(b, y1), at(b, y0)], [at(a, y0), at(a, y1), at(b, y1)]);
  };
  const cap = (outline, y, facing) => {
    for (let i = 1; i < outline.length - 1; i++) {
      const fan = [at(outline[0], y), at(outline[i], y), at(outline[i + 1], y)];
      triangles.push(facing < 0 ? fan : fan.reverse());
    }
  };
  for (let i = 0; i < cheek.length - 1; i++) {
    const [a, b] = [cheek[i], cheek[i + 1]];
    if (a === right) continue;
    wall(a, b, -outer, -inner);
    wall(a, b, inner, outer);
  }
  wall(left, lower[0], -outer, -inner);
  wall(left, lower[0], inner, outer);
  for (let i = 1; i < bridge.length; i++) {
    for (let k = 0; k < 3; k++) wall(bridge[i], bridge[(i + 1) % bridge.length], ys[k], ys[k + 1]);
  }
  wall(left, right, -inner, inner);
  cap(cheek, -outer, -1);
  cap(cheek, outer, 1);
  cap(cheek, -inner, 1);
  cap(cheek, inner, -1);
  cap(bridge, -outer, -1);
  cap(bridge, outer, 1);
  return triangles;
}

function writeStl(path, triangles) {
  const bytes = new DataView(new ArrayBuffer(84 + 50 * triangles.length));
  bytes.setUint32(80, triangles.length, true);
  triangles.forEach(([a, b, c], t) => {
    const u = b.map((x, i) => x - a[i]);
    const v = c.map((x, i) => x - a[i]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n);
    const numbers = [...n.map((x) => x / length), ...a, ...b, ...c];
    for (let i = 0; i < 12; i++) bytes.setFloat32(84 + 50 * t + 4 * i, numbers[i], true);
  });
  const file = fileURLToPath(new URL(path, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, new Uint8Array(bytes.buffer));
  console.log(`${path}: ${triangles.length} triangles, ${bytes.byteLength} bytes`);
}

const base = [
  [0, 0],
  [0.112, 0],
  [0.112, 0.02],
  [0.092, 0.03],
  [0.082, 0.11],
  [0.072, 0.149],
  [0, 0.149],
];
const upright = [
  [0, 0.002],
  [0.066, 0.002],
  [0.068, 0.012],
  [0.062, 0.1],
  [0.052, 0.15],
  [0, 0.15],
];
const drum = [
  [0, -0.062],
  [0.05, -0.062],
  [0.058, -0.054],
  [0.058, 0.054],
  [0.05, 0.062],
  [0, 0.062],
];
const sleeve = [
  [0, 0.135],
  [0.05, 0.135],
  [0.062, 0.15],
  [0.066, 0.198],
  [0.062, 0.208],
  [0, 0.208],
];
const flange = [
  [0, 0.001],
  [0.04, 0.001],
  [0.044, 0.006],
  [0.044, 0.03],
  [0.032, 0.045],
  [0, 0.045],
];
const finger = [
  [-0.01, 0],
  [0.01, 0],
  [0.01, 0.03],
  [0.006, 0.055],
  [-0.006, 0.055],
  [-0.01, 0.03],
];
writeStl('arm/meshes/base.stl', lathe(base, 32));
writeStl('arm/meshes/upright.stl', lathe(upright, 28));
writeStl('arm/meshes/drum.stl', layAlongY(lathe(drum, 28)));
writeStl('arm/meshes/sleeve.stl', lathe(sleeve, 28));
writeStl(
  'arm/meshes/fork.stl',
  clevis({ radius: 0.056, inner: 0.066, outer: 0.086, slot: 0.068, top: 0.142, chamfer: 0.02, segments: 14 }),
);
writeStl(
  'arm/meshes/wrist.stl',
  clevis({ radius: 0.044, inner: 0.054, outer: 0.07, slot: 0.052, top: 0.08, chamfer: 0.012, segments: 14 }),
);
writeStl('arm/meshes/flange.stl', lathe(flange, 28));
writeStl('arm/meshes/finger.stl', extrude(finger, 0.006));

// The assembly: a bearing block with a 10.2 mm bore radius, a shaft of 10 mm with a collar.
const housing = [
  [0.0102, -0.02],
  [0.028, -0.02],
  [0.028, 0.02],
  [0.0102, 0.02],
];
const shaft = [
  [0, -0.0192],
  [0.01, -0.0192],
  [0.01, 0.0215],
  [0.016, 0.0215],
  [0.016, 0.03],
  [0, 0.03],
];
writeStl('assembly/meshes/housing.stl', lathe(housing, 48, true));
writeStl('assembly/meshes/shaft.stl', lathe(shaft, 40));
