/**
 * A program of moves as one timed motion: its paths, blends, limits and singularities, told before anything moves.
 *
 * Method:
 * 1. `ptp` moves go straight in joint space, poses by the nearest posture; runs of tool moves are drawn (tool-path.ts), blended
 *    (blend.ts) and followed by the joints (follow-tool-path.ts); seams choose their turn first (choose-seam.ts);
 * 2. legs are joined, blended in joint space where a radius is given (join-legs.ts), and end where the program waits;
 * 3. each leg is driven as fast as the limits of joints and tool allow (trajectory/time-optimal.ts with tool-limit.ts): near
 *    singularities, where joints would have to be fast, the tool is slow;
 * 4. with surroundings the path is proven free at every time (scene/motion/certify-curve.ts).
 * Source: as named there; the moves and their names follow the robot languages and the Pilz planner of MoveIt.
 *
 * Frames: W. Ends: see `MotionPlan.status`; where a program cannot run, `place` says where. Throws on what is no program.
 * Cost: some milliseconds a move. Tested by plan-motion.test.ts and test/oracle/programmed-motions.test.ts.
 */

import type { DynamicsOptions } from '../../dynamics/dynamics-data.js';
import {
  type Fields,
  numbers,
  requireFields,
  requireMap,
  requireObject,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { createTransform, transformToPose } from '../../math/transform.js';
import { describeLimitViolations } from '../../model/limit-tolerance.js';
import type { Model } from '../../model/model.js';
import { requireModel } from '../../model/model.js';
import { describeProblem } from '../../model/named-configuration.js';
import type { SceneAssumptions } from '../../scene/assumptions.js';
import { type CertifyCurveOptions, createCurveCertifier } from '../../scene/motion/certify-curve.js';
import { createSceneChecker } from '../../scene/motion/validity.js';
import type { Scene, SceneRobot } from '../../scene/types.js';
import { joinTrajectories } from '../../trajectory/joined-trajectory.js';
import { JointCurve } from '../../trajectory/joint-curve.js';
import type { MotionLimits } from '../../trajectory/limits.js';
import type { MotionCurve } from '../../trajectory/motion-curve.js';
import type { MotionCheck } from '../../trajectory/path-in-scene.js';
import type { RetimedTrajectory } from '../../trajectory/retimed-trajectory.js';
import { parameterizeTimeOptimal } from '../../trajectory/time-optimal.js';
import { requireLimits } from '../../trajectory/trajectory-door.js';
import { LegBuilder, LIMIT_SLACK, type Stage } from './build-legs.js';
import { findSingularities, NEAR } from './find-singularities.js';
import { joinLegs } from './join-legs.js';
import type { LegPiece, MadeBlend } from './motion-leg.js';
import type { MotionProgram } from './program.js';
import { type MoveReport, reportMoves } from './report-moves.js';
import { type ProgramContext, type ResolvedProgram, type ResolvedSettings, resolveProgram } from './resolve-program.js';
import { timeAt } from './time-at.js';
import { Tool } from './tool.js';
import { ToolLimit } from './tool-limit.js';

/** Whom the motion must not meet: the robot's scene, itself included. */
export interface MotionSurroundings {
  readonly scene: Scene;
  readonly robot: SceneRobot;
}

export interface MotionRequest
  extends ProgramContext,
    Pick<CertifyCurveOptions, 'margin' | 'tolerance' | 'maxConfigurations' | 'shouldStop'> {
  /** Of the joints; accelerations are needed. Jerk is not limited. */
  readonly limits: MotionLimits;
  /** Prove the motion free; the robot's model is then that of its scene. */
  readonly around?: MotionSurroundings | null;
  /** Instead of the program's: nq numbers. */
  readonly start?: ArrayLike<number>;
  /** Gravity and armature, where torques are limited. */
  readonly dynamics?: DynamicsOptions;
  /** Grid intervals of the time-optimal law per leg, at the least; default 500. */
  readonly intervals?: number;
}

export type MotionStatus =
  | 'solved'
  | 'blocked'
  | 'undecided'
  | 'unreachable'
  | 'singular'
  | 'joint-limit'
  | 'no-path'
  | 'infeasible'
  | 'limit';

/** A place of the program. */
export interface MotionPlace {
  /** Index of the move and its name. */
  readonly move: number;
  readonly name: string;
  /** Metres along the move's path, blends included. */
  readonly s: number;
  /** Seconds; null where the program was not timed. */
  readonly time: number | null;
  readonly q: Float64Array;
  /** X_WT as a pose. */
  readonly pose: Float64Array;
  /** In the way, or turning most at a singularity. */
  readonly joint: string | null;
  /** Of the tool's Jacobian, largest first, metres per radian (turning counted with a lever of 0.2 m); null where they do not matter. */
  readonly singularValues: Float64Array | null;
}

export interface MotionPlan extends SceneAssumptions {
  /**
   * `solved`; `blocked` or `undecided`: the path touches, or may touch, at `place`; `unreachable`, `singular`, `joint-limit`: no path of
   * the joints from `place` on; `no-path`: the move is no path (three points on a line); `infeasible`, `limit`: the time law.
   */
  readonly status: MotionStatus;
  /** Empty when solved. */
  readonly reason: string;
  readonly place: MotionPlace | null;
  /** Null where there is none; kept where it is blocked, for looking at. */
  readonly trajectory: MotionCurve | null;
  /** Seconds, 0 without a trajectory. */
  readonly duration: number;
  readonly moves: readonly MoveReport[];
  /** Where the tool's path comes near a singularity. */
  readonly singularities: readonly MotionPlace[];
  readonly checked: MotionCheck;
  /** Of a free motion: no pair comes closer than this beyond its margin. */
  readonly clearance: number;
  /** Pieces of the joints' path. */
  readonly pieces: number;
}

const REQUEST: Fields = {
  limits: unchecked,
  around: unchecked,
  start: unchecked,
  states: requireMap,
  rest: unchecked,
  group: numbers,
  dynamics: unchecked,
  intervals: unchecked,
  margin: unchecked,
  tolerance: unchecked,
  maxConfigurations: unchecked,
  shouldStop: unchecked,
};

/** One stretch of the motion between waits. */
interface Stretch {
  readonly path: JointCurve;
  readonly pieces: readonly LegPiece[];
  trajectory: RetimedTrajectory | null;
  /** Seconds before it. */
  begin: number;
}

export function planMotion(model: Model, program: MotionProgram, request: MotionRequest): MotionPlan {
  requireModel('planMotion', model);
  requireFields('planMotion', 'request', request, REQUEST);
  const { around = null, start, states, rest, group, limits } = request;
  requireLimits('planMotion', model, limits);
  if (limits.jerk.some((x) => x < Infinity))
    throwMisuse('planMotion', 'request.limits.jerk', limits.jerk, 'no limit of jerk: programmed motions keep none');
  if (around !== null) {
    requireObject('planMotion', 'request.around', around, 'an object with scene and robot');
    if (around.robot?.model !== model)
      throwMisuse('planMotion', 'request.around.robot', around.robot, 'the robot of the model, in its scene');
  }
  if (rest !== undefined) readConfiguration(model, 'rest', rest);
  const resolved = resolveProgram(model, program, { states, rest, group });
  const q = start === undefined ? resolved.start : readConfiguration(model, 'start', start);
  return new MotionPlanner(model, resolved, request, q).plan();
}

function readConfiguration(model: Model, name: string, q: ArrayLike<number>): Float64Array {
  const problem = describeProblem(model, q);
  if (problem !== null) throwMisuse('planMotion', `request.${name}`, q, `nq = ${model.nq} joint values (${problem})`);
  return Float64Array.from(q);
}

class MotionPlanner {
  private readonly tool: Tool;
  private readonly stretches: Stretch[] = [];
  private parts: MotionCurve[] = [];
  private readonly blends: MadeBlend[] = [];
  private assumed: readonly string[] = [];
  private complete = true;
  private clearance = Infinity;

  constructor(
    private readonly model: Model,
    private readonly program: ResolvedProgram,
    private readonly request: MotionRequest,
    private readonly q: Float64Array,
  ) {
    const placement = request.around ? request.around.robot.placement : null;
    this.tool = new Tool(model, program.frame, program.X_FT, placement);
  }

  plan(): MotionPlan {
    const { around, margin } = this.request;
    const [beyond] = describeLimitViolations(this.model, this.q, LIMIT_SLACK).violations;
    if (beyond) {
      const { joint, value, lower, upper } = beyond;
      const reason = `the start has "${joint}" at ${value}, limits ${lower} to ${upper}`;
      return this.fail('joint-limit', reason, this.placeOf(0, 0, null, this.q, joint));
    }
    const checker = around ? createSceneChecker(around.scene, around.robot, { margin }) : null;
    const builder = new LegBuilder(this.tool, this.q, checker ? (q) => checker.isValid(q) : undefined);
    const { stages, blends, fault } = builder.build(this.program.moves);
    this.blends.push(...blends);
    if (fault) {
      const { status, reason, move, s, q, joint } = fault;
      return this.fail(status, reason, this.placeOf(move, s, null, q, joint));
    }
    for (const stage of stages) {
      const failed = stage.kind === 'wait' ? this.wait(stage) : this.drive(stage);
      if (failed) return failed;
    }
    return this.finish();
  }

  private wait({ seconds, q }: Stage & { kind: 'wait' }): null {
    if (seconds === 0) return null;
    const still = { increment: new Float64Array(this.model.nv), polynomial: [0, 1] };
    this.parts.push(new JointCurve(this.model, [{ length: seconds, base: q, terms: [still] }], q));
    return null;
  }

  private drive({ legs }: Stage & { kind: 'drive' }): MotionPlan | null {
    const { model, tool, request } = this;
    const { limits, dynamics, intervals } = request;
    const { pieces, blends } = joinLegs(tool, legs, (move) => this.settingsOf(move).radius);
    this.blends.push(...blends);
    if (pieces.length === 0) return null;
    const path = new JointCurve(
      model,
      pieces.map(({ piece }) => piece),
      legs[legs.length - 1].end,
    );
    const begin = this.parts.reduce((sum, { duration }) => sum + duration, 0);
    const stretch: Stretch = { path, pieces, trajectory: null, begin };
    this.stretches.push(stretch);
    const settings = pieces.map((piece) => this.pieceSettings(piece));
    const refused = this.refuseSingular(stretch);
    if (refused) return refused;
    const limit = new ToolLimit(tool, settings, limits);
    const further = limit.isNeeded ? limit : undefined;
    const { status, reason, trajectory } = parameterizeTimeOptimal(path, { limits, dynamics, intervals, further });
    if (!trajectory || status !== 'solved') {
      // The message says how far along the path.
      const at = Number(/at ([\d.e+-]+) of the path/.exec(reason)?.[1] ?? 0);
      return this.fail(status === 'solved' ? 'infeasible' : status, reason, this.placeOn(stretch, at));
    }
    stretch.trajectory = trajectory;
    this.parts.push(trajectory);
    return null;
  }

  /** Settings of a piece: of a blend the tighter ones of both moves. */
  private pieceSettings({ move, into, tool }: LegPiece): ResolvedSettings {
    const isSeam = (index: number): boolean => this.program.moves[index].move.move === 'seam';
    const own = this.settingsOf(move);
    // The way to a seam is a move of joints: what is said of the tool is said of the seam.
    if (into < 0) return tool === null && isSeam(move) ? withoutTool(own) : own;
    const other = isSeam(into) ? withoutTool(this.settingsOf(into)) : this.settingsOf(into);
    const least = (key: 'speed' | 'turnSpeed' | 'acceleration' | 'jointSpeed' | 'jointAcceleration'): number =>
      Math.min(own[key], other[key]);
    return {
      ...own,
      speed: least('speed'),
      turnSpeed: least('turnSpeed'),
      acceleration: least('acceleration'),
      jointSpeed: least('jointSpeed'),
      jointAcceleration: least('jointAcceleration'),
    };
  }

  private settingsOf(move: number): ResolvedSettings {
    return this.program.moves[move].settings;
  }

  private refuseSingular(stretch: Stretch): MotionPlan | null {
    const { pieces, path } = stretch;
    const isRefused = (p: number): boolean =>
      pieces[p].tool !== null && this.settingsOf(pieces[p].move).singularities === 'refuse';
    if (!pieces.some((_, p) => isRefused(p))) return null;
    const [found] = findSingularities(this.tool, path, isRefused);
    if (!found) return null;
    const { singularValues } = found;
    const least = singularValues[singularValues.length - 1];
    return this.fail(
      'singular',
      `the least singular value falls to ${least.toPrecision(3)} m/rad, below ${NEAR}, and the move refuses singularities`,
      this.placeOn(stretch, found.at, found),
    );
  }

  private finish(): MotionPlan {
    const blocked = this.request.around ? this.certify(this.request.around) : null;
    const trajectory = this.parts.length > 0 ? joinTrajectories(this.parts) : null;
    const singularities = this.stretches.flatMap((stretch) =>
      findSingularities(this.tool, stretch.path, (p) => stretch.pieces[p].tool !== null).map((found) =>
        this.placeOn(stretch, found.at, found),
      ),
    );
    return {
      status: blocked?.status ?? 'solved',
      reason: blocked?.reason ?? '',
      place: blocked?.place ?? null,
      trajectory,
      duration: trajectory?.duration ?? 0,
      moves: reportMoves(this.tool, this.program.moves, this.stretches, this.blends, this.request.limits),
      singularities,
      checked: this.request.around ? 'certified' : 'unchecked',
      clearance: this.clearance,
      pieces: this.stretches.reduce((sum, { pieces }) => sum + pieces.length, 0),
      complete: this.complete,
      assumed: this.assumed,
    };
  }

  /** Every stretch, and the start where there is none. */
  private certify({ scene, robot }: MotionSurroundings): Pick<MotionPlan, 'status' | 'reason' | 'place'> | null {
    const { margin, tolerance, maxConfigurations, shouldStop } = this.request;
    const certifier = createCurveCertifier(scene, robot);
    const assumed = new Set<string>();
    const paths =
      this.stretches.length > 0 ? this.stretches.map(({ path }) => path) : [new JointCurve(this.model, [], this.q)];
    for (const [k, path] of paths.entries()) {
      const verdict = certifier.certify(path, { margin, tolerance, maxConfigurations, shouldStop });
      for (const text of verdict.assumed) assumed.add(text);
      this.assumed = [...assumed];
      this.complete &&= verdict.complete;
      this.clearance = Math.min(this.clearance, verdict.clearance);
      if (verdict.status === 'free') continue;
      const stretch = this.stretches[k];
      const at = verdict.time ?? 0;
      const place = stretch ? this.placeOn(stretch, at) : this.placeOf(0, 0, 0, this.q);
      const what = verdict.status === 'blocked' ? 'touches' : 'comes too near to tell, to';
      return { status: verdict.status, reason: `${verdict.a} ${what} ${verdict.b}`, place };
    }
    return null;
  }

  private placeOn(
    { path, pieces, trajectory, begin }: Stretch,
    at: number,
    found: { readonly singularValues: Float64Array; readonly joint: string } | null = null,
  ): MotionPlace {
    const own = path.findPiece(Math.min(Math.max(at, 0), path.duration));
    const { move } = pieces[own];
    // Of a seam without the way to its start.
    const isOf = (piece: LegPiece): boolean =>
      (piece.move === move || piece.into === move) && (piece.tool !== null || pieces[own].tool === null);
    const first = Math.max(pieces.findIndex(isOf), 0);
    const time = trajectory ? begin + timeAt(trajectory, at) : null;
    const point = {
      q: new Float64Array(this.model.nq),
      v: new Float64Array(this.model.nv),
      a: new Float64Array(this.model.nv),
    };
    const { q } = path.evaluate(point, at);
    return {
      ...this.placeOf(move, at - path.breaks[first], time, q, found?.joint ?? null),
      singularValues: found?.singularValues ?? null,
    };
  }

  private placeOf(
    move: number,
    s: number,
    time: number | null,
    q: Float64Array,
    joint: string | null = null,
  ): MotionPlace {
    const pose = transformToPose(new Float64Array(7), this.tool.place(createTransform(), q));
    const name = this.program.moves[move]?.name ?? 'start';
    return { move, name, s, time, q: Float64Array.from(q), pose, joint, singularValues: null };
  }

  private fail(status: MotionStatus, reason: string, place: MotionPlace): MotionPlan {
    const { around } = this.request;
    return {
      status,
      reason,
      place,
      trajectory: null,
      duration: 0,
      moves: [],
      singularities: place.singularValues ? [place] : [],
      checked: 'unchecked',
      clearance: 0,
      pieces: this.stretches.reduce((sum, { pieces }) => sum + pieces.length, 0),
      complete: around ? this.complete : true,
      assumed: this.assumed,
    };
  }
}

const withoutTool = (settings: ResolvedSettings): ResolvedSettings => ({
  ...settings,
  speed: Infinity,
  turnSpeed: Infinity,
  acceleration: Infinity,
});
