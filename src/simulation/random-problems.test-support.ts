/** Contact problems of bodies that stand on the ground and on each other: mass ratios to 1e4, redundant corners, any velocities. */
import type { Random } from '../math/random.js';
import type { ContactProblem } from './contact-problem.js';

/** A pile of one to four boxes, each with `corners` contacts below it, some more pushed from the side. */
export function createPileProblem(random: Random, law: ContactProblem['law'] = 'coulomb'): ContactProblem {
  const bodies = 1 + Math.floor(random.uniform(0, 4));
  const masses = Array.from({ length: bodies }, () => 10 ** random.uniform(-2, 2));
  const sizes = Array.from({ length: bodies }, () => [0, 1, 2].map(() => random.uniform(0.1, 1)));
  const rowsOfJ: Float64Array[] = [];
  const nv = 6 * bodies;
  const add = (below: number, above: number, point: readonly number[], normal: readonly number[]): void => {
    const [x, y, z] = normal;
    const t = Math.abs(z) > 0.7 ? [0, z, -y] : [-y, x, 0];
    const size = Math.sqrt(t[0] ** 2 + t[1] ** 2 + t[2] ** 2);
    const t1 = t.map((c) => c / size);
    const t2 = [y * t1[2] - z * t1[1], z * t1[0] - x * t1[2], x * t1[1] - y * t1[0]];
    for (const d of [normal, t1, t2]) {
      const row = new Float64Array(nv);
      for (const [body, sign] of [
        [below, -1],
        [above, 1],
      ] as const) {
        if (body < 0) continue;
        const p = [point[0], point[1], point[2] - body];
        const w = [p[1] * d[2] - p[2] * d[1], p[2] * d[0] - p[0] * d[2], p[0] * d[1] - p[1] * d[0]];
        for (let k = 0; k < 3; k++) {
          row[6 * body + k] = sign * d[k];
          row[6 * body + 3 + k] = sign * w[k];
        }
      }
      rowsOfJ.push(row);
    }
  };
  for (let i = 0; i < bodies; i++) {
    const [hx, hy] = sizes[i];
    const corners = random.next() < 0.5 ? 4 : 8;
    for (let c = 0; c < corners; c++) {
      const x = (c & 1 ? hx : -hx) * (c < 4 ? 1 : 0.5);
      const y = (c & 2 ? hy : -hy) * (c < 4 ? 1 : 0.5);
      add(i - 1, i, [x, y, i - 0.5], [0, 0, 1]);
    }
    if (random.next() < 0.3) {
      const angle = random.uniform(0, 6.28);
      add(-1, i, [0, 0, i], [Math.cos(angle), Math.sin(angle), 0]);
    }
  }
  const n = rowsOfJ.length;
  const G = new Float64Array(n * n);
  const weight = (v: number): number => {
    const m = masses[Math.floor(v / 6)];
    const s = sizes[Math.floor(v / 6)][v % 3];
    return v % 6 < 3 ? 1 / m : 1 / (0.2 * m * (s * s + 0.1));
  };
  for (let r = 0; r < n; r++)
    for (let c = 0; c < n; c++) for (let v = 0; v < nv; v++) G[r * n + c] += rowsOfJ[r][v] * weight(v) * rowsOfJ[c][v];
  const velocity = Float64Array.from({ length: nv }, () => random.uniform(-1, 1));
  const b = new Float64Array(n);
  for (let r = 0; r < n; r++) for (let v = 0; v < nv; v++) b[r] += rowsOfJ[r][v] * velocity[v];
  const blockCount = n / 3;
  return {
    G,
    b,
    n,
    rows: Int32Array.from({ length: blockCount }, (_, i) => 3 * i),
    kinds: new Uint8Array(blockCount).fill(1),
    blockCount,
    frictions: Float64Array.from({ length: blockCount }, () => random.uniform(0.1, 1.2)),
    lower: new Float64Array(n),
    upper: new Float64Array(n),
    law,
    pyramidal: false,
  };
}
