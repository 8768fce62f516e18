/** Puts the functions of a compiled check together: kinematics, spheres, pairs, obstacles, states and motions. */
import type { SphereModel } from '../../geometry/sphere-model.js';
import type { Model } from '../../model/model.js';
import { ByteWriter } from '../byte-writer.js';
import { emitProgram } from '../emit-program.js';
import type { Expression } from '../expression-graph.js';
import { planProgram } from '../plan-program.js';
import type { Output, TracedProgram } from '../program.js';
import type { Mechanism } from '../trace-mechanism.js';
import type { Vector } from '../vector-expressions.js';
import { type FunctionBody, ValueType } from '../wasm-module.js';
import { CERTIFICATE_INTERVALS } from './certificate-format.js';
import { emitAngles } from './emit-angles.js';
import { type CertifyAddresses, emitCertify, emitGrowth, emitSpeeds, STACK_ENTRIES } from './emit-certify.js';
import { emitAt, emitFour, emitMotion, emitPrepare, emitSamples, emitState, emitWithinLimits } from './emit-motion.js';
import { CENTER_BYTES, type CheckMode, emitSweep, emitTouch, emitTouchAny, RECORD_KINDS } from './emit-obstacles.js';
import { emitPair, emitPairLoop, type PlacedBall, type PlacedLink, testBalls } from './emit-self.js';
import { emitInside, emitLists, emitTouchBlock, emitWalk } from './emit-trees.js';
import type { EnvironmentAddresses } from './environment.js';
import { type Code, FunctionWriter } from './function-writer.js';
import { LaneConstants } from './lane-constants.js';
import { AddressSpace, CELL, layOutTrace } from './layout.js';
import { tabulateLevers } from './levers.js';
import { assembleCheckModule, type TypedFunction } from './module-bytes.js';
import { ROW_BYTES } from './obstacle-records.js';
import type { SphereCheckOptions } from './options.js';
import { type PairPlan, planPairs, requireProofFor } from './pair-plan.js';
import type { PrimitiveName } from './primitive-tree.js';
import { boundPointError, UNIT } from './rounding.js';
import { type CheckedLink, createSphereRobot, FrozenGraph, type SphereRobot } from './sphere-robot.js';

const DEFAULT_ENVIRONMENT = 2 ** 20;
/** States that callers from JavaScript have room for. */
const ARGUMENTS = 8;
/** Pairs of spheres of two links beyond which a loop compares them. */
const LONGEST_CODE = 300;
const SHAPE = { segmentSize: 150, functionSize: 1000 };

export interface ModuleRequest extends SphereCheckOptions {
  readonly spheres: SphereModel;
  readonly indices: readonly number[];
  readonly rest: Float64Array;
}

export interface CompiledModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly links: readonly CheckedLink[];
  readonly environment: EnvironmentAddresses;
  readonly lost: number;
  readonly linkPairs: number;
  readonly spherePairs: number;
}

export function compileModule(call: string, model: Model, request: ModuleRequest): CompiledModule {
  const space = new AddressSpace();
  const layout = layOutTrace(space, model);
  const robot = createSphereRobot(call, model, layout, { ...request, carried: request.carried ?? [] });
  const { never, indices, rest, margin = 0 } = request;
  if (never) requireProofFor(call, never, indices, rest, margin);
  return new ModuleBuilder(robot, layout, space, request).build();
}

/** Where a link's data are. */
interface LinkAddresses {
  readonly ball: number;
  readonly ballRadius: number;
  readonly spheres: number;
  readonly radii: number;
  /** Number of spheres beside the ball: 0 for a link that is one. */
  readonly count: number;
}

class ModuleBuilder {
  private readonly functions: TypedFunction[] = [];
  private readonly count: number;
  private readonly at: { start: number; delta: number; weights: number; pairs: number };
  private readonly arguments: number;
  private readonly stamp: number;
  private readonly stamps: number;
  private readonly rows: number;
  private readonly radii: number;
  private readonly addresses: LinkAddresses[] = [];
  private readonly radiusValues: number[] = [];
  private place = -1;
  private readonly certify: CertifyAddresses;
  /** Address of a growth of nothing. */
  private readonly nothing: number;
  /** Room for a centre at four configurations. */
  private readonly scratch: number;
  private readonly plans: readonly PairPlan[];
  /** Balls around some spheres of a link: what pairs are compared by first. */
  private readonly balls: { readonly link: number; readonly ball: Float64Array; readonly address: number }[] = [];

