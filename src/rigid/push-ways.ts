/**
 * Directions to push a body in: half of them along one of its own principal axes, since what is long goes through a hole lengthwise,
 * half of them uniform.
 *
 * Method: eigenvectors of the second moments of the surface's area about its centre.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { eigenSymmetric3 } from '../math/dense/eigen.js';
import type { Random } from '../math/random.js';
import { rotated } from './motion-bound.js';
import type { RigidPose } from './pose.js';

export class PushWays {
  /** Columns: unit vectors in the body's frame. */
  private readonly axes: Float64Array;
  private readonly axis = new Float64Array(3);
  private readonly way = new Float64Array(3);

  /** `planar`: in x and y only. */
  constructor(
    body: TriangleMesh,
    private readonly planar: boolean,
  ) {
    this.axes = findPrincipalAxes(body);
  }

  /** A unit vector in the obstacles' frame, for the body at this pose; overwritten by the next call. */
  draw(pose: RigidPose, random: Random): Float64Array {
    const { way, axis, axes } = this;
    const isOwn = random.next() < 0.5;
    if (isOwn) {
      const column = Math.min(2, Math.floor(3 * random.next()));
      const sign = random.next() < 0.5 ? -1 : 1;
      for (let k = 0; k < 3; k++) axis[k] = sign * axes[3 * k + column];
      rotated(way, pose, axis);
    } else for (let k = 0; k < 3; k++) way[k] = random.normal();
    if (this.planar) way[2] = 0;
    const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if (!(length > 1e-9)) return way.fill(0);
    for (let k = 0; k < 3; k++) way[k] /= length;
    return way;
  }
}

function findPrincipalAxes({ vertices, triangles }: TriangleMesh): Float64Array {
  const corners = new Float64Array(9);
  const center = new Float64Array(3);
  const moments = new Float64Array(9);
  let whole = 0;
  // First the centre of area, then the moments about it.
  for (const pass of [0, 1]) {
    for (let t = 0; t < triangles.length; t += 3) {
      for (let i = 0; i < 9; i++) corners[i] = vertices[3 * triangles[t + Math.floor(i / 3)] + (i % 3)] - center[i % 3];
      const area = areaOf(corners);
      if (pass === 0) whole += area;
      for (let i = 0; i < 3; i++) {
        const sum = corners[i] + corners[3 + i] + corners[6 + i];
        if (pass === 0) moments[i] += (area * sum) / 3;
        else
          for (let j = 0; j < 3; j++) {
            let product = sum * (corners[j] + corners[3 + j] + corners[6 + j]);
            for (let v = 0; v < 9; v += 3) product += corners[v + i] * corners[v + j];
            moments[3 * i + j] += (area * product) / 12;
          }
      }
    }
    if (pass === 1) break;
    for (let k = 0; k < 3; k++) center[k] = whole > 0 ? moments[k] / whole : 0;
    moments.fill(0);
  }
  const axes = new Float64Array(9);
  if (!eigenSymmetric3(new Float64Array(3), axes, moments)) axes.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  return axes;
}

function areaOf(c: Float64Array): number {
  const [ux, uy, uz] = [c[3] - c[0], c[4] - c[1], c[5] - c[2]];
  const [vx, vy, vz] = [c[6] - c[0], c[7] - c[1], c[8] - c[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return 0.5 * Math.sqrt(x * x + y * y + z * z);
}
