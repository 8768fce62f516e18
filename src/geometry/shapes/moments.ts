/**
 * Moments of bodies of uniform density: what the shapes' mass properties are made of.
 *
 * Method: hulls and closed meshes as the signed sum of tetrahedra from a reference point (the middle of the bounds, so that far-off
 * meshes keep their digits), with the second moments of each; parts are summed with the parallel-axis rule.
 * Source: Tonon 2005, "Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex
 * coordinates", doi:10.3844/jmssp.2005.8.11 (the moments of section 3, as a covariance matrix).
 * Frames: the shape's; inertia about the centre of mass. Cost: O(triangles). Checked by mass-properties.test.ts.
 */
import { MisuseError } from '../../math/misuse.js';
import { boundPoints } from '../bounds.js';
import type { TriangleMesh } from '../triangle-mesh.js';

export interface MassProperties {
  readonly volume: number;
  readonly mass: number;
  readonly centerOfMass: Float64Array;
  /** About the centre of mass, row-major. */
  readonly inertia: Float64Array;
}

/** Of a shape symmetric about its planes: moments per mass along the axes; the centre of mass at height z. */
export function fromDiagonal(volume: number, density: number, moments: readonly number[], z = 0): MassProperties {
  const mass = volume * density;
  const inertia = new Float64Array(9);
  for (let k = 0; k < 3; k++) inertia[4 * k] = mass * moments[k];
  return { volume, mass, centerOfMass: Float64Array.of(0, 0, z), inertia };
}

/** Of a shape symmetric about its planes: the integrals of x^2, y^2, z^2 over it. */
export function fromMoments(volume: number, density: number, [x, y, z]: readonly number[]): MassProperties {
  return fromDiagonal(volume, density, [(y + z) / volume, (z + x) / volume, (x + y) / volume]);
}

/** Of a closed mesh wound outward. */
export function integrateTetrahedra(mesh: TriangleMesh, density: number): MassProperties {
  const { vertices, triangles } = mesh;
  const bounds = boundPoints(new Float64Array(6), vertices);
  const reference = [0, 1, 2].map((k) => 0.5 * (bounds[k] + bounds[k + 3]));
  const p = new Float64Array(9);
  const first = new Float64Array(3);
  const second = new Float64Array(9);
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    for (let i = 0; i < 3; i++)
      for (let k = 0; k < 3; k++) p[3 * i + k] = vertices[3 * triangles[t + i] + k] - reference[k];
    const det =
      p[0] * (p[4] * p[8] - p[5] * p[7]) + p[1] * (p[5] * p[6] - p[3] * p[8]) + p[2] * (p[3] * p[7] - p[4] * p[6]);
    volume += det / 6;
    for (let k = 0; k < 3; k++) first[k] += (det / 24) * (p[k] + p[3 + k] + p[6 + k]);
    for (let k = 0; k < 3; k++)
      for (let m = k; m < 3; m++) {
        const sum =
          (p[k] + p[3 + k] + p[6 + k]) * (p[m] + p[3 + m] + p[6 + m]) +
          p[k] * p[m] +
          p[3 + k] * p[3 + m] +
          p[6 + k] * p[6 + m];
        second[3 * k + m] += (det / 120) * sum;
      }
  }
  const center = first.map((x) => (volume === 0 ? 0 : x / volume));
  const covariance = (k: number, m: number): number => {
    const [i, j] = k <= m ? [k, m] : [m, k];
    return second[3 * i + j] - volume * center[i] * center[j];
  };
  const trace = covariance(0, 0) + covariance(1, 1) + covariance(2, 2);
  const inertia = new Float64Array(9);
  for (let k = 0; k < 3; k++)
    for (let m = 0; m < 3; m++) inertia[3 * k + m] = density * ((k === m ? trace : 0) - covariance(k, m));
  return {
    volume,
    mass: volume * density,
    centerOfMass: center.map((x, k) => x + reference[k]),
    inertia,
  };
}

/** Running sum of volume, first and second moments about the origin, whatever the density. */
export class MomentSum {
  volume = 0;
  readonly first = new Float64Array(3);
  /** Covariance (integral of x x^T), row-major. */
  readonly second = new Float64Array(9);

  /** Adds a body given by volume, centre and covariance about its centre in this frame. */
  add(volume: number, center: ArrayLike<number>, covariance: ArrayLike<number>): void {
    this.volume += volume;
    for (let k = 0; k < 3; k++) {
      this.first[k] += volume * center[k];
      for (let m = 0; m < 3; m++) this.second[3 * k + m] += covariance[3 * k + m] + volume * center[k] * center[m];
    }
  }

  finish(density: number): MassProperties {
    const { volume } = this;
    const center = this.first.map((x) => (volume === 0 ? 0 : x / volume));
    // From the upper triangle, so that the result is symmetric to the last bit.
    const covariance = this.second.map((_, at) => {
      const [i, j] = [Math.min(Math.floor(at / 3), at % 3), Math.max(Math.floor(at / 3), at % 3)];
      return this.second[3 * i + j] - volume * center[i] * center[j];
    });
    const trace = covariance[0] + covariance[4] + covariance[8];
    const inertia = covariance.map((x, i) => density * ((i % 4 === 0 ? trace : 0) - x));
    return { volume, mass: volume * density, centerOfMass: center, inertia };
  }
}

/** For shapes that have none. */
export function refuseMass({ type }: { readonly type: string }): never {
  throw new MisuseError(`computeMassProperties: type, got ${type}, expected a shape with a volume`);
}
