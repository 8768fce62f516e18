/** Occupied cubes of a grid. Where two overlap, their mass counts twice. */
import type { MutableNumericArray, NumericArray } from '../../math/vec3.js';
import { halfDiagonal } from '../bounds.js';
import { validateOctree } from '../octree.js';
import type { Octree } from '../shapes.js';
import { type MassProperties, MomentSum } from './moments.js';
import type { ShapeOperations } from './operations.js';

function boundOctree(out: MutableNumericArray, { resolution, cells }: Octree, X: NumericArray): void {
  for (let k = 0; k < 3; k++) {
    const x = X[3 * k];
    const y = X[3 * k + 1];
    const z = X[3 * k + 2];
    const reach = 0.5 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = 0; i < cells.length; i += 4) {
      const edge = cells[i + 3];
      const h = x * (cells[i] + 0.5 * edge) + y * (cells[i + 1] + 0.5 * edge) + z * (cells[i + 2] + 0.5 * edge);
      lower = Math.min(lower, h - reach * edge);
      upper = Math.max(upper, h + reach * edge);
    }
    out[k] = resolution * lower + X[9 + k];
    out[k + 3] = resolution * upper + X[9 + k];
  }
}

function sumOctree({ resolution, cells }: Octree, density: number): MassProperties {
  const sum = new MomentSum();
  const covariance = new Float64Array(9);
  const center = new Float64Array(3);
  for (let i = 0; i < cells.length; i += 4) {
    const edge = cells[i + 3] * resolution;
    const volume = edge * edge * edge;
    for (let k = 0; k < 3; k++) {
      center[k] = (cells[i + k] + 0.5 * cells[i + 3]) * resolution;
      covariance[4 * k] = (volume * edge * edge) / 12;
    }
    sum.add(volume, center, covariance);
  }
  return sum.finish(density);
}

export const octree: ShapeOperations<Octree> = {
  fields: null,
  validate: validateOctree,
  bound: boundOctree,
  boundingRadius: (_, __, bounds) => halfDiagonal(bounds),
  core: null,
  massProperties: sumOctree,
  isData: () => true,
};
