import { describe, expect, it } from 'vitest';
import { createRealVectorSpace } from '../real-vector-space.js';
import { type SpaceTimeProblem, searchSpaceTime } from './space-time-search.js';

const plane = createRealVectorSpace({ lower: [-1, -1], upper: [1, 1] });
const f = (...values: number[]): Float64Array => Float64Array.from(values);
const SAMPLES = 400;

/** A point of speed 1 and a disc whose middle is known at every time; motions are judged by dense samples. */
function among(
  middle: (time: number) => readonly [number, number],
  radius: number,
  horizon: number,
  start: Float64Array,
  goal: Float64Array,
): SpaceTimeProblem {
  const isClear = ([x, y]: Float64Array, time: number): boolean => {
    const [u, v] = middle(time);
    return (x - u) * (x - u) + (y - v) * (y - v) > radius * radius;
  };
  const q = f(0, 0);
  const isFree: SpaceTimeProblem['isFree'] = (a, from, b, to) => {
    for (let n = 0; n <= SAMPLES; n++) {
      plane.interpolate(q, a, b, n / SAMPLES);
      if (!isClear(q, from + ((to - from) * n) / SAMPLES)) return false;
    }
    return true;
  };
  return {
    ...{ space: plane, start, goal, path: [start, goal], horizon, seed: 3, maxIterations: 3000 },
    duration: (a, b) => plane.distance(a, b),
    isFree,
    canStay: (state, from) => isFree(state, from, state, Math.max(from, horizon)),
  };
}

function expectRight(
  { isFree, start, goal, canStay, duration }: SpaceTimeProblem,
  way: ReturnType<typeof searchSpaceTime>,
) {
  expect(way).not.toBeNull();
  const { times, path } = way!;
  expect([...path[0]]).toEqual([...start]);
  expect([...path[path.length - 1]]).toEqual([...goal]);
  expect(times[0]).toBe(0);
  for (let k = 1; k < times.length; k++) {
    expect(times[k] - times[k - 1]).toBeGreaterThanOrEqual(duration(path[k - 1], path[k]) * (1 - 1e-12));
    expect(isFree(path[k - 1], times[k - 1], path[k], times[k])).toBe(true);
  }
  expect(canStay(path[path.length - 1], times[times.length - 1])).toBe(true);
}

describe('searchSpaceTime', () => {
  it('goes straight where nobody comes by', () => {
    const problem = among(() => [5, 5], 0.3, 2, f(-0.8, 0), f(0.8, 0));
    const way = searchSpaceTime(problem);
    expectRight(problem, way);
    expect(way!.times[way!.times.length - 1]).toBeCloseTo(1.6, 12);
  });

  it('waits, or goes round, while one crosses', () => {
    const problem = among((t) => [0, Math.min(-0.8 + t, 0.9)], 0.4, 1.7, f(-0.8, 0), f(0.8, 0));
    expectRight(problem, searchSpaceTime(problem));
  });

  it('gets out of the way of one that comes along its own line', () => {
    // The start is run over, and the goal is where the disc was.
    const problem = among((t) => [Math.max(0.8 - t, -0.7), 0], 0.35, 1.5, f(-0.5, 0), f(0.9, 0));
    expectRight(problem, searchSpaceTime(problem));
  });

  it('finds none to a goal that is taken for ever, and none from a start that is', () => {
    const stays = among(() => [0.8, 0], 0.3, 1, f(-0.8, 0), f(0.8, 0));
    expect(searchSpaceTime({ ...stays, maxIterations: 100 })).toBeNull();
    const starts = among(() => [-0.8, 0], 0.3, 1, f(-0.8, 0), f(0.8, 0));
    expect(searchSpaceTime({ ...starts, maxIterations: 100 })).toBeNull();
  });

  it('answers the same bits again', () => {
    const problem = among((t) => [Math.max(0.8 - t, -0.7), 0], 0.35, 1.5, f(-0.5, 0), f(0.9, 0));
    expect(searchSpaceTime(problem)).toEqual(searchSpaceTime(problem));
  });
});
