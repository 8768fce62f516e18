/**
 * The joints' paths of a program's moves, one after the other, up to what is in the way of one.
 * Tested by plan-motion.test.ts.
 */
import { createTransform, transformToPose } from '../../math/transform.js';
import { describeLimitViolations } from '../../model/limit-tolerance.js';
import { createBlendedPath } from '../../trajectory/blended-path.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { chooseSeam } from './choose-seam.js';
import type { Leg, MadeBlend, MoveFault } from './motion-leg.js';
import { reachTarget } from './reach-target.js';
import { placeTarget, type ResolvedMove, type ResolvedTarget } from './resolve-program.js';
import type { Tool } from './tool.js';
import { LEVER } from './tool-path.js';
import { drawToolMove, followRun, type ToolMove } from './tool-run.js';

/** What happens without a pause: legs, or a wait. */
export type Stage =
  | { readonly kind: 'drive'; readonly legs: readonly Leg[] }
  | { readonly kind: 'wait'; readonly move: number; readonly seconds: number; readonly q: Float64Array };

export interface BuiltLegs {
  readonly stages: readonly Stage[];
  readonly blends: readonly MadeBlend[];
  readonly fault: MoveFault | null;
  readonly end: Float64Array;
}

/** Radians or metres beyond a limit that are rounding. */
export const LIMIT_SLACK = 1e-9;

/** Places on a `ptp` move at which its way is measured. */
const WAY = 32;

export class LegBuilder {
  private readonly stages: Stage[] = [];
  private readonly blends: MadeBlend[] = [];
  private legs: Leg[] = [];
  private run: ToolMove[] = [];
  private fault: MoveFault | null = null;
  /** Where the tool is on paper: ahead of q while a run is drawn. */
  private pose: Float64Array;

  constructor(
    private readonly tool: Tool,
    private q: Float64Array,
    private readonly isFree: ((q: Float64Array) => boolean) | undefined,
  ) {
    this.pose = this.poseAt(q);
  }

  build(moves: readonly ResolvedMove[]): BuiltLegs {
    for (const move of moves) {
      this.add(move);
      if (this.fault) break;
    }
    if (!this.fault) this.endRun();
    this.endStage();
    return { stages: this.stages, blends: this.blends, fault: this.fault, end: this.q };
  }

  private add(resolved: ResolvedMove): void {
    const { move, index } = resolved;
    if (move.move === 'wait') {
      this.endRun();
      this.endStage();
      this.stages.push({ kind: 'wait', move: index, seconds: move.seconds, q: this.q });
      return;
    }
    if (move.move === 'ptp') {
      this.endRun();
      if (!this.fault) this.addPointToPoint(resolved, resolved.targets[0]);
      return;
    }
    if (move.move === 'seam') {
      this.endRun();
      if (!this.fault) this.addSeam(resolved);
      return;
    }
    const drawn = drawToolMove(resolved, this.pose);
    if (typeof drawn === 'string') {
      this.endRun();
      this.fault ??= { status: 'no-path', reason: drawn, move: index, s: 0, q: this.q, joint: null };
      return;
    }
    this.run.push(drawn);
    this.pose = Float64Array.from(drawn.curve.end);
  }

  private addPointToPoint({ index }: ResolvedMove, target: ResolvedTarget): void {
    const pose = target.kind === 'pose' ? placeTarget(target, this.pose) : null;
    if (target.kind === 'joints') {
      const [beyond] = describeLimitViolations(this.tool.model, target.q, LIMIT_SLACK).violations;
      if (beyond) {
        const { joint, value, lower, upper } = beyond;
        const reason = `its end has "${joint}" at ${value}, limits ${lower} to ${upper}`;
        this.fault = { status: 'joint-limit', reason, move: index, s: 0, q: this.q, joint };
        return;
      }
    }
    const q = target.kind === 'joints' ? target.q : reachTarget(this.tool, pose as Float64Array, this.q, this.isFree);
    if (!q) {
      const reason = `no posture within the joint limits${this.isFree ? ' and free' : ''} brings the tool to its end`;
      this.fault = { status: 'unreachable', reason, move: index, s: 0, q: this.q, joint: null };
      return;
    }
    this.drive(index, q);
    this.pose = pose ?? this.poseAt(q);
  }

  private drive(index: number, q: Float64Array): void {
    const { model } = this.tool;
    const path = createBlendedPath(model, [this.q, q]);
    const point = createTrajectoryPoint(model);
    let way = 0;
    let before = this.pose;
    for (let k = 1; k <= WAY; k++) {
      const here = this.poseAt(path.evaluate(point, (path.duration * k) / WAY).q);
      way += Math.sqrt((here[0] - before[0]) ** 2 + (here[1] - before[1]) ** 2 + (here[2] - before[2]) ** 2);
      before = here;
    }
    // About metres, as the parameters of tool moves are, which it may be blended into.
    const pieces = path.pieces.map((piece) => ({
      piece: { ...piece, length: Math.max(way, LEVER * path.duration) },
      move: index,
      into: -1,
      tool: null,
    }));
    this.legs.push({ pieces, start: this.q, end: path.end, first: index, last: index });
    this.q = Float64Array.from(path.end);
  }

  private addSeam(resolved: ResolvedMove): void {
    const { move, index, settings } = resolved;
    const drawn = drawToolMove(resolved, this.pose);
    if (move.move !== 'seam' || typeof drawn === 'string') return;
    const chosen = chooseSeam(this.tool, move, drawn.curve, this.q, this.isFree);
    if ('reason' in chosen) {
      this.fault = { status: 'unreachable', reason: chosen.reason, move: index, s: chosen.s, q: this.q, joint: null };
      return;
    }
    // The way to its start is a move of joints that belongs to the seam.
    this.drive(index, chosen.start);
    this.run.push({ move: index, curve: chosen.curve, radius: settings.radius });
    this.pose = Float64Array.from(chosen.curve.end);
    this.endRun();
  }

  private endRun(): void {
    if (this.run.length === 0 || this.fault) return;
    const { leg, blends, fault } = followRun(this.tool, this.run, this.q, this.poseAt(this.q));
    this.run = [];
    this.blends.push(...blends);
    this.legs.push(leg);
    this.fault = fault;
    this.q = Float64Array.from(leg.end);
    if (!fault) this.pose = this.poseAt(this.q);
  }

  private endStage(): void {
    if (this.legs.length > 0) this.stages.push({ kind: 'drive', legs: this.legs });
    this.legs = [];
  }

  private poseAt(q: Float64Array): Float64Array {
    return transformToPose(new Float64Array(7), this.tool.place(createTransform(), q));
  }
}
