/**
 * Writes the bundled assemblies that come apart (binary STL, metres): the bearing's parts with play between them, and a gearbox whose
 * carrier, pin and gears only come out together.
 *
 *   node examples/make-assemblies.mjs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./assembly/', import.meta.url));

/** Twelve triangles, outward; corners in millimetres. */
function box([x0, y0, z0], [x1, y1, z1]) {
  const at = (k) => [k & 1 ? x1 : x0, k & 2 ? y1 : y0, k & 4 ? z1 : z0];
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return faces.flatMap(([a, b, c, d]) => [
    [at(a), at(b), at(c)],
    [at(a), at(c), at(d)],
  ]);
}

/** A tube, or a rod where the inner radius is 0, along y through (x, z). */
function tube({ x, z, y0, y1, inner, outer, segments = 24 }) {
  const at = (r, y, k) => {
    const angle = (2 * Math.PI * (k % segments)) / segments;
    return [x + r * Math.sin(angle), y, z + r * Math.cos(angle)];
  };
  const triangles = [];
  const quad = (a, b, c, d) => triangles.push([a, b, c], [a, c, d]);
  for (let k = 0; k < segments; k++) {
    quad(at(outer, y0, k), at(outer, y0, k + 1), at(outer, y1, k + 1), at(outer, y1, k));
    if (inner === 0) {
      triangles.push([[x, y0, z], at(outer, y0, k + 1), at(outer, y0, k)]);
      triangles.push([[x, y1, z], at(outer, y1, k), at(outer, y1, k + 1)]);
      continue;
    }
    quad(at(inner, y0, k), at(inner, y1, k), at(inner, y1, k + 1), at(inner, y0, k + 1));
    quad(at(inner, y0, k), at(inner, y0, k + 1), at(outer, y0, k + 1), at(outer, y0, k));
    quad(at(inner, y1, k), at(outer, y1, k), at(outer, y1, k + 1), at(inner, y1, k + 1));
  }
  return triangles;
}

function writeStl(file, triangles) {
  const bytes = new DataView(new ArrayBuffer(84 + 50 * triangles.length));
  bytes.setUint32(80, triangles.length, true);
  triangles.forEach((triangle, i) => {
    triangle.flat().forEach((value, k) => {
      bytes.setFloat32(84 + 50 * i + 12 + 4 * k, value / 1000, true);
    });
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

function writeAssembly(name, parts) {
  const lines = parts.map((part) => `    ${JSON.stringify(part)}`);
  writeFileSync(`${folder}${name}.json`, `{\n  "parts": [\n${lines.join(',\n')}\n  ]\n}\n`);
}

// The scene's cover overlaps the housing, as its check is to find; this one has half a millimetre of play.
writeStl(`${folder}meshes/cover.stl`, box([-25, -25, -24.5], [25, 25, -20.5]));
writeStl(`${folder}meshes/foot.stl`, box([-35, 28.5, -25], [35, 38.5, 25]));
writeAssembly('bearing-parts', [
  ...['housing', 'shaft', 'cover', 'foot'].map((name) => ({ name, file: `meshes/${name}.stl` })),
]);

const clip = (side, y) => [
  ...box([side > 0 ? 61 : -64, y - 5, 33], [side > 0 ? 64 : -61, y + 5, 48]),
  ...box([side > 0 ? 50 : -61, y - 5, 45.5], [side > 0 ? 61 : -50, y + 5, 48]),
  ...box([side > 0 ? 57 : -61, y - 5, 33], [side > 0 ? 61 : -57, y + 5, 35.5]),
];
const gearbox = {
  housing: [
    ...box([-55, -35, -5], [55, 35, 0]),
    ...box([-55, -35, 0], [-50, 35, 40]),
    ...box([50, -35, 0], [55, 35, 40]),
    ...box([-50, -35, 0], [50, -30, 40]),
    ...box([-50, 30, 0], [50, 35, 40]),
    ...box([-60, -35, 36], [-55, 35, 40]),
    ...box([55, -35, 36], [60, 35, 40]),
  ],
  lid: [...box([-55, -35, 40.2], [55, 35, 45.2]), ...box([-49.5, -29.5, 36], [49.5, 29.5, 40.2])],
  'clip-1': clip(1, -20),
  'clip-2': clip(1, 20),
  'clip-3': clip(-1, -20),
  'clip-4': clip(-1, 20),
  knob: [...tube({ x: 0, z: 52, y0: -8, y1: 8, inner: 0, outer: 6 }), ...box([-10, -10, 45.5], [10, 10, 50])],
  carrier: [
    ...box([-20, -10, 1], [-4, 10, 21]),
    ...box([4, -10, 1], [20, 10, 21]),
    ...box([-4, -10, 1], [4, 10, 7]),
    ...box([-4, -10, 15], [4, 10, 21]),
  ],
  pin: tube({ x: 0, z: 11, y0: -29.5, y1: 29.5, inner: 0, outer: 3.8 }),
  'gear-1': tube({ x: 0, z: 11, y0: -19, y1: -12, inner: 4.2, outer: 9 }),
  'gear-2': tube({ x: 0, z: 11, y0: 12, y1: 19, inner: 4.2, outer: 9 }),
  shim: box([-45, -28, 0.2], [45, 28, 0.8]),
  plug: box([30, -8, 1], [46, 8, 30]),
};
for (const [name, triangles] of Object.entries(gearbox)) writeStl(`${folder}gearbox/${name}.stl`, triangles);
writeAssembly(
  'gearbox',
  Object.keys(gearbox).map((name) => ({ name, file: `gearbox/${name}.stl` })),
);

// A bar that has to turn to get through a window.
writeStl(`${folder}keyhole/bar.stl`, box([-8, -40, -8], [8, 40, 8]));
writeStl(`${folder}keyhole/wall.stl`, [
  ...box([-4, -120, -120], [4, -30, 120]),
  ...box([-4, 30, -120], [4, 120, 120]),
  ...box([-4, -30, -120], [4, 30, -30]),
  ...box([-4, -30, 30], [4, 30, 120]),
]);
const state = (...position) => ({ position, quaternion_xyzw: [0, 0, 0, 1] });
writeFileSync(
  `${folder}keyhole.json`,
  `${JSON.stringify(
    {
      ...{ format: 'rigid-problem/1', name: 'keyhole', group: 'SE3' },
      ...{ robot: { mesh: 'keyhole/bar.stl' }, environment: { mesh: 'keyhole/wall.stl' } },
      ...{ start: state(-0.08, 0, 0), goal: state(0.08, 0, 0) },
      bounds: { min: [-0.12, -0.12, -0.12], max: [0.12, 0.12, 0.12] },
    },
    null,
    2,
  )}\n`,
);
