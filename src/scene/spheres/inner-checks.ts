/**
 * What certainly touches: compiled checks of spheres inside a robot's bodies against each other and against obstacles whose shapes the checks
 * know exactly. A verdict of theirs is the scene's; where they say nothing, nothing is known.
 *
 * Method: the spheres are smaller by SHRINK than what is inside, which is more than all that single precision can lose of places this near
 * (`lost` of the checks, and 16 x 2^-24 of an obstacle's distance and size): spheres that it calls touching overlap. Obstacles that
 * stand in for others, and far ones, are left out.
 * Fails: says nothing outside joint limits. Tested by sphere-checker.test.ts.
 */
import type { SphereObstacle } from '../../compile/sphere-checks/environment.js';
import type { SphereCheckOptions } from '../../compile/sphere-checks/options.js';
import type { SphereChecks } from '../../compile/sphere-checks/sphere-checks.js';
import type { SphereModel } from '../../geometry/sphere-model.js';
import type { Model } from '../../model/model.js';

export interface InnerLink {
  readonly name: string;
  readonly frame: number;
  readonly inner: Float64Array;
  readonly isLink: boolean;
}

export interface InnerRequest {
  readonly pairs: readonly (readonly [string, string])[];
  readonly indices: readonly number[];
  readonly rest: Float64Array;
  readonly environmentBytes: number;
}

/** `compileSphereChecks`, or `createSphereChecks`. */
export type MakeChecks = (model: Model, spheres: SphereModel, options: SphereCheckOptions) => SphereChecks;

const SHRINK = 2e-4;
const MOST_LOST = 1e-4;
/** Metres within which an obstacle's record loses less than the rest. */
const NEAR = 15;
const EXACT = new Set(['sphere', 'box', 'capsule', 'cylinder', 'halfspace', 'rounded-box', 'rounded-cylinder']);

export class InnerChecks {
  /** Null where there is nothing to tell by. */
  checks: SphereChecks | null = null;
  private names: ReadonlySet<string> = new Set();

  build(make: MakeChecks, model: Model, links: readonly InnerLink[], { pairs, ...request }: InnerRequest): void {
    const kept = links.map((link) => ({ ...link, inner: shrink(link.inner) })).filter(({ inner }) => inner.length > 0);
    this.checks = null;
    this.names = new Set(kept.map(({ name }) => name));
    if (kept.length === 0) return;
    const spheres: SphereModel = {
      links: kept
        .filter(({ isLink }) => isLink)
        .map(({ name, inner }) => ({ link: name, bound: new Float64Array(4), levels: [inner] })),
      proven: false,
      assumed: [],
    };
    const carried = kept
      .filter(({ isLink }) => !isLink)
      .map(({ name, frame, inner }) => ({ name, frame, spheres: inner }));
    const known = pairs.filter(([a, b]) => this.names.has(a) && this.names.has(b));
    const checks = make(model, spheres, { ...request, pairs: known, carried });
    if (checks.lost <= MOST_LOST) this.checks = checks;
  }

  setEnvironment(obstacles: readonly SphereObstacle[]): void {
    this.checks?.setEnvironment(obstacles.filter(isExactlyKnown));
  }
}

function shrink(spheres: Float64Array): Float64Array {
  const out: number[] = [];
  for (let i = 0; i < spheres.length; i += 4)
    if (spheres[i + 3] > 2 * SHRINK) out.push(spheres[i], spheres[i + 1], spheres[i + 2], spheres[i + 3] - SHRINK);
  return Float64Array.from(out);
}

function isExactlyKnown({ shape, placement }: SphereObstacle): boolean {
  if (!EXACT.has(shape.type)) return false;
  const X = placement as Float64Array;
  if (Math.abs(X[9]) + Math.abs(X[10]) + Math.abs(X[11]) > NEAR) return false;
  switch (shape.type) {
    case 'halfspace':
      return Math.abs(shape.offset) < NEAR;
    case 'box':
    case 'rounded-box':
      return Math.max(...shape.size) < NEAR;
    case 'sphere':
      return shape.radius < NEAR;
    case 'capsule':
    case 'cylinder':
    case 'rounded-cylinder':
      return shape.radius + shape.length < NEAR;
    default:
      return false;
  }
}