  constructor(
    private readonly robot: SphereRobot,
    private readonly layout: ReturnType<typeof layOutTrace>,
    private readonly space: AddressSpace,
    private readonly request: ModuleRequest,
  ) {
    this.count = robot.coordinates.length;
    this.at = {
      start: space.take(8 * this.count),
      delta: space.take(8 * this.count),
      weights: space.take(8 * this.count),
      pairs: space.take(32 * this.count),
    };
    this.arguments = space.take(8 * this.count * ARGUMENTS);
    this.stamp = space.take(4);
    this.stamps = space.take(4 * robot.links.length);
    this.rows = space.take(ROW_BYTES * robot.links.length);
    const spheres = robot.links.reduce((sum, link) => sum + link.errors.length, 0);
    this.radii = space.take(4 * (spheres + robot.links.length));
    for (const link of robot.links) this.addresses.push(this.placeLink(link));
    this.plans = planPairs(robot, request.never);
    for (const { first, second, balls } of this.plans) {
      this.keepBall(first, balls[0]);
      this.keepBall(second, balls[1]);
    }
    // Rows of links, then of pairs; at least one, and a multiple of four.
    const rows = 4 * Math.max(1, Math.ceil((robot.links.length + this.plans.length) / 4));
    this.certify = {
      delta: this.at.delta,
      levers: space.take(8 * rows * Math.max(this.count, 1)),
      rows,
      speeds: space.take(4 * rows),
      growth: space.take(4 * rows),
      stack: space.take(16 * STACK_ENTRIES),
      failed: space.take(16),
      count: space.take(8),
      intervals: space.take(16 * CERTIFICATE_INTERVALS),
    };
    this.nothing = space.take(4);
    this.scratch = space.take(48);
  }

  build(): CompiledModule {
    const { robot, space, request } = this;
    const programs = [this.traceKinematics(), ...robot.links.map((_, k) => this.traceSpheres(k))];
    const plans = programs.map((program) => planProgram(program, SHAPE));
    const scratchStart = space.cells(Math.max(...plans.map(({ slotCount }) => slotCount))).start;
    const constants = new LaneConstants(space.end / CELL);
    const constant = (value: number): number => constants.single(value);
    const emitted = programs.map((program, i) =>
      emitProgram(program, plans[i], { lanes: 4, scratchStart, constants }).map((body) => this.add(wrapBody(body))),
    );
    const angles = this.addWriter(emitAngles(robot, this.layout, this.at.pairs, constants));
    const place = this.addWriter(this.emitPlace(emitted.slice(1)));
    this.place = place;
    const prepared = [angles, ...emitted[0]];
    const pairs = { linkPairs: this.plans.length, spherePairs: countSpherePairs(this.plans) };
    const inside = this.addWriter(emitInside());
    const checkOf = (mode: CheckMode): number => {
      const touch = this.addWriter(emitTouchAny(this.emitTouches(mode, inside)));
      const sweep = this.addWriter(emitSweep({ touch, place }, mode));
      const self = this.emitPairs(mode, constant, place);
      return this.addWriter(this.emitCheck(mode, prepared, sweep, self));
    };
    const check = checkOf('any');
    const grown = checkOf('all');
    const within = this.addWriter(emitWithinLimits(robot));
    const prepare = this.addWriter(emitPrepare(robot, this.at));
    const at = this.addWriter(emitAt(robot, this.at, check));
    const atGrown = this.addWriter(emitAt(robot, this.at, grown));
    const speeds = this.addWriter(emitSpeeds(robot, this.certify));
    const grow = this.addWriter(emitGrowth(this.certify));
    const certify = this.addWriter(emitCertify(this.certify, { within, prepare, at, atGrown }, speeds, grow));
    const exports: [string, number][] = [
      ['state', this.addWriter(emitState(robot, this.at, within, check))],
      ['four', this.addWriter(emitFour(robot, this.at, within, check))],
      ['motion', this.addWriter(emitMotion({ within, prepare, at }))],
      ['samples', this.addWriter(emitSamples({ within, prepare, at }))],
      ['certify', certify],
    ];
    const constantBytes = constants.toBytes();
    space.take(constantBytes.length);
    const environmentBytes = request.environmentBytes ?? DEFAULT_ENVIRONMENT;
    const start = space.take(environmentBytes);
    const environment = { rows: this.rows, start, end: space.end };
    const weights = new Uint8Array(new Float64Array(this.count).fill(1).buffer);
    const radii = new Uint8Array(Float32Array.from(this.radiusValues).buffer);
    const linksOf = this.plans.map(({ first, second }) => [first, second] as const);
    const levers = new Uint8Array(tabulateLevers(robot, linksOf).buffer);
    const bytes = assembleCheckModule({
      functions: this.functions,
      exports,
      numbers: [
        ['weights', this.at.weights],
        ['arguments', this.arguments],
        ['failed', this.certify.failed],
        ['certificate', this.certify.count],
        ['intervals', this.certify.intervals],
        ['heapBase', space.end],
      ],
      memoryBytes: space.end,
      data: [
        { address: CELL * constants.start, bytes: constantBytes },
        { address: this.at.weights, bytes: weights },
        { address: this.radii, bytes: radii },
        { address: this.certify.levers, bytes: levers },
      ].filter((part) => part.bytes.length > 0),
    });
    return { bytes, links: robot.links, environment, lost: this.boundLoss(), ...pairs };
  }

