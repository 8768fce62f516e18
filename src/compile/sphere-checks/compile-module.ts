/** Puts the functions of a compiled check together: kinematics, spheres, pairs, obstacles, states and motions. */
import type { Model } from '../../model/model.js';
import { ByteWriter } from '../byte-writer.js';
import { emitProgram } from '../emit-program.js';
import { planProgram } from '../plan-program.js';
import { type FunctionBody, ValueType } from '../wasm-module.js';
import { CheckLayout, type ModuleRequest, openLayout, type PlacedCluster } from './check-layout.js';
import { emitAngles } from './emit-angles.js';
import { emitCertify, emitGrowth, emitSpeeds } from './emit-certify.js';
import { emitAt, emitFour, emitMotion, emitPrepare, emitSamples, emitState, emitWithinLimits } from './emit-motion.js';
import {
  type CheckMode,
  emitClusterSweep,
  emitSweep,
  emitTouch,
  emitTouchAny,
  RECORD_KINDS,
} from './emit-obstacles.js';
import { emitPair, emitPairLoop, testBalls } from './emit-self.js';
import { emitInside, emitLists, emitTouchBlock, emitWalk } from './emit-trees.js';
import type { EnvironmentAddresses } from './environment.js';
import { type Code, FunctionWriter } from './function-writer.js';
import { LaneConstants } from './lane-constants.js';
import { CELL } from './layout.js';
import { assembleCheckModule, type TypedFunction } from './module-bytes.js';
import { ROW_BYTES } from './obstacle-records.js';
import { isLongPlan } from './pair-plan.js';
import type { PrimitiveName } from './primitive-tree.js';
import { UNIT } from './rounding.js';
import type { CheckedLink } from './sphere-robot.js';

const SHAPE = { segmentSize: 150, functionSize: 1000 };

export interface CompiledModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly links: readonly CheckedLink[];
  readonly environment: EnvironmentAddresses;
  readonly lost: number;
  readonly linkPairs: number;
  readonly spherePairs: number;
  readonly isStraight: boolean;
}

export function compileModule(call: string, model: Model, request: ModuleRequest): CompiledModule {
  return new ModuleBuilder(...openLayout(call, model, request), true).build();
}

class ModuleBuilder extends CheckLayout {
  private readonly functions: TypedFunction[] = [];
  private place = -1;
  /** Per cluster of links, of pairs, per cluster of pairs. */
  private laterPrograms: readonly (readonly number[])[] = [];

