/** Random chains of mixed links and joints, and what their queries give by definition: every pair measured anew. */
import {
  type Chain,
  type ChainDescription,
  type ChainJoint,
  type ChainLink,
  createChain as createPlainChain,
} from '../../src/chain/chain.js';
import type { ChainState } from '../../src/chain/chain-state.js';
import type { LinkPairs } from '../../src/chain/link-pairs.js';
import { closestSegmentSegment } from '../../src/geometry/closest-points.js';
import type { Random } from '../../src/math/random.js';
import {
  createTransform,
  invertTransform,
  multiplyTransform,
  type Pose,
  poseToTransform,
  setIdentityTransform,
} from '../../src/math/transform.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';

/** What each chain was made from, for the reference. */
const descriptions = new WeakMap<Chain, ChainDescription>();

export function createChain(description: ChainDescription): Chain {
  const chain = createPlainChain(description);
  descriptions.set(chain, description);
  return chain;
}

export function descriptionOf(chain: Chain): ChainDescription {
  return descriptions.get(chain)!;
}

type Rotation = [number, number, number, number];

function toUnit([x, y, z, w]: Rotation): Rotation {
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  return [x / length, y / length, z / length, w / length];
}

export function randomRotation(random: Random): Rotation {
  return toUnit([random.normal(), random.normal(), random.normal(), random.normal()]);
}

export function randomPose(random: Random, reach: number): Pose {
  const at = () => random.uniform(-reach, reach);
  return [at(), at(), at(), ...randomRotation(random)];
}

/** A closed mesh of four triangles. */
export function wedge(width: number, height: number): ChainLink['shape'] {
  const vertices = Float64Array.of(0, 0, 0, width, 0, 0, 0, width, 0, 0, 0, height);
  return { type: 'mesh', mesh: { vertices, triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2) } };
}

function randomShape(random: Random, mixed: boolean): ChainLink['shape'] {
  const radius = random.uniform(0.1, 0.5);
  const kind = random.integer(mixed ? 8 : 2);
  if (kind === 0) return { type: 'sphere', radius };
  if (kind === 1) return { type: 'capsule', radius, length: random.uniform(0, 1.5) };
  if (kind === 2) return { type: 'box', size: [2 * radius, radius, random.uniform(0.1, 1)] };
  if (kind === 3) return { type: 'cylinder', radius, length: random.uniform(0.1, 1) };
  // Links with hierarchies of their own: a mesh, and parts.
  if (kind === 4) return wedge(2 * radius, random.uniform(0.2, 1));
  if (kind === 5) {
    const ball = { shape: { type: 'sphere', radius } as const, pose: randomPose(random, 0.5) };
    return { type: 'compound', children: [ball, { shape: { type: 'box', size: [0.2, radius, 0.8] } }] };
  }
  const count = 1 + random.integer(6);
  return {
    type: 'balls',
    centers: Float64Array.from({ length: 3 * count }, () => random.uniform(-0.6, 0.6)),
    radii: Float64Array.from({ length: count }, () => random.uniform(0, 0.3)),
  };
}

/** `spacing` 0.7 starts in contact almost surely, 4 mostly free. */
export function randomChain(random: Random, linkCount: number, spacing: number, mixed = false): Chain {
  const links = Array.from({ length: linkCount }, (): ChainLink => {
    const pose = random.next() < 0.5 ? randomPose(random, 0.3) : undefined;
    return { shape: randomShape(random, mixed), pose };
  });
  const joints = Array.from({ length: linkCount - 1 }, (): ChainJoint => {
    const types = ['revolute', 'revolute', 'prismatic', 'spherical', 'fixed'] as const;
    const bend = toUnit([0.5 * random.normal(), 0.5 * random.normal(), 0.5 * random.normal(), 3]);
    return {
      type: types[random.integer(types.length)],
      origin: [spacing, 0, 0, ...bend],
      axis: [random.normal(), random.normal(), random.normal()],
    };
  });
  return createChain({ links, joints, exclusion: 1 + random.integer(3) });
}

