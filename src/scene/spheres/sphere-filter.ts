/**
 * Pairs of bodies that a robot's spheres tell to be apart, where they stand now: what spares most exact tests of a state that spheres as a whole
 * cannot decide.
 *
 * Method: spheres of both, or of one against a convex shape with a closed form (geometry/point-core.ts). Nothing is told of other pairs.
 * Frames: W. Cost: some ten nanoseconds a sphere; spheres are placed once for a place of their body. Allocates on edits only.
 * Tested by sphere-checker.test.ts.
 */
import { measurePointToCore } from '../../geometry/point-core.js';
import { inverseTransformPoint } from '../../math/transform.js';
import type { BodyPart } from '../bodies.js';
import type { SceneBody } from '../types.js';
import { moveSpheres, type OwnBody, sphereFrame } from './scene-spheres.js';

interface Placed {
  readonly own: OwnBody;
  readonly spheres: Float64Array;
  /** Where the body stood when they were placed. */
  readonly stood: Float64Array;
}

/** Covers the rounding of placed spheres and of distances. */
const SLACK = 1e-9;

export class SphereFilter {
  private placed = new Map<SceneBody, Placed>();
  private from: readonly OwnBody[] = [];
  private readonly point = new Float64Array(3);
  private readonly nearest = new Float64Array(6);

  /** `list`: the robot's bodies now. */
  constructor(private readonly list: () => readonly OwnBody[]) {}

  /** True only where they are farther apart than `bound`. */
  readonly isApart = (a: SceneBody, b: SceneBody, bound: number): boolean => {
    const own = this.list();
    if (own !== this.from) this.rebuild(own);
    const p = this.spheresOf(a);
    const q = this.spheresOf(b);
    if (p && q) return areSpheresApart(p, q, bound);
    if (p) return b.parts.length === 1 && this.isPartApart(b.parts[0], p, bound);
    return q !== null && a.parts.length === 1 && this.isPartApart(a.parts[0], q, bound);
  };

  private rebuild(own: readonly OwnBody[]): void {
    this.from = own;
    this.placed = new Map(
      own
        .filter(({ spheres }) => spheres.length > 0)
        .map((each) => [
          each.body,
          { own: each, spheres: Float64Array.from(each.spheres), stood: new Float64Array(12).fill(Number.NaN) },
        ]),
    );
  }

  private spheresOf(body: SceneBody): Float64Array | null {
    const placed = this.placed.get(body);
    if (placed === undefined) return null;
    const { own, spheres, stood } = placed;
    const X = body.worldPlacement;
    for (let i = 0; i < 12; i++) {
      if (stood[i] === X[i]) continue;
      stood.set(X);
      moveSpheres(spheres, own.spheres, sphereFrame(own));
      break;
    }
    return spheres;
  }

  private isPartApart({ collider, worldPlacement }: BodyPart, spheres: Float64Array, bound: number): boolean {
    const { core } = collider;
    if (!collider.isPlain) return false;
    const { point, nearest } = this;
    for (let i = 0; i < spheres.length; i += 4) {
      let size = 1 + spheres[i + 3] + Math.abs(bound);
      for (let k = 0; k < 3; k++) {
        point[k] = spheres[i + k];
        size += Math.abs(point[k]);
      }
      inverseTransformPoint(point, worldPlacement, point);
      const reach = bound + spheres[i + 3] + core.radius;
      if (!(measurePointToCore(nearest, core, point) > reach + SLACK * size)) return false;
    }
    return true;
  }
}

function areSpheresApart(p: Float64Array, q: Float64Array, bound: number): boolean {
  for (let i = 0; i < p.length; i += 4)
    for (let k = 0; k < q.length; k += 4) {
      const slack = SLACK * (1 + Math.abs(p[i]) + Math.abs(p[i + 1]) + Math.abs(p[i + 2]) + p[i + 3]);
      const reach = Math.max(p[i + 3] + q[k + 3] + bound, 0) + slack;
      const d = (p[i] - q[k]) ** 2 + (p[i + 1] - q[k + 1]) ** 2 + (p[i + 2] - q[k + 2]) ** 2;
      if (!(d > reach * reach)) return false;
    }
  return true;
}
