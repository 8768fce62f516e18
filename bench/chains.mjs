/** Long chains that the suite `chain` moves: the paper's constructions and backbones of proteins. */
import { createChain } from '../dist/esm/chain.js';
import { createRandom } from '../dist/esm/math.js';
import { buildMolecule, createBackboneChain } from '../dist/esm/molecule.js';
import { loadStructure } from '../dist/esm/node.js';

/** Spheres at the points, revolute joints about the bonds (or `axes`). */
function createSphereChain(points, { radius = 1, exclusion = 1, axes = null } = {}) {
  const links = points.map(() => ({ shape: { type: 'sphere', radius } }));
  const joints = points.slice(1).map((point, i) => {
    const bond = point.map((x, k) => x - points[i][k]);
    return { type: 'revolute', origin: [...bond, 0, 0, 0, 1], axis: axes?.[i] ?? bond };
  });
  return createChain({ links, joints, exclusion });
}

/** A cube lattice walked row by row and back: spheres of radius 1, 4 apart, each moved by up to 0.3 along every axis. */
export function createLatticeChain(linkCount, seed) {
  const random = createRandom(seed);
  const side = Math.ceil(Math.cbrt(linkCount) - 1e-9);
  const points = [];
  for (let i = 0; i < linkCount; i++) {
    const z = Math.floor(i / side ** 2);
    const rowInLayer = Math.floor(i / side) % side;
    const y = z % 2 ? side - 1 - rowInLayer : rowInLayer;
    const x = Math.floor(i / side) % 2 ? side - 1 - (i % side) : i % side;
    points.push([x, y, z].map((k) => 4 * k + random.uniform(-0.3, 0.3)));
  }
  return createSphereChain(points);
}

/**
 * The layers of section 4.2, which need N^(4/3) tests of any convex volumes: units of d links along x, y and z, d / 8 units
 * to a layer, d / 8 layers. `size` d, a multiple of 8. Spheres 2 apart, of radius 0.99 so that neighbours do not touch.
 * Returns the chain and a point in the convex hull of every unit.
 */
export function createLayeredChain(size) {
  const unit = [];
  for (let i = 0; i < size; i++) unit.push([2 * i, 0, 0]);
  const end = 2 * (size - 1);
  for (let i = 1; i <= size; i++) unit.push([end, 2 * i, 0]);
  for (let i = 1; i <= size; i++) unit.push([end, 2 * size, 2 * i]);
  const layer = [];
  for (let copy = 0; copy < size / 8; copy++) {
    const placed = unit.map(([x, y, z]) => [x + 2 * copy, y - 2 * copy, z]);
    layer.push(...(copy % 2 ? placed.reverse() : placed));
  }
  const points = [];
  for (let copy = 0; copy < size / 8; copy++) {
    const placed = layer.map(([x, y, z]) => [x, y - 2 * copy, z + 2 * copy]);
    points.push(...(copy % 2 ? placed.reverse() : placed));
  }
  return { chain: createSphereChain(points, { radius: 0.99 }), common: [end, size - 1, (size - 1) / 4] };
}

/**
 * Figure 4: a chain folded in two, link i beside link N - 1 - i. A half turn of the joint in the middle stretches it out,
 * and links that lay side by side are as far apart as can be. Returns the chain and that joint.
 */
export function createFoldedChain(linkCount) {
  const half = linkCount / 2;
  const points = Array.from({ length: linkCount }, (_, i) =>
    i < half ? [4 * i, 0, 0] : [4 * (linkCount - 1 - i), 2.5, 0],
  );
  const axes = points.slice(1).map((_, i) => (i === half - 1 ? [0, 0, 1] : [1, 0, 0]));
  return { chain: createSphereChain(points, { axes }), joint: half - 1 };
}

/** The backbone of a structure file's first protein chain, spheres as createBackboneChain makes them. */
export async function loadBackboneChain(file) {
  const { value, issues } = await loadStructure(file);
  if (!value) throw new Error(`${file}: ${issues.map(({ message }) => message).join('; ')}`);
  const backbone = createBackboneChain(buildMolecule(value));
  if (!backbone) throw new Error(`${file}: no backbone of two residues or more`);
  return backbone;
}
