/**
 * Paths to begin from: the straight one, a given one, and bent ones.
 *
 * Method: a bent path goes straight by one or two states between, those of `DRAWS` drawn ones whose way misses least of the clearances asked for (looked at
 * coarsely), the shorter one among equals. States are drawn about the straight path, or anywhere within the limits,
 * by turns; a coordinate without limits by half a turn (or metre) about the path. Deterministic by seed and number of the path.
 * Units: radians and metres. Cost: DRAWS x a coarse look along a path. Tested by optimise-path.test.ts.
 */
import { createRandom, type Random } from '../../math/random.js';
import {
  clampConfiguration,
  distanceConfiguration,
  integrateConfiguration,
  interpolateConfiguration,
} from '../../model/configuration.js';
import { PathLooks } from './path-looks.js';
import { measurePath, type PathProblem } from './path-problem.js';

const DRAWS = 40;
const COARSE = 0.3;

/** Points spread evenly, by length, along straight motions through the given states. */
export function spreadPoints(
  problem: Pick<PathProblem, 'model' | 'segments'>,
  through: readonly Float64Array[],
): Float64Array[] {
  const { model, segments } = problem;
  const lengths = through.slice(1).map((q, i) => distanceConfiguration(model, through[i], q));
  const total = lengths.reduce((a, b) => a + b, 0);
  let leg = 0;
  let before = 0;
  return Array.from({ length: segments + 1 }, (_, t) => {
    const at = (t / segments) * total;
    while (leg < lengths.length - 1 && at > before + lengths[leg]) before += lengths[leg++];
    const share = lengths[leg] > 0 ? Math.min(1, Math.max(0, (at - before) / lengths[leg])) : t / segments;
    if (t === 0 || t === segments) return Float64Array.from(through[t === 0 ? 0 : through.length - 1]);
    return interpolateConfiguration(new Float64Array(model.nq), model, through[leg], through[leg + 1], share);
  });
}

/** Limits farther apart are none: what is drawn between them is never near the path. */
const WIDE = 1e4;

function drawState(problem: PathProblem, random: Random, isWide: boolean): Float64Array {
  const { model, moving, places, start, goal } = problem;
  const q = interpolateConfiguration(new Float64Array(model.nq), model, start, goal, random.uniform(0.2, 0.8));
  const v = new Float64Array(model.nv);
  moving.forEach((i, k) => {
    const place = places[k];
    const isBounded = place >= 0 && model.upper[place] - model.lower[place] < WIDE;
    if (isWide && isBounded) q[place] = random.uniform(model.lower[place], model.upper[place]);
    else v[i] = (isWide ? 1.5 : 0.6) * random.normal();
  });
  integrateConfiguration(q, model, q, v);
  return clampConfiguration(q, model, q);
}

/** Number 0 is straight; `between` states of the others are drawn. */
export function createInitialPath(problem: PathProblem, seed: number, number: number): Float64Array[] {
  const { start, goal } = problem;
  if (number === 0) return spreadPoints(problem, [start, goal]);
  const random = createRandom(seed * 1009 + number);
  const looks = new PathLooks(problem);
  let best = spreadPoints(problem, [start, goal]);
  let least = Infinity;
  for (let k = 0; k < DRAWS; k++) {
    const count = number % 4 === 3 ? 2 : 1;
    const between = Array.from({ length: count }, () => drawState(problem, random, (k + number) % 2 === 0));
    const path = spreadPoints(problem, [start, ...between, goal]);
    looks.plan(path, COARSE);
    const score = looks.violation(path).sum + 0.01 * measurePath(problem.model, path);
    if (score < least) {
      least = score;
      best = path;
    }
  }
  return best;
}
