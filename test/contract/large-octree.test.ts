/**
 * An octree of 60,000 cells, written as an OctoMap file, read back and merged: the same space, and the same answers as brute
 * force over the cells for distance, tolerance, collision and casts of a box, a capsule and a mesh.
 */
import { beforeAll, describe, it } from 'vitest';
import { mergeCells } from '../../src/geometry/octree.js';
import type { Octree, Shape } from '../../src/geometry/shapes.js';
import { octomapShape, parseOctomap } from '../../src/io/cloud/octomap.js';
import { createRandom } from '../../src/math/random.js';
import { createTransform, type Transform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { createBoxMesh, samplePose } from '../sample-shapes.js';
import { expect } from '../support/quick-expect.js';

const RESOLUTION = 0.125;
const SIDE = 160;
const DEPTH = 16;

/** Hills two cells thick, with posts on them; 4 integers a cell. */
function createHills(): Int32Array {
  const cells: number[] = [];
  for (let i = 0; i < SIDE; i++)
    for (let j = 0; j < SIDE; j++) {
      const height = Math.round(6 * Math.sin(i / 11) * Math.cos(j / 9)) + ((i * 7 + j * 13) % 97 === 0 ? 6 : 0);
      for (let z = height - 1; z <= height; z++) cells.push(i - SIDE / 2, j - SIDE / 2, z, 1);
      // Full cubes below some of it, for siblings to merge.
      if ((i >> 4) % 3 === 0 && (j >> 4) % 3 === 0)
        for (let z = -16; z < -12; z++) cells.push(i - SIDE / 2, j - SIDE / 2, z, 1);
    }
  return Int32Array.from(cells);
}

/** An OctoMap binary file of single cells: the format's tree, depth first, two bytes a node. */
function writeOctomap(cells: Int32Array, resolution: number): Uint8Array {
  const keys = new Set<number>();
  const half = 2 ** (DEPTH - 1);
  // Occupied prefixes of every level, as level and the three coordinates in cubes of that level.
  const keyOf = (level: number, x: number, y: number, z: number): number =>
    ((level * 65536 + x) * 65536 + y) * 65536 + z;
  for (let i = 0; i < cells.length; i += 4) {
    const at = [cells[i] + half, cells[i + 1] + half, cells[i + 2] + half];
    for (let level = 1; level <= DEPTH; level++) {
      const [x, y, z] = at.map((c) => c >> (DEPTH - level));
      keys.add(keyOf(level, x, y, z));
    }
  }
  const body: number[] = [];
  const open: number[][] = [[0, 0, 0, 0]];
  for (let node = open.pop(); node; node = open.pop()) {
    const [level, x, y, z] = node;
    let bits = 0;
    const inner: number[][] = [];
    for (let child = 0; child < 8; child++) {
      const [u, v, w] = [2 * x + (child & 1), 2 * y + ((child >> 1) & 1), 2 * z + (child >> 2)];
      if (!keys.has(keyOf(level + 1, u, v, w))) continue;
      bits |= (level + 1 === DEPTH ? 2 : 3) << (2 * child);
      if (level + 1 < DEPTH) inner.push([level + 1, u, v, w]);
    }
    body.push(bits & 255, bits >> 8);
    open.push(...inner.reverse());
  }
  const header = `# Octomap OcTree binary file\nid OcTree\nsize ${keys.size + 1}\nres ${resolution}\ndata\n`;
  return Uint8Array.from([...new TextEncoder().encode(header), ...body]);
}

/** Cells a list of cubes covers, as text, sorted. */
function listCells(cubes: Int32Array): string[] {
  const out: string[] = [];
  for (let i = 0; i < cubes.length; i += 4)
    for (let x = 0; x < cubes[i + 3]; x++)
      for (let y = 0; y < cubes[i + 3]; y++)
        for (let z = 0; z < cubes[i + 3]; z++) out.push(`${cubes[i] + x} ${cubes[i + 1] + y} ${cubes[i + 2] + z}`);
  return out.sort();
}

describe('an octree of 60,000 cells', () => {
  const cells = createHills();
  let shape: Octree;
  let map: Collider;
  const origin = createTransform();
  const cell = createCollider({ type: 'box', size: [RESOLUTION, RESOLUTION, RESOLUTION] });

  beforeAll(() => {
    const { value, issues } = parseOctomap(writeOctomap(cells, RESOLUTION));
    expect(issues).toEqual([]);
    expect(value?.leafCount).toBe(cells.length / 4);
    shape = octomapShape(value as NonNullable<typeof value>) as Octree;
    map = createCollider(shape);
  });

  /** Smallest distance to any cell; cells whose centre is farther than the best by their size are not measured. */
  function bruteForce(b: Collider, X: Transform): number {
    let best = Infinity;
    const r = createDistanceResult();
    const Y = createTransform();
    for (let i = 0; i < cells.length; i += 4) {
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        Y[9 + k] = (cells[i + k] + 0.5) * RESOLUTION;
        squared += (Y[9 + k] - X[9 + k]) ** 2;
      }
      if (Math.sqrt(squared) - b.boundingRadius - RESOLUTION > Math.max(best, 0)) continue;
      best = Math.min(best, distance(r, cell, Y, b, X).distance);
    }
    return best;
  }

  it('comes back from a file as the same cells, merged', () => {
    expect(cells.length / 4).toBeGreaterThan(60_000);
    expect(shape.cells.length).toBeLessThan(cells.length);
    expect(listCells(shape.cells)).toEqual(listCells(cells));
    expect(listCells(mergeCells(cells))).toEqual(listCells(cells));
  });

  const movers: [string, Shape][] = [
    ['box', { type: 'box', size: [0.4, 0.3, 0.9] }],
    ['capsule', { type: 'capsule', radius: 0.2, length: 0.8 }],
    ['mesh', { type: 'mesh', mesh: createBoxMesh([0.5, 0.7, 0.4]) }],
  ];
  it.each(movers)('%s: distance, tolerance, collision and casts as brute force has them (seed 61)', (_, moving) => {
    const random = createRandom(61);
    const b = createCollider(moving);
    let [apart, touching] = [0, 0];
    for (let i = 0; i < 20; i++) {
      const X = samplePose(random, 8);
      X[11] = random.uniform(-1, 3);
      const at = `seed 61 pose ${i}`;
      const nearest = bruteForce(b, X);
      const r = distance(createDistanceResult(), map, origin, b, X);
      expect(r.collides, at).toBe(nearest <= 0);
      expect(collide(map, origin, b, X), at).toBe(nearest <= 0);
      expect(isWithin(map, origin, b, X, 0.3), at).toBe(nearest <= 0.3);
      if (nearest > 0) {
        apart++;
        expect(Math.abs(r.distance - nearest), at).toBeLessThan(1e-12);
        const Y = X.slice();
        Y[11] -= 4;
        const tolerance = 1e-6;
        const cast = castPair(createCastResult(), map, b, { a0: origin, a1: origin, b0: X, b1: Y }, { tolerance });
        const Z = X.slice();
        const steps = 40;
        Z[11] = X[11] - 4 * cast.time;
        if (cast.hit) expect(bruteForce(b, Z), `${at}: cast`).toBeLessThanOrEqual(2 * tolerance);
        for (let k = 0; k < steps; k++) {
          Z[11] = X[11] - 4 * (cast.hit ? cast.time - 1e-6 : 1) * (k / steps);
          expect(collide(map, origin, b, Z), `${at}: cast, before`).toBe(false);
        }
      } else {
        touching++;
        const Y = X.slice();
        for (let k = 0; k < 3; k++) Y[9 + k] += (1e-6 - r.distance) * r.normal[k];
        expect(bruteForce(b, Y), `${at}: pushed out`).toBeGreaterThan(0);
      }
    }
    expect(apart).toBeGreaterThan(3);
    expect(touching).toBeGreaterThan(1);
    b.dispose();
  });
});
