/**
 * Which spheres of which links a compiled check compares, and the balls that are compared first.
 *
 * Pairs that are proven never to touch are left out; the balls are then around those spheres of each link that are left, which are
 * often few. Tested by compile-sphere-checks.test.ts.
 */
import { MisuseError } from '../../math/misuse.js';
import { encloseSpheres } from './enclose-spheres.js';
import type { ImpossiblePairs } from './impossible-proof.js';
import type { CheckedLink, SphereRobot } from './sphere-robot.js';

export interface PairPlan {
  /** Indices of links; the first has rows. */
  readonly first: number;
  readonly second: number;
  /** Spheres of the first link and those of the second that each is compared with. */
  readonly rows: readonly { readonly sphere: number; readonly others: readonly number[] }[];
  /** Ball around the spheres of each that occur, in the joint's traced frame; null: the link's own. */
  readonly balls: readonly [Float64Array | null, Float64Array | null];
}

/** A ball of its own is worth a few operations when it is this much smaller. */
const SMALLER = 0.95;

/** Pairs of spheres of two links beyond which a loop compares them. */
const LONGEST_CODE = 300;

/** Code of its own would be too long. */
export function isLongPlan({ rows }: PairPlan): boolean {
  return rows.reduce((sum, { others }) => sum + others.length, 0) > LONGEST_CODE;
}

export function planPairs(robot: SphereRobot, never: ImpossiblePairs | undefined): PairPlan[] {
  const excluded = new Map<string, Set<number>>();
  const names = robot.links.map(({ name }) => name);
  for (const proof of never?.pairs ?? []) {
    const i = names.indexOf(proof.a);
    const k = names.indexOf(proof.b);
    if (i < 0 || k < 0) continue;
    const count = robot.links[k].errors.length;
    const set = new Set<number>();
    for (let n = 0; n < proof.never.length; n += 2) set.add(proof.never[n] * count + proof.never[n + 1]);
    excluded.set(`${i} ${k}`, set);
  }
  const isExcluded = (i: number, a: number, k: number, b: number): boolean =>
    excluded.get(`${i} ${k}`)?.has(a * robot.links[k].errors.length + b) === true ||
    excluded.get(`${k} ${i}`)?.has(b * robot.links[i].errors.length + a) === true;
  const plans: PairPlan[] = [];
  for (const [i, k] of robot.pairs) {
    const left: [number, number][] = [];
    robot.links[i].errors.forEach((_, a) => {
      robot.links[k].errors.forEach((__, b) => {
        if (!isExcluded(i, a, k, b)) left.push([a, b]);
      });
    });
    if (left.length > 0) plans.push(planPair(robot.links, i, k, left));
  }
  return plans;
}

/** Fewer rows with more to compare in each are cheaper: a row may end after one comparison. */
function planPair(links: readonly CheckedLink[], i: number, k: number, left: readonly [number, number][]): PairPlan {
  const ofI = new Set(left.map(([a]) => a));
  const ofK = new Set(left.map(([, b]) => b));
  const isSwapped = ofI.size > ofK.size;
  const rows = new Map<number, number[]>();
  for (const [a, b] of left) {
    const [own, other] = isSwapped ? [b, a] : [a, b];
    const row = rows.get(own);
    if (row) row.push(other);
    else rows.set(own, [other]);
  }
  const first = isSwapped ? k : i;
  const second = isSwapped ? i : k;
  return {
    first,
    second,
    rows: [...rows].map(([sphere, others]) => ({ sphere, others })),
    balls: [encloseSome(links[first], isSwapped ? ofK : ofI), encloseSome(links[second], isSwapped ? ofI : ofK)],
  };
}

function encloseSome(link: CheckedLink, some: ReadonlySet<number>): Float64Array | null {
  if (some.size === link.errors.length) return null;
  const spheres = Float64Array.from([...some].flatMap((n) => [...link.spheres.subarray(4 * n, 4 * n + 4)]));
  const ball = encloseSpheres(spheres);
  return ball[3] < SMALLER * link.bound[3] ? ball : null;
}

/** A proof holds for the coordinates, the rest and the margin that it was made for. */
export function requireProofFor(
  call: string,
  never: ImpossiblePairs,
  indices: readonly number[],
  rest: Float64Array,
  margin: number,
): void {
  const isSame =
    never.indices.length === indices.length &&
    never.indices.every((index, i) => index === indices[i]) &&
    never.rest.every((x, i) => x === rest[i] || indices.includes(i));
  if (!isSame)
    throw new MisuseError(`${call}: never, got a proof for other coordinates or another rest, expected one for these`);
  if (never.margin < margin)
    throw new MisuseError(`${call}: never, got a proof for margin ${never.margin}, expected ${margin} or more`);
}