  /** Functions of all kinds of records, in the order of their numbers. */
  private emitTouches(mode: CheckMode, inside: number): number[] {
    const lists = this.addWriter(emitLists(mode, this.scratch));
    const ofBlock = (name: PrimitiveName): number => {
      const walk = this.addWriter(emitWalk(name, mode));
      return this.addWriter(emitTouchBlock(name, { walk, inside, lists }, mode));
    };
    return RECORD_KINDS.map((kind) => {
      if (kind === 'triangles') return ofBlock('triangle');
      if (kind === 'cubes') return ofBlock('cube');
      if (kind === 'points') return ofBlock('point');
      return this.addWriter(emitTouch(kind, mode));
    });
  }

  private add(made: TypedFunction): number {
    return this.functions.push(made) - 1;
  }

  private addWriter(writer: FunctionWriter): number {
    return this.add({ parameters: writer.parameters, results: writer.results, body: writer.toBytes() });
  }

  /** Radii grow by the errors and by the rounding of their own sums and squares. */
  private storeRadius(radius: number): number {
    return this.radii + 4 * (this.radiusValues.push(radius * (1 + 16 * UNIT)) - 1);
  }

  private placeLink(link: CheckedLink): LinkAddresses {
    const ball = this.space.take(CENTER_BYTES);
    const ballRadius = this.storeRadius(link.bound[3] + link.boundError);
    const n = link.errors.length;
    if (n === 1) return { ball, ballRadius, spheres: ball, radii: ballRadius, count: 0 };
    const spheres = this.space.take(CENTER_BYTES * n);
    const radii = link.errors.map((_, i) => this.storeRadius(link.spheres[4 * i + 3] + link.errors[i]))[0];
    return { ball, ballRadius, spheres, radii, count: n };
  }

  /** The trace's world frames of all joints. */
  private traceFrames(mechanism: Mechanism): { rotation: readonly Expression[]; position: Vector }[] {
    const { vectors, joints } = mechanism;
    const world: { rotation: readonly Expression[]; position: Vector }[] = [mechanism.traceBase()];
    for (let j = 1; j < joints.length; j++) {
      const P = world[joints[j].parent];
      world.push({
        rotation: vectors.rotateRows(P.rotation, joints[j].rotation),
        position: vectors.add(vectors.multiplyMatrix(P.rotation, joints[j].position), P.position),
      });
    }
    return world;
  }

  private readonly frameCells = new Map<number, number>();
  private constantsOfFrames = new Map<number, number>();

