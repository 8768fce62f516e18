/**
 * Looks along a path: at every waypoint and between them, close enough that no link passes anything thick between two looks.
 *
 * A look sees every near pair with its clearance and derivative; a place between waypoints t and t + 1 moves with both, by shares 1 - s
 * and s. `plan` fixes how many looks a segment gets, so that paths that are compared are looked at alike.
 */
import { differenceConfiguration, interpolateConfiguration } from '../../model/configuration.js';
import type { PathProblem } from './path-problem.js';

/** Called for one pair at one place of the path: the segment, the share of its second waypoint, the row of `distances`. */
export type LookVisitor = (segment: number, share: number, row: number) => void;

/** Of one segment: more would take longer than the certificate, which needs no looks. */
const MOST_LOOKS = 1000;

export class PathLooks {
  /** Of each segment. */
  readonly counts: Int32Array;
  private readonly q: Float64Array;
  private readonly v: Float64Array;

  constructor(private readonly problem: PathProblem) {
    this.counts = new Int32Array(problem.segments);
    this.q = new Float64Array(problem.model.nq);
    this.v = new Float64Array(problem.model.nv);
  }

  plan(path: readonly Float64Array[], resolution = this.problem.resolution): void {
    const { model, segments } = this.problem;
    for (let s = 0; s < segments; s++) {
      differenceConfiguration(this.v, model, path[s], path[s + 1]);
      let largest = 0;
      for (const x of this.v) largest = Math.max(largest, Math.abs(x));
      this.counts[s] = Math.min(MOST_LOOKS, Math.max(1, Math.ceil(largest / resolution)));
    }
  }

  /** All places but the ends of the path. */
  visit(path: readonly Float64Array[], visit: LookVisitor): void {
    const { model, segments, distances } = this.problem;
    for (let s = 0; s < segments; s++) {
      const count = this.counts[s];
      for (let k = s === 0 ? 1 : 0; k < count; k++) {
        const share = k / count;
        const q = k === 0 ? path[s] : interpolateConfiguration(this.q, model, path[s], path[s + 1], share);
        const rows = distances.update(q);
        for (let i = 0; i < rows; i++) visit(s, share, i);
      }
    }
  }

  /** Sum over all looks of what the clearances asked for are missed by, and the worst of them. Metres. */
  violation(path: readonly Float64Array[]): { sum: number; worst: number } {
    const { distances, asked } = this.problem;
    let sum = 0;
    let worst = 0;
    this.visit(path, (_segment, _share, row) => {
      const short = asked[distances.pairs[row]] - (distances.distances[row] - distances.margins[row]);
      if (short <= 0) return;
      sum += short;
      worst = Math.max(worst, short);
    });
    return { sum, worst };
  }
}
