/**
 * A program with its names replaced by what they stand for: poses in the world, configurations, settings of every move.
 * Throws `planMotion: program.moves[2].to: ...` on what names nothing or does not fit. Tested by resolve-program.test.ts.
 */
import {
  type Fields,
  isArrayOf,
  oneOf,
  requireFields,
  requireList,
  requireNotNegative,
  requireNumbers,
  requireNumberThat,
  requireObject,
  requirePositive,
  requireText,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { suggestionText } from '../../math/suggest-name.js';
import {
  createTransform,
  multiplyTransform,
  poseToTransform,
  type Transform,
  transformToPose,
} from '../../math/transform.js';
import { quaternionLength } from '../../math/unit-quaternion.js';
import { createNeutralConfiguration } from '../../model/configuration.js';
import { findFrame, type Model } from '../../model/model.js';
import { configurationFromNamed, describeProblem } from '../../model/named-configuration.js';
import type {
  JointValues,
  MotionProgram,
  MoveDescription,
  MoveSettings,
  PointDescription,
  TargetDescription,
  TravelMove,
} from './program.js';
import { MOTION_FORMAT } from './program.js';

const CALL = 'planMotion';

const share: (call: string, what: string, value: unknown) => void = (call, what, value) =>
  requireNumberThat(call, what, value, (x) => x > 0 && x <= 1, 'a share above 0, at most 1');

const SETTINGS: Fields = {
  speed: requirePositive,
  turnSpeed: requirePositive,
  acceleration: requirePositive,
  jointSpeed: share,
  jointAcceleration: share,
  radius: requireNotNegative,
  orientation: oneOf('interpolate', 'fixed', 'tangent'),
  singularities: oneOf('slow', 'refuse'),
};

/** Of a seam's stations: each has inverse kinematics, and layers meet layers. */
const MOST_TURNS = 10_000;
const isSampleCount = (n: number): boolean => Number.isInteger(n) && n >= 2 && n <= MOST_TURNS;

const COMMON: Fields = { ...SETTINGS, name: requireText, move: unchecked };
const MOVES: Readonly<Record<string, Fields>> = {
  ptp: { ...COMMON, to: unchecked },
  lin: { ...COMMON, to: unchecked },
  circ: { ...COMMON, to: unchecked, via: unchecked, center: unchecked, angle: requirePositive },
  spline: { ...COMMON, through: unchecked },
  seam: {
    ...COMMON,
    along: unchecked,
    shape: oneOf('lin', 'spline'),
    free: oneOf('x', 'y', 'z'),
    range: unchecked,
    samples: (call, what, value) =>
      requireNumberThat(call, what, value, isSampleCount, `a whole number from 2 to ${MOST_TURNS}`),
  },
  wait: { move: unchecked, name: requireText, seconds: requireNotNegative },
};

const PROGRAM: Fields = {
  format: unchecked,
  name: requireText,
  tool: unchecked,
  frames: unchecked,
  points: unchecked,
  start: unchecked,
  defaults: unchecked,
  moves: unchecked,
};

/** Complete: numbers that limit nothing are Infinity. */
export type ResolvedSettings = Required<MoveSettings>;

export type ResolvedTarget =
  | { readonly kind: 'joints'; readonly q: Float64Array }
  | {
      readonly kind: 'pose';
      /** In the world. */
      readonly pose: Float64Array;
      readonly hasOrientation: boolean;
      readonly toolShift: ArrayLike<number> | null;
    };

export interface ResolvedMove {
  readonly index: number;
  readonly name: string;
  readonly move: MoveDescription;
  readonly settings: ResolvedSettings;
  /** Of `through` and `along` all, else the one of `to`. */
  readonly targets: readonly ResolvedTarget[];
  readonly via: ResolvedTarget | null;
}

export interface ResolvedProgram {
  readonly frame: number;
  readonly X_FT: Transform;
  readonly start: Float64Array;
  readonly moves: readonly ResolvedMove[];
}

const DEFAULTS: ResolvedSettings = {
  speed: Infinity,
  turnSpeed: Infinity,
  acceleration: Infinity,
  jointSpeed: 1,
  jointAcceleration: 1,
  radius: 0,
  orientation: 'interpolate',
  singularities: 'slow',
};

export interface ProgramContext {
  /** Configurations by name, for `ptp`. */
  readonly states?: ReadonlyMap<string, ArrayLike<number>>;
  /** Values of the joints that the program leaves out, nq numbers; default neutral. */
  readonly rest?: ArrayLike<number>;
  /** Coordinates of q that lists of joint values may hold instead of all. */
  readonly group?: ArrayLike<number>;
}

export function resolveProgram(model: Model, program: MotionProgram, context: ProgramContext = {}): ResolvedProgram {
  requireFields(CALL, 'program', program, PROGRAM);
  if (program.format !== MOTION_FORMAT) throwMisuse(CALL, 'program.format', program.format, `"${MOTION_FORMAT}"`);
  return new Resolver(model, program, context).resolve();
}

class Resolver {
  private readonly frames = new Map<string, Transform>();

  constructor(
    private readonly model: Model,
    private readonly program: MotionProgram,
    private readonly context: ProgramContext,
  ) {}

  private get rest(): Float64Array {
    const { rest } = this.context;
    return rest ? Float64Array.from(rest) : createNeutralConfiguration(this.model);
  }

  resolve(): ResolvedProgram {
    const { program, model } = this;
    requireFields(CALL, 'program.tool', program.tool, { frame: requireText, offset: unchecked });
    const { frame: name, offset } = program.tool;
    const frame = findFrame(model, name);
    if (frame < 0)
      throwMisuse(
        CALL,
        'program.tool.frame',
        name,
        `a link or joint of the robot${suggestionText(
          name,
          model.frames.map((f) => f.name),
        )}`,
      );
    if (program.frames !== undefined) {
      requireObject(CALL, 'program.frames', program.frames, 'an object of poses by name');
      for (const [key, pose] of Object.entries(program.frames))
        this.frames.set(key, readPose(`program.frames.${key}`, pose));
    }
    if (program.defaults !== undefined) requireFields(CALL, 'program.defaults', program.defaults, SETTINGS);
    requireList(CALL, 'program.moves', program.moves, 'a list of moves');
    return {
      frame,
      X_FT:
        offset === undefined
          ? poseToTransform(createTransform(), [0, 0, 0, 0, 0, 0, 1])
          : readPose('program.tool.offset', offset),
      start: program.start === undefined ? this.rest : this.readJoints('program.start', program.start),
      moves: program.moves.map((move, index) => this.resolveMove(move, index)),
    };
  }

  private resolveMove(move: MoveDescription, index: number): ResolvedMove {
    const what = `program.moves[${index}]`;
    requireObject(CALL, what, move, 'an object with "move"');
    const fields = Object.hasOwn(MOVES, move.move) ? MOVES[move.move] : null;
    if (!fields)
      throwMisuse(
        CALL,
        `${what}.move`,
        move.move,
        Object.keys(MOVES)
          .map((word) => `"${word}"`)
          .join(', '),
      );
    requireFields(CALL, what, move, fields);
    const common = { index, name: move.name ?? `${move.move} ${index}`, move };
    if (move.move === 'wait') {
      if (move.seconds === undefined) throwMisuse(CALL, `${what}.seconds`, undefined, 'a number, 0 or more');
      return { ...common, settings: DEFAULTS, targets: [], via: null };
    }
    const settings = this.settle(move);
    const target = (key: string, value: TargetDescription): ResolvedTarget =>
      this.resolveTarget(`${what}.${key}`, value, move.move);
    if (move.move === 'spline' || move.move === 'seam') {
      const key = move.move === 'spline' ? 'through' : 'along';
      const list = move.move === 'spline' ? move.through : move.along;
      requireList(CALL, `${what}.${key}`, list, 'a list of poses');
      const least = move.move === 'spline' ? 1 : 2;
      if (list.length < least) throwMisuse(CALL, `${what}.${key}`, list, `${least} or more poses`);
      const targets = list.map((value, k) => target(`${key}[${k}]`, value));
      if (move.move === 'seam') {
        requireSeam(what, move);
        const bare = targets.findIndex((to) => to.kind === 'pose' && !to.hasOrientation);
        if (bare >= 0)
          throwMisuse(
            CALL,
            `${what}.along[${bare}]`,
            list[bare],
            'a pose of seven numbers: which way the tool points is given',
          );
      }
      return { ...common, settings, targets, via: null };
    }
    if (move.to === undefined) throwMisuse(CALL, `${what}.to`, undefined, 'a pose, or the name of a point');
    if (move.move !== 'circ') return { ...common, settings, targets: [target('to', move.to)], via: null };
    if ((move.via === undefined) === (move.center === undefined))
      throwMisuse(CALL, `${what}.via`, move.via, 'either "via" or "center"');
    if (move.center !== undefined) requireNumbers(CALL, `${what}.center`, move.center, 3);
    return {
      ...common,
      settings,
      targets: [target('to', move.to)],
      via: move.via === undefined ? null : target('via', move.via),
    };
  }

  private settle(move: TravelMove): ResolvedSettings {
    const given = Object.fromEntries(
      Object.keys(SETTINGS).flatMap((key) => {
        const own = move[key as keyof MoveSettings];
        // What a program says of its tool's speed is not meant for moves that are programmed by joints.
        const isTool = key === 'speed' || key === 'turnSpeed' || key === 'acceleration';
        const value =
          own ?? (move.move === 'ptp' && isTool ? undefined : this.program.defaults?.[key as keyof MoveSettings]);
        return value === undefined ? [] : [[key, value]];
      }),
    );
    return { ...DEFAULTS, ...given };
  }

  private resolveTarget(what: string, value: TargetDescription, move: string, depth = 0): ResolvedTarget {
    const resolved = this.readTarget(what, value, depth);
    if (resolved.kind === 'joints' && move !== 'ptp')
      throwMisuse(CALL, what, value, `a pose, as "${move}" is a path of the tool`);
    return resolved;
  }

  private readTarget(what: string, value: TargetDescription, depth: number): ResolvedTarget {
    if (depth > 16) throwMisuse(CALL, what, value, 'points that do not name each other in a circle');
    if (typeof value === 'string') return this.readName(what, value, depth);
    if (isArrayOf(value)) return this.readNumbers(what, value as readonly number[], null);
    requireFields(CALL, what, value, {
      pose: unchecked,
      at: requireText,
      joints: unchecked,
      in: requireText,
      shift: unchecked,
      toolShift: unchecked,
    });
    const { pose, at, joints, in: frame, shift, toolShift } = value as Exclude<PointDescription, readonly number[]>;
    if ([pose, at, joints].filter((x) => x !== undefined).length !== 1)
      throwMisuse(CALL, what, value, 'one of "pose", "at" and "joints"');
    if (joints !== undefined) return { kind: 'joints', q: this.readJoints(`${what}.joints`, joints) };
    const X_WA = frame === undefined ? null : this.frames.get(frame);
    if (X_WA === undefined)
      throwMisuse(
        CALL,
        `${what}.in`,
        frame,
        `a frame of the program${suggestionText(frame as string, [...this.frames.keys()])}`,
      );
    const base =
      at === undefined
        ? this.readNumbers(`${what}.pose`, pose as readonly number[], X_WA)
        : this.readName(`${what}.at`, at, depth);
    if (shift === undefined && toolShift === undefined) return base;
    if (base.kind === 'joints') throwMisuse(CALL, what, value, 'no shift of joint values');
    return { ...base, ...shiftPose(what, base, X_WA, shift, toolShift) };
  }

  private readName(what: string, name: string, depth: number): ResolvedTarget {
    const point = Object.hasOwn(this.program.points ?? {}, name) ? this.program.points?.[name] : undefined;
    if (point !== undefined) return this.readTarget(`program.points.${name}`, point, depth + 1);
    const state = (this.context.states ?? new Map<string, ArrayLike<number>>()).get(name);
    if (state) return { kind: 'joints', q: Float64Array.from(state) };
    const known = [
      ...Object.keys(this.program.points ?? {}),
      ...(this.context.states ?? new Map<string, ArrayLike<number>>()).keys(),
    ];
    throwMisuse(CALL, what, name, `the name of a point${suggestionText(name, known)}`);
  }

  private readNumbers(what: string, values: readonly number[], X_WA: Transform | null): ResolvedTarget {
    requireNumbers(CALL, what, values);
    if (values.length !== 7 && values.length !== 3)
      throwMisuse(CALL, what, values, 'seven numbers of a pose, or three of a position');
    const hasOrientation = values.length === 7;
    const X = readPose(what, hasOrientation ? values : [...values, 0, 0, 0, 1]);
    if (X_WA) multiplyTransform(X, X_WA, X);
    return { kind: 'pose', pose: transformToPose(new Float64Array(7), X), hasOrientation, toolShift: null };
  }

  private readJoints(what: string, values: JointValues): Float64Array {
    const { model, rest } = this;
    const { group = [] } = this.context;
    if (!isArrayOf(values)) {
      requireObject(CALL, what, values, 'joint values');
      return configurationFromNamed(model, values as Readonly<Record<string, number>>, rest);
    }
    const numbers = values as readonly number[];
    if (group.length > 0 && numbers.length === group.length && group.length !== model.nq) {
      requireNumbers(CALL, what, numbers);
      for (let k = 0; k < group.length; k++) rest[group[k]] = numbers[k];
      return rest;
    }
    const problem = describeProblem(model, numbers);
    const expected = `nq = ${model.nq} joint values${group.length > 0 ? `, or ${group.length} of the group` : ''}`;
    if (problem !== null) throwMisuse(CALL, what, values, `${expected} (${problem})`);
    return Float64Array.from(numbers);
  }
}

function requireSeam(
  what: string,
  { free, range }: { readonly free: unknown; readonly range?: readonly number[] },
): void {
  if (free === undefined) throwMisuse(CALL, `${what}.free`, free, '"x", "y" or "z"');
  if (range === undefined) return;
  requireNumbers(CALL, `${what}.range`, range, 2);
  if (!(range[0] < range[1] && range[1] - range[0] <= 2 * Math.PI * (1 + 1e-9)))
    throwMisuse(CALL, `${what}.range`, range, '[least, largest], at most a whole turn apart');
}

function readPose(what: string, pose: readonly number[]): Transform {
  requireNumbers(CALL, what, pose, 7);
  const length = quaternionLength(pose.slice(3));
  if (!(Math.abs(length - 1) <= 1e-3)) throwMisuse(CALL, what, pose, 'a quaternion [qx, qy, qz, qw] of length 1');
  return poseToTransform(createTransform(), pose);
}

function shiftPose(
  what: string,
  base: ResolvedTarget & { readonly kind: 'pose' },
  X_WA: Transform | null,
  shift?: readonly number[],
  toolShift?: readonly number[],
): { pose: Float64Array; toolShift: ArrayLike<number> | null } {
  const pose = Float64Array.from(base.pose);
  if (shift !== undefined) {
    requireNumbers(CALL, `${what}.shift`, shift, 3);
    for (let r = 0; r < 3; r++)
      pose[r] += X_WA ? X_WA[3 * r] * shift[0] + X_WA[3 * r + 1] * shift[1] + X_WA[3 * r + 2] * shift[2] : shift[r];
  }
  if (toolShift !== undefined) requireNumbers(CALL, `${what}.toolShift`, toolShift, 3);
  const sum =
    toolShift && base.toolShift
      ? toolShift.map((x, i) => x + (base.toolShift as ArrayLike<number>)[i])
      : (toolShift ?? base.toolShift);
  return { pose, toolShift: sum ?? null };
}

/** The pose of a target, for a tool whose orientation is that of `current`. */
export function placeTarget(
  target: ResolvedTarget & { readonly kind: 'pose' },
  current: ArrayLike<number>,
): Float64Array {
  const pose = Float64Array.from(target.pose);
  if (!target.hasOrientation) for (let i = 3; i < 7; i++) pose[i] = current[i];
  const { toolShift } = target;
  if (!toolShift) return pose;
  const X = poseToTransform(createTransform(), pose);
  for (let r = 0; r < 3; r++)
    pose[r] += X[3 * r] * toolShift[0] + X[3 * r + 1] * toolShift[1] + X[3 * r + 2] * toolShift[2];
  return pose;
}
