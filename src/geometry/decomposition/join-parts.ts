/**
 * Fewer parts: pairs whose common hull is convex enough become one, the least concave first; then, where there are more parts than
 * allowed, those that add least volume.
 *
 * Source: Mamou, Ghorbel 2009, "A simple and efficient approach for 3D mesh approximate convex decomposition",
 * doi:10.1109/ICIP.2009.5414068. Cost: one hull and one look at its concavity for each pair of near parts. Checked by
 * convex-decomposition.test.ts.
 */
import { boundPoints } from '../bounds.js';
import { buildConvexHull } from '../hull.js';
import { volumeTerm } from './part-concavity.js';
import { type Decomposing, joinLists, joinParts, type Part, volumeOfHull } from './parts.js';

interface Candidate {
  readonly i: number;
  readonly j: number;
  readonly cost: number;
  readonly joined: Part | null;
}

export function joinConvexParts(task: Decomposing, given: readonly Part[], maximumParts: number): Part[] {
  const within = joinCheapest(given, 1, (a, b) => {
    if (!areNear(a, b, task.length)) return null;
    // The hull of both holds both, and most pairs end here.
    const excess = volumeOfHull(buildConvexHull(joinLists(a.hull.vertices, b.hull.vertices))) - a.volume - b.volume;
    if (volumeTerm(excess) > task.length) return null;
    const joined = joinParts(task, a, b);
    return joined.concavity.upper <= task.length ? { cost: joined.concavity.upper, joined } : null;
  });
  if (within.length <= maximumParts) return within;
  const forced = joinCheapest(
    within,
    maximumParts,
    (a, b) => {
      const hull = buildConvexHull(joinLists(a.hull.vertices, b.hull.vertices));
      return { cost: volumeOfHull(hull) - a.hullVolume - b.hullVolume, joined: null };
    },
    (a, b) => joinParts({ ...task, length: Infinity }, a, b),
  );
  return forced;
}

type Judge = (a: Part, b: Part) => { readonly cost: number; readonly joined: Part | null } | null;

/** Joins the cheapest pair until there is none or so few parts are left. */
function joinCheapest(given: readonly Part[], least: number, judge: Judge, join?: (a: Part, b: Part) => Part): Part[] {
  const parts: (Part | null)[] = [...given];
  let left = given.length;
  const candidates: Candidate[] = [];
  const consider = (i: number, j: number): void => {
    const [a, b] = [parts[i], parts[j]];
    if (!a || !b) return;
    const found = judge(a, b);
    if (found) candidates.push({ i, j, ...found });
  };
  for (let i = 0; i < parts.length; i++) for (let j = i + 1; j < parts.length; j++) consider(i, j);
  while (candidates.length > 0 && left > least) {
    let best = 0;
    for (let c = 1; c < candidates.length; c++) if (candidates[c].cost < candidates[best].cost) best = c;
    const [{ i, j, joined }] = candidates.splice(best, 1);
    const [a, b] = [parts[i], parts[j]];
    if (!a || !b) continue;
    parts[i] = null;
    parts[j] = null;
    left--;
    parts.push(joined ?? join?.(a, b) ?? a);
    for (let k = 0; k + 1 < parts.length; k++) consider(k, parts.length - 1);
  }
  return parts.filter((part) => part !== null);
}

function areNear(a: Part, b: Part, margin: number): boolean {
  const p = boundPoints(new Float64Array(6), a.hull.vertices);
  const q = boundPoints(new Float64Array(6), b.hull.vertices);
  for (let k = 0; k < 3; k++) if (p[k] > q[k + 3] + margin || q[k] > p[k + 3] + margin) return false;
  return true;
}
