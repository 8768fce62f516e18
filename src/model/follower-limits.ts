/**
 * What the joints that follow another (mimic joints) mean for it: its position range, and whether a full turn of it is nothing.
 *
 * One rule for limits: a follower and its driver are one mechanism, so a follower's position limits narrow its driver's range to
 * where multiplier x q + offset stays inside them; `model.lower` and `model.upper` of the driver are that range, which everything
 * reads (checks, random values, inverse kinematics, planning, trajectories). A follower whose limits leave its driver no
 * range, as with files that give all fingers the same limits whatever their sense, contradicts it: its limits are of no account and
 * an issue `mimic-limits` says so. Narrowing is told as `mimic-limits-narrow`. Followers are taken in the order of the file.
 * Continuous drivers wrap only when a full turn of them is one of every follower: all turn, by whole multipliers, without
 * limits.
 * Cost: linear in joints. Tested by build-model.test.ts and test/regression/mimic-joints.test.ts.
 */
import type { JointDescription } from './description.js';
import type { ModelIssue } from './issue.js';
import { findJointKind } from './joints/index.js';
import type { ResolvedMimic } from './resolve-mimic.js';

export interface Range {
  readonly lower: number;
  readonly upper: number;
}

/** Ranges that differ by less, relative to 1 and their ends, are the same. */
const ROUNDING = 1e-9;

/** Position range of a joint of one coordinate as the file gives it. */
export function readRange({ type, limits }: JointDescription): Range {
  const [a, b] = [limits?.lower ?? -Infinity, limits?.upper ?? Infinity];
  if (findJointKind(type)?.isWrapped) return { lower: -Infinity, upper: Infinity };
  return a > b ? { lower: b, upper: a } : { lower: a, upper: b };
}

/** Range of every driver that its followers narrow, by its name. */
export function narrowDrivers(
  joints: readonly JointDescription[],
  mimics: ReadonlyMap<string, ResolvedMimic>,
  issues: ModelIssue[],
): Map<string, Range> {
  const byName = new Map(joints.map((joint) => [joint.name, joint]));
  const ranges = new Map<string, Range>();
  for (const joint of joints) {
    const mimic = mimics.get(joint.name);
    if (!mimic || mimic.driver === null) continue;
    const own = readRange(joint);
    if (own.lower === -Infinity && own.upper === Infinity) continue;
    const range = ranges.get(mimic.driver) ?? readRange(byName.get(mimic.driver) as JointDescription);
    const narrowed = intersect(range, pullBack(own, mimic));
    const relation = `q = ${mimic.multiplier} x "${mimic.driver}" + ${mimic.offset}`;
    const limits = `its limits ${own.lower} to ${own.upper} (${relation})`;
    if (narrowed === null) {
      issues.push({
        severity: 'warning',
        code: 'mimic-limits',
        element: `joint "${joint.name}"`,
        message: `${limits} leave "${mimic.driver}" none of its range ${range.lower} to ${range.upper}; they are ignored`,
        assumes: 'altered',
      });
    } else if (isNarrower(narrowed, range)) {
      issues.push({
        severity: 'info',
        code: 'mimic-limits-narrow',
        element: `joint "${joint.name}"`,
        message: `${limits} narrow the range of "${mimic.driver}" from ${range.lower} .. ${range.upper} to ${narrowed.lower} .. ${narrowed.upper}`,
      });
      ranges.set(mimic.driver, narrowed);
    }
  }
  return ranges;
}

/** Drivers of which a full turn changes the placement of some follower, or leads it beyond its limits. */
export function findUnwrappedDrivers(
  joints: readonly JointDescription[],
  mimics: ReadonlyMap<string, ResolvedMimic>,
  ranges: ReadonlyMap<string, Range>,
): Set<string> {
  const drivers = new Set(ranges.keys());
  for (const joint of joints) {
    const mimic = mimics.get(joint.name);
    if (!mimic || mimic.driver === null) continue;
    const turns = findJointKind(joint.type)?.motion === 'rotation';
    if (!(turns ? Number.isInteger(mimic.multiplier) : mimic.multiplier === 0)) drivers.add(mimic.driver);
  }
  return drivers;
}

/** Values of the driver for which the follower is inside. */
function pullBack({ lower, upper }: Range, { multiplier, offset }: ResolvedMimic): Range | null {
  if (multiplier === 0)
    return offset >= lower - ROUNDING && offset <= upper + ROUNDING ? { lower: -Infinity, upper: Infinity } : null;
  const [a, b] = [(lower - offset) / multiplier, (upper - offset) / multiplier];
  return a < b ? { lower: a, upper: b } : { lower: b, upper: a };
}

/** What both have in common; null when it is nothing, or one point of a longer range. */
function intersect(range: Range, other: Range | null): Range | null {
  if (other === null) return null;
  // A range that the other's rounded ends cover stays as it is.
  const slack = ROUNDING * scaleOf(range);
  const lower = other.lower > range.lower + slack ? other.lower : range.lower;
  const upper = other.upper < range.upper - slack ? other.upper : range.upper;
  if (lower > upper) return null;
  return upper - lower <= slack && range.upper - range.lower > slack ? null : { lower, upper };
}

function isNarrower(a: Range, b: Range): boolean {
  return a.lower > b.lower || a.upper < b.upper;
}

function scaleOf({ lower, upper }: Range): number {
  const ends = [lower, upper].filter(Number.isFinite).map(Math.abs);
  return Math.max(1, ...ends);
}