  /** Balls of all links, and the frames of joints whose links have spheres beside. */
  private traceKinematics(): TracedProgram {
    const { mechanism, links } = this.robot;
    const { vectors, graph } = mechanism;
    const world = this.traceFrames(mechanism);
    const outputs: Output[] = [];
    const place = (joint: number, ball: Float64Array, address: number): void => {
      const turned = vectors.multiplyMatrix(world[joint].rotation, vectors.vector(ball));
      vectors.add(turned, world[joint].position).forEach((value, i) => {
        outputs.push({ cell: address / CELL + i, value });
      });
    };
    for (const { link, ball, address } of this.balls) place(links[link].joint, ball, address);
    links.forEach((link, k) => {
      place(link.joint, link.bound, this.addresses[k].ball);
      if (this.addresses[k].count === 0 || this.frameCells.has(link.joint)) return;
      const { start } = this.space.cells(12);
      this.frameCells.set(link.joint, start);
      [...world[link.joint].rotation, ...world[link.joint].position].forEach((value, i) => {
        const known = graph.valueOf(value);
        if (!Number.isNaN(known)) this.constantsOfFrames.set(start + i, known);
        else outputs.push({ cell: start + i, value });
      });
    });
    return { name: 'kinematics', graph, outputs };
  }

  private traceSpheres(k: number): TracedProgram {
    const link = this.robot.links[k];
    const { count, spheres } = this.addresses[k];
    const graph = new FrozenGraph(this.constantsOfFrames);
    const outputs: Output[] = [];
    if (count > 0) {
      const cell = this.frameCells.get(link.joint) as number;
      const entry = (i: number): Expression => graph.input(cell + i);
      for (let n = 0; n < count; n++) {
        const p = [0, 1, 2].map((i) => graph.constant(link.spheres[4 * n + i]));
        for (let r = 0; r < 3; r++) {
          let sum = graph.constant(0);
          for (let i = 0; i < 3; i++) sum = graph.add(sum, graph.multiply(entry(3 * r + i), p[i]));
          outputs.push({ cell: spheres / CELL + 3 * n + r, value: graph.add(sum, entry(9 + r)) });
        }
      }
    }
    return { name: 'spheres', graph, outputs };
  }

  /** (link): places its spheres unless that was done for these configurations. */
  private emitPlace(programs: readonly (readonly number[])[]): FunctionWriter {
    const f = new FunctionWriter([ValueType.I32], []);
    const link = f.parameter(0).get;
    const zero = f.number(0);
    const mark = f.integer('shl', link, f.number(2));
    const now = f.loadI32(zero, this.stamp);
    f.when(f.integer('eqz', f.integer('eq', f.loadI32(mark, this.stamps), now)), () => {
      f.storeI32(mark, now, this.stamps);
      f.choose(
        link,
        programs.map((pieces) => () => {
          for (const piece of pieces) f.call(piece)();
        }),
      );
    });
    return f;
  }

  /** The address of a ball's centre; the same for the same ball of a link. */
  private keepBall(link: number, ball: Float64Array | null): void {
    if (ball === null || this.findBall(link, ball)) return;
    this.balls.push({ link, ball, address: this.space.take(CENTER_BYTES) });
  }

  private findBall(link: number, ball: Float64Array): { readonly address: number } | undefined {
    return this.balls.find((known) => known.link === link && known.ball.every((x, i) => x === ball[i]));
  }

  private placed(k: number, ball: Float64Array | null): PlacedLink {
    const link = this.robot.links[k];
    const { ball: own, spheres, count } = this.addresses[k];
    const margin = 0.5 * Math.max(this.request.margin ?? 0, 0);
    const ofLink: PlacedBall = { address: own, size: link.bound[3] + link.boundError + margin };
    const [x, y, z, r] = ball ?? link.bound;
    const error = boundPointError(this.robot.errors[link.joint], Math.sqrt(x * x + y * y + z * z));
    return {
      ball: ball
        ? { address: (this.findBall(k, ball) as { address: number }).address, size: r + error + margin }
        : ofLink,
      spheres:
        count === 0
          ? [ofLink]
          : Array.from(link.errors, (error, i) => ({
              address: spheres + CENTER_BYTES * i,
              size: link.spheres[4 * i + 3] + error + margin,
            })),
    };
  }

