/** Closed meshes that are far from convex. */
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';

/** A tube around a trefoil knot, about 1 across: `along` x `around` quads. */
export function createKnotMesh(along: number, around: number, tube = 0.12): TriangleMesh {
  const center = (t: number): number[] => [
    0.18 * (Math.sin(t) + 2 * Math.sin(2 * t)),
    0.18 * (Math.cos(t) - 2 * Math.cos(2 * t)),
    -0.18 * Math.sin(3 * t),
  ];
  const cross = (a: number[], b: number[]): number[] =>
    [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
  const unit = (a: number[]): number[] => a.map((x) => x / Math.hypot(...a));
  const vertices: number[] = [];
  for (let i = 0; i < along; i++) {
    const t = (2 * Math.PI * i) / along;
    const before = center(t - 1e-3);
    const after = center(t + 1e-3);
    const at = center(t);
    const tangent = unit(after.map((x, k) => x - before[k]));
    const bend = after.map((x, k) => x + before[k] - 2 * at[k]);
    const side = unit(cross(tangent, bend));
    const up = cross(side, tangent);
    for (let j = 0; j < around; j++) {
      const s = (2 * Math.PI * j) / around;
      vertices.push(...at.map((x, k) => x + tube * (Math.cos(s) * up[k] + Math.sin(s) * side[k])));
    }
  }
  const triangles: number[] = [];
  for (let i = 0; i < along; i++)
    for (let j = 0; j < around; j++) {
      const [p, q] = [i * around, ((i + 1) % along) * around];
      const next = (j + 1) % around;
      triangles.push(p + j, p + next, q + next, p + j, q + next, q + j);
    }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** A sphere of radius 0.5 with waves of relative height `bump`: rings x 2 rings faces. */
export function createBumpySphere(rings: number, bump: number): TriangleMesh {
  const around = 2 * rings;
  const vertices: number[] = [0, 0, 0.5];
  for (let i = 1; i < rings; i++)
    for (let j = 0; j < around; j++) {
      const [theta, phi] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      const r = 0.5 * (1 + bump * Math.sin(5 * theta) * Math.sin(theta) * Math.cos(4 * phi));
      vertices.push(r * Math.sin(theta) * Math.cos(phi), r * Math.sin(theta) * Math.sin(phi), r * Math.cos(theta));
    }
  vertices.push(0, 0, -0.5);
  const last = vertices.length / 3 - 1;
  const at = (i: number, j: number): number => 1 + (i - 1) * around + (j % around);
  const triangles: number[] = [];
  for (let j = 0; j < around; j++) {
    triangles.push(0, at(1, j), at(1, j + 1), last, at(rings - 1, j + 1), at(rings - 1, j));
    for (let i = 1; i + 1 < rings; i++)
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** A turned part about z through the rings [radius, height] from below to above, with `around` sides; both ends closed. */
export function createTurnedMesh(rings: readonly (readonly [number, number])[], around: number): TriangleMesh {
  const vertices: number[] = [];
  for (const [radius, z] of rings)
    for (let j = 0; j < around; j++) {
      const phi = (2 * Math.PI * j) / around;
      vertices.push(radius * Math.cos(phi), radius * Math.sin(phi), z);
    }
  const bottom = vertices.length / 3;
  vertices.push(0, 0, rings[0][1], 0, 0, rings[rings.length - 1][1]);
  const triangles: number[] = [];
  for (let j = 0; j < around; j++) {
    const next = (j + 1) % around;
    const top = (rings.length - 1) * around;
    triangles.push(bottom, next, j, bottom + 1, top + j, top + next);
    for (let i = 0; i + 1 < rings.length; i++) {
      const [p, q] = [i * around, (i + 1) * around];
      triangles.push(p + j, p + next, q + next, p + j, q + next, q + j);
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}
