/**
 * Evenly spread orientations: the Hopf grid of SO(3), and which of them are near each other.
 *
 * Method: SO(3) as circles over a sphere; the sphere's points are the centres of the HEALPix grid with 12 * 4^level cells of equal area,
 * the circle is cut into 6 * 2^level. Level 0 has 72 orientations, each level eight times as many. In the plane: 16 * 2^level turns
 * about z.
 * Source: Yershova, Jain, LaValle, Mitchell 2010, "Generating uniform incremental grids on SO(3) using the Hopf fibration",
 * doi:10.1177/0278364909352700; Gorski et al. 2005, "HEALPix", doi:10.1086/427976 (centres in ring order).
 * Quaternions x y z w, flat. Neighbours: the `near` nearest of each by angle. Cost: squares of the count at levels 0 and 1, once.
 * Tested by grid-search.test.ts.
 */
import { sinCos } from '../math/scalar.js';

export interface OrientationGrid {
  readonly count: number;
  /** 4 numbers each. */
  readonly quaternions: Float64Array;
  /** Per orientation the `near` nearest others. */
  readonly neighbours: Int32Array;
  readonly near: number;
}

const trig = new Float64Array(2);

export function buildOrientationGrid(level: number, planar: boolean): OrientationGrid {
  const list: number[] = [];
  if (planar) {
    const count = 16 << level;
    for (let i = 0; i < count; i++) {
      sinCos(trig, (Math.PI * i) / count);
      list.push(0, 0, trig[0], trig[1]);
    }
  } else
    for (const [z, phi] of listSphere(1 << level)) {
      const circle = 6 << level;
      const upper = Math.sqrt((1 + z) / 2);
      const lower = Math.sqrt((1 - z) / 2);
      for (let i = 0; i < circle; i++) {
        const psi = (2 * Math.PI * (i + 0.5)) / circle;
        sinCos(trig, psi / 2);
        const [s, c] = trig;
        sinCos(trig, phi + psi / 2);
        list.push(upper * s, lower * trig[1], lower * trig[0], upper * c);
      }
    }
  const quaternions = Float64Array.from(list);
  const count = quaternions.length / 4;
  const near = planar ? 2 : 10;
  return { count, quaternions, near, neighbours: findNeighbours(quaternions, count, near) };
}

/** Numbers of the `near` orientations nearest to one, nearest first; `self` is left out. */
export function findNear(
  { quaternions, count }: Pick<OrientationGrid, 'quaternions' | 'count'>,
  q: ArrayLike<number>,
  near: number,
  self = -1,
): number[] {
  const best: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    if (i === self) continue;
    const o = 4 * i;
    const dot = Math.abs(
      quaternions[o] * q[0] + quaternions[o + 1] * q[1] + quaternions[o + 2] * q[2] + quaternions[o + 3] * q[3],
    );
    let at = best.length;
    while (at > 0 && values[at - 1] < dot) at--;
    if (at >= near) continue;
    best.splice(at, 0, i);
    values.splice(at, 0, dot);
    if (best.length > near) {
      best.pop();
      values.pop();
    }
  }
  return best;
}

function findNeighbours(quaternions: Float64Array, count: number, near: number): Int32Array {
  const out = new Int32Array(near * count);
  for (let i = 0; i < count; i++)
    out.set(findNear({ quaternions, count }, quaternions.subarray(4 * i, 4 * i + 4), near, i), near * i);
  return out;
}

/** Cosine of the polar angle, and longitude, of the centres of 12 n^2 cells of equal area. */
function listSphere(n: number): [number, number][] {
  const out: [number, number][] = [];
  for (let ring = 1; ring < 4 * n; ring++) {
    const fromPole = Math.min(ring, 4 * n - ring);
    const sign = ring > 2 * n ? -1 : 1;
    const count = fromPole < n ? 4 * fromPole : 4 * n;
    const z = fromPole < n ? sign * (1 - (fromPole * fromPole) / (3 * n * n)) : 4 / 3 - (2 * ring) / (3 * n);
    const shift = fromPole < n ? 0.5 : (ring - n + 1) % 2 === 1 ? 0.5 : 0;
    for (let j = 0; j < count; j++) out.push([z, (2 * Math.PI * (j + shift)) / count]);
  }
  return out;
}
