/**
 * Divides a part that is too concave: by volume while the hull holds much that the solid has not, and then at the deepest place.
 *
 * Method: 1. the planes that are best by volume are carried out, and each is judged by the best next cut of its sides (cut-search.ts); 2. a
 * part whose hull has little more volume than the solid, but somewhere a surface far from the other's (a thin hollow, a slot), is cut through
 * that place, along the axes or the faces at concave edges: by volume all planes would be alike, and slice after slice would keep the
 * distance. Of those planes the one is taken whose sides are least concave.
 * Source: Wei, Liu, Ling, Su 2022, doi:10.1145/3528223.3530103 (looking ahead). Deterministic. Checked by convex-decomposition.test.ts.
 */
import { buildConvexHull } from '../hull.js';
import type { Plane } from '../polygon-soup.js';
import { AXES, type CutSettings, judge, type RankedPlane, rankPlanes, SAME_DIRECTION } from './cut-search.js';
import { enoughExcess, SLACK } from './part-concavity.js';
import { createPart, createSubject, type Decomposing, type Part, volumeOfHull } from './parts.js';
import type { SweepSubject } from './plane-sweep.js';
import { cutPiece } from './solid-piece.js';

/** Of a piece: differences of volume that are none. */
const SAME_VOLUME = 1e-9;
/** Of the diagonal: corners this near to a cutting plane lie on it; the first cell is larger by more. */
const ON_PLANE = 1e-10;
const LOOK: CutSettings = { steps: 20, ahead: 6, directions: 12, refined: 3, enough: 0 };
const NEXT_LOOK: CutSettings = { steps: 10, ahead: 0, directions: 4, refined: 0, enough: 0 };
/** Of the extent: planes of one direction nearer than this are not both looked ahead from. */
const APART = 0.04;
/** Directions of faces that are tried at the deepest place. */
const DEEP_DIRECTIONS = 5;
/** Of the length asked about: up to where the concavity of a side is found out. */
const DEEP_LENGTH = 4;

/** Both sides of the plane that is best; empty when no plane cuts the piece. */
export function dividePart(task: Decomposing, subject: SweepSubject, part: Part): SweepSubject[] {
  const { deepest } = part.concavity;
  if (deepest && part.hullVolume - part.volume <= enoughExcess(task.length)) {
    const sides = cutDeepest(task, subject, deepest);
    if (sides.length > 0) return sides;
  }
  return cutByVolume(task, subject);
}

function carryOut(task: Decomposing, subject: SweepSubject, plane: Plane): SweepSubject[] {
  const { below, above } = cutPiece(subject.piece, plane, ON_PLANE * task.diagonal);
  const sides = [createSubject(task, below), createSubject(task, above)];
  // A side may be all inside, without a surface of its own.
  return sides.some(({ piece, inner }) => piece.vertices.length + inner.length < 12) ? [] : sides;
}

/** Looks one cut ahead. */
function cutByVolume(task: Decomposing, subject: SweepSubject): SweepSubject[] {
  const enough = enoughExcess(task.length);
  const ranked = rankPlanes(subject, { ...LOOK, enough });
  const tried: RankedPlane[] = [];
  let best: SweepSubject[] = [];
  let least = Infinity;
  for (const candidate of ranked) {
    if (tried.length === LOOK.ahead) break;
    if (tried.some(({ plane }) => isNearPlane(plane, candidate.plane, APART * subject.extent))) continue;
    tried.push(candidate);
    const sides = carryOut(task, subject, candidate.plane);
    if (sides.length === 0) continue;
    const score = sides.reduce((sum, side) => sum + lookAhead(side, enough), 0);
    // What differs by rounding alone is one: of those the plane that is better without looking ahead.
    if (score >= least - SAME_VOLUME * subject.volume) continue;
    least = score;
    best = sides;
  }
  return best;
}

function cutDeepest(task: Decomposing, subject: SweepSubject, deepest: readonly number[]): SweepSubject[] {
  const coarse = { ...task, length: DEEP_LENGTH * task.length, floor: task.length };
  // 1 for a side that is convex enough.
  const judgeSide = (side: SweepSubject): number => {
    const part = createPart(coarse, side);
    return part ? Math.max(1, Math.min(part.concavity.upper / (SLACK * task.length), 2 * DEEP_LENGTH)) : 0;
  };
  let best: SweepSubject[] = [];
  let least = Infinity;
  for (const plane of planesThrough(subject, deepest)) {
    const sides = carryOut(task, subject, plane);
    if (sides.length === 0) continue;
    const score = sides.reduce((sum, side) => sum + judgeSide(side), 0);
    if (score >= least) continue;
    least = score;
    best = sides;
    if (score <= 2) break;
  }
  return best;
}

function planesThrough({ edges: { features } }: SweepSubject, [x, y, z]: readonly number[]): Plane[] {
  const out = AXES.map(([a, b, c]): Plane => [a, b, c, a * x + b * y + c * z]);
  for (const [a, b, c, offset] of features) {
    if (out.length >= AXES.length + 2 * DEEP_DIRECTIONS) break;
    const isKnown = out.some((d) => Math.abs(d[0] * a + d[1] * b + d[2] * c) > SAME_DIRECTION);
    out.push([a, b, c, offset]);
    if (!isKnown) out.push([a, b, c, a * x + b * y + c * z]);
  }
  return out;
}

function isNearPlane(a: readonly number[], b: readonly number[], gap: number): boolean {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 1 - 1e-6 && Math.abs(a[3] - b[3]) < gap;
}

function lookAhead(side: SweepSubject, enough: number): number {
  const points = new Float64Array(3 * side.edges.extreme.length + side.inner.length);
  for (let i = 0; i < side.edges.extreme.length; i++)
    for (let k = 0; k < 3; k++) points[3 * i + k] = side.piece.vertices[3 * side.edges.extreme[i] + k];
  points.set(side.inner, 3 * side.edges.extreme.length);
  if (points.length === 0) return 0;
  const now = judge(Math.max(0, volumeOfHull(buildConvexHull(points)) - side.volume), enough);
  if (now <= enough) return now;
  const [next] = rankPlanes(side, { ...NEXT_LOOK, enough });
  return next ? Math.min(now, next.score) : now;
}
