/**
 * Volume, mass, centre of mass and inertia of shapes of uniform density.
 *
 * Method: closed forms for primitives; hulls and closed meshes as the signed sum of tetrahedra from a reference point
 * (the middle of the bounds, so that far-off meshes keep their digits), with the second moments of each tetrahedron.
 * Source: Tonon 2005, "Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex
 * coordinates", doi:10.3844/jmssp.2005.8.11 (the moments of section 3, as a covariance matrix).
 * Frames: the shape's frame; inertia about the centre of mass, row-major 3x3. Units: density times those of the shape.
 * Parts (cubes of an octree, children of a compound) are summed with the parallel-axis rule, so what lies in two of them
 * counts twice. Cost: constant, O(triangles) for meshes. A mesh must be closed and wound outward to mean anything; an inside-out one
 * has negative volume. Checked by mass-properties.test.ts.
 */
import { requireFinite, requireNotNegative } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { poseToTransform } from '../math/transform.js';
import { boundPoints } from './aabb.js';
import { meshHeightField } from './height-field.js';
import { buildConvexHull } from './hull.js';
import type { Compound, Octree, Shape } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { validateShape } from './validate-shape.js';

export interface MassProperties {
  readonly volume: number;
  readonly mass: number;
  readonly centerOfMass: Float64Array;
  /** About the centre of mass, row-major. */
  readonly inertia: Float64Array;
}

function fromDiagonal(volume: number, density: number, moments: readonly number[], z = 0): MassProperties {
  const mass = volume * density;
  const inertia = new Float64Array(9);
  for (let k = 0; k < 3; k++) inertia[4 * k] = mass * moments[k];
  return { volume, mass, centerOfMass: Float64Array.of(0, 0, z), inertia };
}

function integrateTetrahedra(mesh: TriangleMesh, density: number): MassProperties {
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
class MomentSum {
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

function sumCompound({ children }: Compound, density: number): MassProperties {
  const sum = new MomentSum();
  const X = new Float64Array(12);
  for (const { shape, pose } of children) {
    const own = computeMassProperties(shape, 1);
    poseToTransform(X, pose ?? [0, 0, 0, 0, 0, 0, 1]);
    const { inertia, centerOfMass } = own;
    const trace = 0.5 * (inertia[0] + inertia[4] + inertia[8]);
    const center = new Float64Array(3);
    const covariance = new Float64Array(9);
    for (let k = 0; k < 3; k++) {
      center[k] = X[9 + k];
      for (let m = 0; m < 3; m++) center[k] += X[3 * k + m] * centerOfMass[m];
      for (let m = 0; m < 3; m++)
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++)
            covariance[3 * k + m] += X[3 * k + i] * ((i === j ? trace : 0) - inertia[3 * i + j]) * X[3 * m + j];
    }
    sum.add(own.volume, center, covariance);
  }
  return sum.finish(density);
}

/**
 * Mass properties of a shape of uniform density. Throws for shapes without a volume: a half-space, points (whose balls
 * overlap), a height field without a floor.
 */
export function computeMassProperties(shape: Shape, density: number): MassProperties {
  requireFinite('computeMassProperties', 'density', density);
  requireNotNegative('computeMassProperties', 'density', density);
  validateShape(shape);
  switch (shape.type) {
    case 'sphere': {
      const { radius: r } = shape;
      return fromDiagonal((4 / 3) * Math.PI * r * r * r, density, [0.4 * r * r, 0.4 * r * r, 0.4 * r * r]);
    }
    case 'ellipsoid': {
      const [a, b, c] = shape.semiAxes;
      const moments = [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5];
      return fromDiagonal((4 / 3) * Math.PI * a * b * c, density, moments);
    }
    case 'box': {
      const [a, b, c] = shape.size;
      return fromDiagonal(a * b * c, density, [(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12]);
    }
    case 'cylinder': {
      const { radius: r, length: l } = shape;
      const across = (3 * r * r + l * l) / 12;
      return fromDiagonal(Math.PI * r * r * l, density, [across, across, 0.5 * r * r]);
    }
    case 'cone': {
      const { radius: r, length: l } = shape;
      const across = 0.15 * r * r + 0.0375 * l * l;
      // Base at -l/2: the centre of mass lies a quarter of the height above it.
      return fromDiagonal((Math.PI * r * r * l) / 3, density, [across, across, 0.3 * r * r], -l / 4);
    }
    case 'capsule': {
      const { radius: r, length: l } = shape;
      const cylinder = Math.PI * r * r * l;
      const ball = (4 / 3) * Math.PI * r * r * r;
      const volume = cylinder + ball;
      // Each half ball: 2/5 r^2 about its flat centre, 3/8 r from it to its centroid.
      const across =
        (cylinder * ((3 * r * r + l * l) / 12) + ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r)) / volume;
      const along = (cylinder * 0.5 * r * r + ball * 0.4 * r * r) / volume;
      return fromDiagonal(volume, density, [across, across, along]);
    }
    case 'convex':
      return integrateTetrahedra(buildConvexHull(shape.points), density);
    case 'mesh':
      return integrateTetrahedra(shape.mesh, density);
    case 'octree':
      return sumOctree(shape, density);
    case 'compound':
      return sumCompound(shape, density);
    case 'heightfield':
      if (shape.floor !== undefined) return integrateTetrahedra(meshHeightField(shape), density);
      throw new MisuseError('computeMassProperties: heightfield, got no floor, expected one: a surface has no volume');
    default:
      throw new MisuseError(`computeMassProperties: type, got ${shape.type}, expected a shape with a volume`);
  }
}
