/**
 * Which vertices are taken when, by the paths of robots.
 *
 *   taken   Int32Array   words per vertex   bit t of a vertex's row: somebody is there at time t; at and past the end of a path its robot
 *                                           stays, so its goal's bits are set to the horizon
 *   who     Int32Array   horizon per vertex robot + 1 that is there at time t while on its way; its resting place is not written
 *
 * Times are 0 .. horizon - 1, a multiple of 32; what is free at the last is free for good. Cost: adding and taking away O(length), looking for
 * the next free or taken time O(1) per 32 times. Tested by interval-search.test.ts.
 */
import type { PathGraph } from './path-graph.js';
import type { RobotPath } from './path-problem.js';

export class Reservations {
  readonly horizon: number;
  readonly words: number;
  readonly taken: Int32Array;
  readonly who: Int32Array;

  constructor(graph: PathGraph, least: number) {
    this.words = (least + 31) >>> 5;
    this.horizon = this.words * 32;
    this.taken = new Int32Array(graph.vertexCount * this.words);
    this.who = new Int32Array(graph.vertexCount * this.horizon);
  }

  add(robot: number, path: RobotPath): void {
    const { taken, who, words, horizon } = this;
    const last = path.length - 1;
    for (let t = 0; t < last; t++) {
      const v = path[t];
      taken[v * words + (t >>> 5)] |= 1 << (t & 31);
      who[v * horizon + t] = robot + 1;
    }
    who[path[last] * horizon + last] = robot + 1;
    const row = path[last] * words;
    taken[row + (last >>> 5)] |= -1 << (last & 31);
    for (let w = (last >>> 5) + 1; w < words; w++) taken[row + w] = -1;
  }

  remove(path: RobotPath): void {
    const { taken, who, words, horizon } = this;
    const last = path.length - 1;
    for (let t = 0; t < last; t++) {
      const v = path[t];
      taken[v * words + (t >>> 5)] &= ~(1 << (t & 31));
      who[v * horizon + t] = 0;
    }
    who[path[last] * horizon + last] = 0;
    const row = path[last] * words;
    taken[row + (last >>> 5)] &= ~(-1 << (last & 31));
    for (let w = (last >>> 5) + 1; w < words; w++) taken[row + w] = 0;
  }

  isTaken(v: number, t: number): boolean {
    return (this.taken[v * this.words + (t >>> 5)] & (1 << (t & 31))) !== 0;
  }

  /** First time from t at which v is taken; the horizon when never. */
  nextTaken(v: number, t: number): number {
    const { taken, words } = this;
    let w = t >>> 5;
    if (w >= words) return this.horizon;
    const row = v * words;
    let bits = taken[row + w] & (-1 << (t & 31));
    while (bits === 0) {
      if (++w === words) return this.horizon;
      bits = taken[row + w];
    }
    return (w << 5) + 31 - Math.clz32(bits & -bits);
  }

  /** First time from t at which v is free; the horizon when never. */
  nextFree(v: number, t: number): number {
    const { taken, words } = this;
    let w = t >>> 5;
    if (w >= words) return this.horizon;
    const row = v * words;
    let bits = ~taken[row + w] & (-1 << (t & 31));
    while (bits === 0) {
      if (++w === words) return this.horizon;
      bits = ~taken[row + w];
    }
    return (w << 5) + 31 - Math.clz32(bits & -bits);
  }

  /** First time from which v is free for good; the horizon when it is not. */
  freeForGood(v: number): number {
    const { taken, words } = this;
    const row = v * words;
    for (let w = words - 1; w >= 0; w--) if (taken[row + w] !== 0) return (w << 5) + 32 - Math.clz32(taken[row + w]);
    return 0;
  }
}