/** Links first + 1 .. last of a branch: it leaves the row at link `first`, and link last + 1 follows `first` in the row. */
export interface Branch {
  readonly first: number;
  readonly last: number;
}

export interface BranchedChain {
  readonly chain: Chain;
  readonly branches: readonly Branch[];
}

/**
 * As `randomChain` with mixed links, with stretches whose joints are all fixed and with branches of up to three links. The
 * joint behind a branch leads from its last link to where the row goes on. Half of the chains start as a random coil.
 */
export function randomBranchedChain(random: Random, linkCount: number, spacing: number): BranchedChain {
  const { links, joints, exclusion } = descriptionOf(randomChain(random, linkCount, spacing, true));
  const isCoil = random.next() < 0.5;
  const changed = joints.map((joint): ChainJoint => {
    return isCoil ? { ...joint, origin: [spacing, 0, 0, ...randomRotation(random)] } : joint;
  });
  const branches: Branch[] = [];
  for (let i = 0; i + 1 < linkCount; i++) {
    const choice = random.next();
    if (choice < 0.02) {
      const end = Math.min(linkCount - 1, i + 2 + random.integer(20));
      for (; i < end; i++) changed[i] = { ...changed[i], type: 'fixed' };
    } else if (choice < 0.12 && i + 5 < linkCount) {
      const branch = { first: i, last: i + 1 + random.integer(3) };
      branches.push(branch);
      i = branch.last;
    }
  }
  return { chain: createChain({ links, joints: changed, exclusion }), branches };
}

/**
 * Stages a turn inside a branch and what the joint behind it needs for the row to stay where it is. No joint of the branch
 * may be staged already.
 */
export function stageBranch(random: Random, states: readonly ChainState[], { first, last }: Branch): void {
  const joint = first + random.integer(last - first);
  const [X, turned, onward, back] = [0, 1, 2, 3].map(createTransform);
  states[0].relativePose(onward, first, last + 1);
  states[0].jointTransform(turned, joint);
  multiplyTransform(turned, turned, poseToTransform(createTransform(), [0, 0, 0, ...randomRotation(random)]));
  setIdentityTransform(back);
  for (let i = first; i < last; i++) {
    multiplyTransform(back, back, i === joint ? turned : states[0].jointTransform(X, i));
  }
  multiplyTransform(back, invertTransform(back, back), onward);
  for (const state of states) {
    state.stageTransform(joint, turned);
    state.stageTransform(last, back);
  }
}

/** Stages the same random change in every state; the seed decides, not the representation. */
export function stageChange(random: Random, states: readonly ChainState[], joint: number): void {
  const { jointKinds } = states[0].chain;
  const kind = jointKinds[joint];
  if (kind === 3) return;
  const value = random.uniform(-3, 3);
  const rotation = randomRotation(random);
  const isRelative = random.next() < 0.3;
  for (const state of states) {
    if (kind === 2) state.stageRotation(joint, rotation);
    else if (kind === 1) state.stageValue(joint, 0.2 * value);
    else if (isRelative) state.stageTurn(joint, 0.3 * value);
    else state.stageValue(joint, value);
  }
}

/** A link's content in the world as segments with radii; null for shapes that have other parts. */
export function listSegments(
  shape: ChainLink['shape'],
  X: ArrayLike<number>,
): { ends: Float64Array; radius: number }[] | null {
  const at = (x: number, y: number, z: number) =>
    [0, 1, 2].map((k) => X[9 + k] + X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z);
  if (shape.type === 'sphere') return [{ ends: Float64Array.of(...at(0, 0, 0), ...at(0, 0, 0)), radius: shape.radius }];
  if (shape.type === 'capsule') {
    const half = shape.length / 2;
    return [{ ends: Float64Array.of(...at(0, 0, -half), ...at(0, 0, half)), radius: shape.radius }];
  }
  if (shape.type !== 'balls') return null;
  return Array.from(shape.radii, (radius, i) => {
    const center = at(shape.centers[3 * i], shape.centers[3 * i + 1], shape.centers[3 * i + 2]);
    return { ends: Float64Array.of(...center, ...center), radius };
  });
}