  /** () -> bits of configurations at which a pair of spheres touches, as `emitTouch`. */
  private emitPairs(mode: CheckMode, constant: (value: number) => number, place: number): number {
    const tests = new FunctionWriter([], [ValueType.I32]);
    const loop = this.addWriter(emitPairLoop(mode));
    const hit = tests.i32();
    const all = tests.i32();
    this.plans.forEach(({ first, second, rows, balls }, p) => {
      const a = this.placed(first, balls[0]);
      const b = this.placed(second, balls[1]);
      const growth = mode === 'any' ? null : this.certify.growth + 4 * (this.robot.links.length + p);
      const pairMode = { mode, growth, constant };
      const isSingle = a.spheres.length === 1 && b.spheres.length === 1;
      tests.set(hit, testBalls(tests, a, b, pairMode));
      tests.when(hit.get, () => {
        const isLong = rows.reduce((sum, { others }) => sum + others.length, 0) > LONGEST_CODE;
        if (isLong) {
          tests.set(hit, this.callPairLoop(tests, loop, [first, second], growth));
        } else if (!isSingle) {
          const pair = this.addWriter(
            emitPair(a, b, rows, pairMode, (f) => {
              for (const link of [first, second]) if (this.addresses[link].count > 0) f.call(place, f.number(link))();
            }),
          );
          tests.set(hit, tests.call(pair));
        }
        if (mode === 'any') tests.when(hit.get, () => tests.give(hit.get));
        else tests.set(all, tests.integer('or', all.get, hit.get));
      });
    });
    all.get();
    return this.addWriter(tests);
  }

  private callPairLoop(f: FunctionWriter, loop: number, pair: readonly [number, number], growth: number | null): Code {
    const margin = f.splat(Math.max(this.request.margin ?? 0, 0) * (1 + 32 * UNIT));
    const grown = growth === null ? margin : f.lanes('add', margin, f.loadSplat(f.number(0), growth));
    const [a, b] = pair.map((k) => this.addresses[k]);
    const operands = [
      ...[a.spheres, a.radii, Math.max(a.count, 1), b.ball, b.ballRadius],
      ...[b.spheres, b.radii, Math.max(b.count, 1)],
    ].map((x) => f.number(x));
    return () => {
      for (const k of pair) if (this.addresses[k].count > 0) f.call(this.place, f.number(k))();
      f.call(loop, ...operands, grown)();
    };
  }

  /** () -> bits of the four configurations at which something touches, as `emitTouch`; in mode `all` with grown radii. */
  private emitCheck(mode: CheckMode, prepare: readonly number[], sweep: number, self: number): FunctionWriter {
    const f = new FunctionWriter([], [ValueType.I32]);
    const zero = f.number(0);
    const hit = f.i32();
    const all = f.i32();
    f.storeI32(zero, f.integer('add', f.loadI32(zero, this.stamp), f.number(1)), this.stamp);
    for (const index of prepare) f.call(index)();
    const look = (found: Code): void => {
      f.set(hit, found);
      f.set(all, f.integer('or', all.get, hit.get));
      const isEnough = mode === 'any' ? hit.get : f.integer('eq', all.get, f.number(15));
      f.when(isEnough, () => f.give(all.get));
    };
    for (const k of this.tipFirst()) {
      const { ball, ballRadius, spheres, radii, count } = this.addresses[k];
      const row = this.rows + ROW_BYTES * k;
      const growth = mode === 'any' ? this.nothing : this.certify.growth + 4 * k;
      look(f.call(sweep, ...[k, row, ball, ballRadius, spheres, radii, count, growth].map((x) => f.number(x))));
    }
    look(f.call(self));
    all.get();
    return f;
  }

  private tipFirst(): number[] {
    const { links, model } = this.robot;
    const depth = (k: number): number => (links[k].isStill ? -1 : model.supports[links[k].joint].length);
    return links.map((_, k) => k).sort((a, b) => depth(b) - depth(a) || a - b);
  }

  /** Sum of the largest growths of two spheres, and rounding of their sum. */
  private boundLoss(): number {
    let error = 0;
    let radius = 0;
    for (const link of this.robot.links) {
      for (const value of link.errors) error = Math.max(error, value);
      for (let i = 3; i < link.spheres.length; i += 4) radius = Math.max(radius, link.spheres[i]);
    }
    return 4 * error + 64 * UNIT * radius;
  }
}

function countSpherePairs(plans: readonly PairPlan[]): number {
  let sum = 0;
  for (const { rows } of plans) for (const { others } of rows) sum += others.length;
  return sum;
}

function wrapBody({ locals, code }: FunctionBody): TypedFunction {
  const text = new ByteWriter();
  text.unsigned(locals.length);
  for (const { count, type } of locals) {
    text.unsigned(count);
    text.byte(type);
  }
  text.bytes(code);
  text.byte(0x0b);
  return { parameters: [], results: [], body: text.toBytes() };
}