  build(): CompiledModule {
    const { robot, space } = this;
    const { isStraight } = robot;
    const programs = this.tracePrograms();
    const plans = programs.map((program) => planProgram(program, SHAPE));
    const scratchStart = space.cells(Math.max(...plans.map(({ slotCount }) => slotCount))).start;
    const constants = new LaneConstants(space.end / CELL);
    const constant = (value: number): number => constants.single(value);
    const emitted = programs.map((program, i) =>
      emitProgram(program, plans[i], { lanes: 4, scratchStart, constants }).map((body) => this.add(wrapBody(body))),
    );
    const angles = this.addWriter(emitAngles(robot, this.layout, this.at.pairs, constants));
    const linkCount = robot.links.length;
    const place = this.addWriter(this.emitPlace(emitted.slice(1, 1 + linkCount)));
    this.laterPrograms = emitted.slice(1 + linkCount);
    this.place = place;
    const prepared = [angles, ...emitted[0]];
    const inside = this.addWriter(emitInside());
    const checkOf = (mode: CheckMode): number => {
      const touch = this.addWriter(emitTouchAny(this.emitTouches(mode, inside)));
      const sweep = this.addWriter(emitSweep({ touch, place }, mode));
      const together = this.clusters.length > 0 ? this.addWriter(emitClusterSweep(touch)) : -1;
      const self = this.emitPairs(mode, constant, place);
      return this.addWriter(this.emitCheck(mode, prepared, { sweep, together, self }));
    };
    const check = checkOf('any');
    const grown = checkOf('all');
    const within = this.addWriter(emitWithinLimits(robot));
    const prepare = this.addWriter(emitPrepare(robot, this.at));
    const at = this.addWriter(emitAt(robot, this.at, check));
    const atGrown = this.addWriter(emitAt(robot, this.at, grown));
    const speeds = this.addWriter(emitSpeeds(robot, this.certify));
    const grow = this.addWriter(emitGrowth(this.certify));
    const certify = this.addWriter(
      emitCertify(this.certify, { within, prepare, at, atGrown, isStraight }, speeds, grow),
    );
    const exports: [string, number][] = [
      ['state', this.addWriter(emitState(robot, this.at, within, check))],
      ['four', this.addWriter(emitFour(robot, this.at, within, check))],
      ['motion', this.addWriter(emitMotion({ within, prepare, at, isStraight }))],
      ['samples', this.addWriter(emitSamples({ within, prepare, at, isStraight }))],
      ['certify', certify],
    ];
    const constantBytes = constants.toBytes();
    space.take(constantBytes.length);
    const environment = this.takeEnvironment();
    const bytes = assembleCheckModule({
      functions: this.functions,
      exports,
      numbers: this.listAddresses(),
      memoryBytes: space.end,
      data: [{ address: CELL * constants.start, bytes: constantBytes }, ...this.listData()].filter(
        (part) => part.bytes.length > 0,
      ),
    });
    return { bytes, links: robot.links, environment, lost: this.boundLoss(), isStraight, ...this.countPairs() };
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

  /** () -> bits of configurations at which a pair of spheres touches, as `emitTouch`. */
  private emitPairs(mode: CheckMode, constant: (value: number) => number, place: number): number {
    const tests = new FunctionWriter([], [ValueType.I32]);
    const loop = this.addWriter(emitPairLoop(mode));
    const hit = tests.i32();
    const all = tests.i32();
    const growthOf = (p: number): number | null =>
      mode === 'any' ? null : this.certify.growth + 4 * (this.robot.links.length + p);
    const compare = (p: number): void => {
      const { first, second, rows, balls } = this.plans[p];
      const a = this.placed(first, balls[0]);
      const b = this.placed(second, balls[1]);
      const growth = growthOf(p);
      const pairMode = { mode, growth, constant };
      const isSingle = a.spheres.length === 1 && b.spheres.length === 1;
      tests.set(hit, testBalls(tests, a.ball, b.ball, pairMode));
      tests.when(hit.get, () => {
        if (isLongPlan(this.plans[p])) {
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
    };
    this.pairClusters.forEach(({ plans, balls }, g) => {
      const compareAll = (): void => {
        for (const piece of this.laterPrograms[this.clusters.length + 1 + g]) tests.call(piece)();
        plans.forEach(compare);
      };
      if (balls === null) {
        compareAll();
        return;
      }
      const [a, b] = balls.map((ball) => this.placedCluster(ball));
      const growths = plans.map(growthOf).filter((growth) => growth !== null);
      tests.when(testBalls(tests, a, b, { mode, growth: growths[0] ?? null, constant }, growths), compareAll);
    });
    all.get();
    return this.addWriter(tests);
  }

  private callPairLoop(f: FunctionWriter, loop: number, pair: readonly [number, number], growth: number | null): Code {
    const margin = f.splat(this.margin * (1 + 32 * UNIT));
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
  private emitCheck(
    mode: CheckMode,
    prepare: readonly number[],
    { sweep, together, self }: { readonly sweep: number; readonly together: number; readonly self: number },
  ): FunctionWriter {
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
    const lookAt = (k: number): void => {
      const { ball, ballRadius, spheres, radii, count } = this.addresses[k];
      const row = this.rows + ROW_BYTES * k;
      const growth = mode === 'any' ? this.nothing : this.certify.growth + 4 * k;
      look(f.call(sweep, ...[k, row, ball, ballRadius, spheres, radii, count, growth].map((x) => f.number(x))));
    };
    const done = new Set<PlacedCluster>();
    const order = this.tipFirst();
    for (const k of order) {
      const cluster = this.clusters.find(({ links }) => links.includes(k));
      if (!cluster) lookAt(k);
      if (!cluster || done.has(cluster)) continue;
      done.add(cluster);
      const own = order.filter((link) => cluster.links.includes(link));
      const growth = mode === 'any' ? this.nothing : this.emitLargestGrowth(f, own);
      const operands = [cluster.row, cluster.address, cluster.radius, growth, this.clusterGrowth + CELL];
      f.when(f.call(together, ...operands.map((x) => f.number(x))), () => {
        for (const piece of this.laterPrograms[this.clusters.indexOf(cluster)]) f.call(piece)();
        own.forEach(lookAt);
      });
    }
    for (const piece of this.laterPrograms[this.clusters.length]) f.call(piece)();
    look(f.call(self));
    all.get();
    return f;
  }

  /** Code that writes the largest growth of some links; where it is. */
  private emitLargestGrowth(f: FunctionWriter, links: readonly number[]): number {
    const zero = f.number(0);
    const growths = links.map((k) => f.loadSplat(zero, this.certify.growth + 4 * k));
    f.store(
      zero,
      growths.reduce((a, b) => f.lanes('max', a, b)),
      this.clusterGrowth,
    );
    return this.clusterGrowth;
  }
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