const solids = new WeakMap<Chain, (Collider[] | null)[]>();

/** Colliders of links that are no segments, one per ball for clusters; made once per chain. */
function solidsOf(chain: Chain): (Collider[] | null)[] {
  let found = solids.get(chain);
  if (!found) {
    const { links } = descriptions.get(chain)!;
    const needed = links.some(({ shape }) => !['sphere', 'capsule', 'balls'].includes(shape.type));
    found = links.map(({ shape }) => {
      if (!needed) return null;
      if (shape.type !== 'balls') return [createCollider(shape)];
      return Array.from(shape.radii, (radius) => createCollider({ type: 'sphere', radius: Math.max(radius, 1e-30) }));
    });
    solids.set(chain, found);
  }
  return found;
}

/** A link where it is. */
export interface PlacedLink {
  readonly shape: ChainLink['shape'];
  readonly X_W: Float64Array;
  readonly segments: { ends: Float64Array; radius: number }[] | null;
  readonly solids: Collider[] | null;
}

/** All links in the frame of link 0, joints multiplied out. */
export function placeLinks(state: ChainState): PlacedLink[] {
  const { links } = descriptions.get(state.chain)!;
  const colliders = solidsOf(state.chain);
  const X = createTransform();
  let pose = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  return links.map(({ shape, pose: own }, i) => {
    if (i > 0) pose = multiply(pose, state.jointTransform(X, i - 1));
    const X_W = own ? multiply(pose, poseToTransform(createTransform(), own)) : pose;
    return { shape, X_W: Float64Array.from(X_W), segments: listSegments(shape, X_W), solids: colliders[i] };
  });
}

const closest = new Float64Array(6);
const result = createDistanceResult();

/** Every part of one link against every part of the other. */
export function gapBetween(first: PlacedLink, second: PlacedLink): number {
  let least = Infinity;
  if (first.segments && second.segments) {
    for (const one of first.segments) {
      for (const other of second.segments) {
        const between = Math.sqrt(closestSegmentSegment(closest, one.ends, 0, other.ends, 0));
        least = Math.min(least, between - one.radius - other.radius);
      }
    }
    return least;
  }
  for (const [one, X_1] of listSolids(first)) {
    for (const [other, X_2] of listSolids(second)) {
      least = Math.min(least, distance(result, one, X_1, other, X_2).distance);
    }
  }
  return least;
}

export function listSolids({ shape, X_W, segments, solids: own }: PlacedLink): [Collider, Float64Array][] {
  if (shape.type !== 'balls') return own!.map((collider) => [collider, X_W]);
  return segments!.map(({ ends }, i) => [
    own![i],
    Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ends[0], ends[1], ends[2]),
  ]);
}

/** Gaps of all pairs beyond the exclusion range at [a * n + b], Infinity elsewhere. */
export function measureAll(state: ChainState): Float64Array {
  const { linkCount: n, exclusion } = state.chain;
  const placed = placeLinks(state);
  const gaps = new Float64Array(n * n).fill(Infinity);
  for (let a = 0; a < n; a++) {
    for (let b = a + exclusion + 1; b < n; b++) gaps[a * n + b] = gapBetween(placed[a], placed[b]);
  }
  return gaps;
}

export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out.push(a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c]);
  }
  for (let r = 0; r < 3; r++) {
    out.push(a[3 * r] * b[9] + a[3 * r + 1] * b[10] + a[3 * r + 2] * b[11] + a[9 + r]);
  }
  return out;
}

export function within(gaps: Float64Array, most: number): string[] {
  const n = Math.sqrt(gaps.length);
  const pairs: string[] = [];
  gaps.forEach((gap, i) => {
    if (gap <= most) pairs.push(`${Math.floor(i / n)},${i % n}`);
  });
  return pairs;
}
export const pairNames = (pairs: LinkPairs) => pairs.toArray().map(([a, b]) => `${a},${b}`);
