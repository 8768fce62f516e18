/**
 * Why robots do not get on: who waits for whom to the end of the chain, in names.
 *
 * - `stopped`: the chain ends at a robot that is stopped; the others are behind it.
 * - `deadlock`: the chain closes; nobody in it can ever move.
 * - `livelock`: robots that drive but have come no nearer to a goal than they had been for a while.
 * Cost: O(robots). Tested by plan-execution.test.ts.
 */
import { requireCount, requireFunction, requireList } from '../math/arguments.js';
import type { Wait } from './plan-execution.js';
import { floatsToText, textToFloats } from './state-text.js';

export interface Stall {
  readonly kind: 'stopped' | 'deadlock' | 'livelock';
  /** The robot that is stopped, those of the circle, or those that drive in vain. */
  readonly robots: readonly string[];
  /** Who waits for them. */
  readonly waiting: readonly string[];
}

/** From the waits of a plan's execution. */
export function explainWaits(waits: readonly Wait[], nameOf: (robot: number) => string): Stall[] {
  requireList('explainWaits', 'waits', waits);
  requireFunction('explainWaits', 'nameOf', nameOf);
  const next = new Map(waits.map((wait) => [wait.robot, wait.for]));
  const behind = new Map<number, number[]>();
  const circles = new Map<number, number[]>();
  for (const { robot } of waits) {
    const seen = new Map<number, number>();
    let at = robot;
    while (next.has(at) && next.get(at)! >= 0 && !seen.has(at)) {
      seen.set(at, seen.size);
      at = next.get(at)!;
    }
    if (seen.has(at)) {
      const circle = [...seen.keys()].slice(seen.get(at));
      const root = Math.min(...circle);
      circles.set(root, circle);
      if (!circle.includes(robot)) behind.set(root, [...(behind.get(root) ?? []), robot]);
    } else if (next.get(at) === -1) behind.set(at, [...(behind.get(at) ?? []), ...(at === robot ? [] : [robot])]);
  }
  const stalls: Stall[] = [];
  for (const [root, waiting] of [
    ...behind,
    ...[...circles.keys()].filter((c) => !behind.has(c)).map((c) => [c, []] as const),
  ]) {
    const circle = circles.get(root);
    stalls.push({
      kind: circle === undefined ? 'stopped' : 'deadlock',
      robots: (circle ?? [root]).map(nameOf),
      waiting: waiting.map(nameOf),
    });
  }
  return stalls;
}

/** Finds robots that drive without coming nearer to their goal. */
export class ProgressWatch {
  private readonly best: Float64Array;
  private readonly since: Float64Array;

  constructor(robots: number) {
    this.best = new Float64Array(robots).fill(Number.POSITIVE_INFINITY);
    this.since = new Float64Array(robots);
  }

  /** A robot has another goal. */
  reset(robot: number, time: number): void {
    this.best[robot] = Number.POSITIVE_INFINITY;
    this.since[robot] = time;
  }

  /** Writes down how far the robot is from its goal. */
  look(robot: number, distance: number, time: number): void {
    if (distance >= this.best[robot]) return;
    this.best[robot] = distance;
    this.since[robot] = time;
  }

  save(): string[] {
    return [floatsToText(this.best), floatsToText(this.since)];
  }

  restore([best, since]: readonly string[]): void {
    textToFloats(this.best, best);
    textToFloats(this.since, since);
  }

  /** Robots that came no nearer for more than `seconds`, though they are not there. */
  find(time: number, seconds: number, nameOf: (robot: number) => string): Stall | null {
    const robots: string[] = [];
    for (let i = 0; i < this.best.length; i++)
      if (this.best[i] > 0 && time - this.since[i] > seconds) robots.push(nameOf(i));
    return robots.length === 0 ? null : { kind: 'livelock', robots, waiting: [] };
  }
}

export function createProgressWatch(robots: number): ProgressWatch {
  requireCount('createProgressWatch', 'robots', robots, 1);
  return new ProgressWatch(robots);
}
