/**
 * A robot's sphere checks as tables for the generic kernel: the traced programs as instructions, angles, links and pairs.
 *
 * Method: the nodes of each program that an output needs, in the order in which they were made, one instruction each, with constants
 * and results in cells; the same expressions as the compiled module, so the same bits. Cost: some milliseconds; nothing is compiled.
 * Layout: table-layout.ts. Tested by test/contract/sphere-tiers.test.ts.
 */
import type { Model } from '../../model/model.js';
import { type ExpressionGraph, Operation } from '../expression-graph.js';
import { isLoaded, visitOperands } from '../plan-program.js';
import type { TracedProgram } from '../program.js';
import { CheckLayout, type ModuleRequest, openLayout } from './check-layout.js';
import { LARGEST_COORDINATE, LIMIT_SLACK } from './emit-motion.js';
import { type PlacedBall, squareOutward } from './emit-self.js';
import type { EnvironmentAddresses } from './environment.js';
import { LaneConstants } from './lane-constants.js';
import { CELL } from './layout.js';
import { ROW_BYTES } from './obstacle-records.js';
import { isLongPlan } from './pair-plan.js';
import { UNIT } from './rounding.js';
import type { CheckedLink } from './sphere-robot.js';
import * as T from './table-layout.js';

export interface TabulatedChecks {
  /** What the memory holds from the start. */
  readonly data: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  readonly head: number;
  readonly memoryBytes: number;
  readonly addresses: ReadonlyMap<string, number>;
  readonly links: readonly CheckedLink[];
  readonly environment: EnvironmentAddresses;
  readonly lost: number;
  readonly linkPairs: number;
  readonly spherePairs: number;
  readonly isStraight: boolean;
}

export function tabulateChecks(call: string, model: Model, request: ModuleRequest): TabulatedChecks {
  return new TableBuilder(...openLayout(call, model, request)).build();
}

/** A block that is filled before it is known where it lies. */
class Table {
  readonly view: DataView;
  readonly bytes: Uint8Array;

  constructor(
    readonly address: number,
    size: number,
  ) {
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
  }

  words(at: number, ...values: number[]): void {
    values.forEach((value, i) => {
      this.view.setInt32(at + 4 * i, value, true);
    });
  }

  single(at: number, value: number): void {
    this.view.setFloat32(at, value, true);
  }

  double(at: number, value: number): void {
    this.view.setFloat64(at, value, true);
  }
}

class TableBuilder extends CheckLayout {
  private readonly tables: Table[] = [];
  private constants!: LaneConstants;
  private scratchCell = 0;

  build(): TabulatedChecks {
    const { robot, space, at, certify } = this;
    const programs = this.tracePrograms();
    const nodes = programs.map(listNodes);
    this.scratchCell = space.cells(Math.max(1, ...nodes.map((list) => list.length))).start;
    this.constants = new LaneConstants(0);
    // Constants come where all is known but where they are: instructions hold their numbers until then.
    const texts = programs.map((program, i) => this.writeProgram(program, nodes[i]));
    const constantBytes = this.constants.toBytes();
    const constantsAt = space.take(Math.max(constantBytes.length, CELL));
    const placed = texts.map((text) => this.placeProgram(text, constantsAt));
    const limits = this.writeLimits();
    const wraps = this.table(4 * this.count);
    robot.coordinates.forEach(({ wraps: isWrapped }, i) => {
      wraps.words(4 * i, isWrapped ? 1 : 0);
    });
    // Their number, then up to four places.
    const units = this.table(T.UNIT_BYTES * robot.units.length);
    robot.units.forEach((unit, i) => {
      units.words(T.UNIT_BYTES * i, unit.length, ...unit);
    });
    const angles = this.writeAngles();
    const slides = this.table(T.SLIDE_BYTES * robot.slides.length);
    robot.slides.forEach((place, i) => {
      slides.words(T.SLIDE_BYTES * i, place, CELL * (this.layout.q.start + robot.coordinates[place].index));
    });
    const { table: links, order } = this.writeLinks(placed);
    const pairs = this.writePairs((k) => links.address + T.LINK_BYTES * order.indexOf(k));
    const head = this.table(T.HEAD_BYTES);
    const set = (offset: number, value: number): void => head.words(offset, value);
    set(T.H_COORDINATES, this.count);
    set(T.H_LIMITS, limits.address);
    set(T.H_WRAPS, wraps.address);
    set(T.H_START, at.start);
    set(T.H_DELTA, at.delta);
    set(T.H_WEIGHTS, at.weights);
    set(T.H_HALVES, at.pairs);
    set(T.H_SLIDES, slides.address);
    set(T.H_SLIDE_COUNT, robot.slides.length);
    set(T.H_ANGLES, angles.address);
    set(T.H_ANGLE_COUNT, robot.angles.length);
    set(T.H_PROGRAM, placed[0].start);
    set(T.H_PROGRAM_END, placed[0].end);
    set(T.H_LINKS, links.address);
    set(T.H_LINK_COUNT, robot.links.length);
    set(T.H_PAIRS, pairs.address);
    set(T.H_PAIR_COUNT, this.plans.length);
    set(T.H_NOTHING, this.nothing);
    set(T.H_SCRATCH, this.scratch);
    set(T.H_LEVERS, certify.levers);
    set(T.H_LEVER_ROWS, certify.rows);
    set(T.H_SPEEDS, certify.speeds);
    set(T.H_GROWTH, certify.growth);
    set(T.H_STACK, certify.stack);
    set(T.H_FAILED, certify.failed);
    set(T.H_CERTIFICATE, certify.count);
    set(T.H_INTERVALS, certify.intervals);
    set(T.H_STRAIGHT, robot.isStraight ? 1 : 0);
    set(T.H_UNITS, units.address);
    set(T.H_UNIT_COUNT, robot.units.length);
    const environment = this.takeEnvironment();
    return {
      data: [{ address: constantsAt, bytes: constantBytes }, ...this.tables, ...this.listData()],
      head: head.address,
      memoryBytes: space.end,
      addresses: new Map(this.listAddresses()),
      links: robot.links,
      environment,
      lost: this.boundLoss(),
      isStraight: robot.isStraight,
      ...this.countPairs(),
    };
  }

  private table(size: number): Table {
    const table = new Table(this.space.take(Math.max(size, 1)), size);
    this.tables.push(table);
    return table;
  }

  /** Instructions with constants as negative cells - 1. */
  private writeProgram({ graph, outputs }: TracedProgram, nodes: readonly number[]): number[][] {
    const cells = new Map<number, number>();
    const text: number[][] = [];
    const first = new Map<number, number>();
    for (const { cell, value } of outputs) if (!first.has(value)) first.set(value, cell);
    const cellOf = (x: number): number => {
      const value = graph.valueOf(x);
      if (!Number.isNaN(value)) return -1 - this.constants.cell(value);
      return graph.operations[x] === Operation.Input ? graph.left[x] : (cells.get(x) as number);
    };
    nodes.forEach((x, n) => {
      const out = first.get(x) ?? this.scratchCell + n;
      const operation = graph.operations[x];
      const isSelect = operation === Operation.SelectPositive;
      const left = cellOf(graph.left[x]);
      const hasRight = ![Operation.Negate, Operation.SquareRoot].includes(operation as 6 | 7);
      text.push([
        operation,
        isSelect ? cellOf(graph.third[x]) : 0,
        out,
        left,
        hasRight ? cellOf(graph.right[x]) : left,
      ]);
      cells.set(x, out);
    });
    for (const { cell, value } of outputs) {
      const from = cellOf(value);
      if (from !== cell) text.push([T.OP_COPY, 0, cell, from, from]);
    }
    return text;
  }

  private placeProgram(text: readonly number[][], constantsAt: number): { start: number; end: number } {
    const table = this.table(T.INSTRUCTION_BYTES * text.length);
    const address = (cell: number): number => (cell < 0 ? constantsAt + CELL * (-1 - cell) : CELL * cell);
    text.forEach(([operation, third, out, left, right], n) => {
      const code = operation === Operation.SelectPositive ? operation + address(third) : operation;
      table.words(T.INSTRUCTION_BYTES * n, code, address(out), address(left), address(right));
    });
    return { start: table.address, end: table.address + T.INSTRUCTION_BYTES * text.length };
  }

  private writeLimits(): Table {
    const limits = this.table(16 * this.count);
    this.robot.coordinates.forEach(({ lower, upper }, i) => {
      limits.double(16 * i, Number.isFinite(lower) ? lower - LIMIT_SLACK : -LARGEST_COORDINATE);
      limits.double(16 * i + 8, Number.isFinite(upper) ? upper + LIMIT_SLACK : LARGEST_COORDINATE);
    });
    return limits;
  }

  private writeAngles(): Table {
    const { layout, robot } = this;
    const angles = this.table(T.ANGLE_BYTES * robot.angles.length);
    robot.angles.forEach(({ turn, coordinate, sine, factor, offset }, i) => {
      const at = T.ANGLE_BYTES * i;
      angles.words(at, CELL * (layout.sines.start + turn), CELL * (layout.cosines.start + turn), coordinate, sine + 1);
      angles.double(at + 16, factor);
      angles.double(at + 24, offset);
    });
    return angles;
  }

  /** Tip first; `order`: indices of links by their rows. */
  private writeLinks(placed: readonly { start: number; end: number }[]): { table: Table; order: number[] } {
    const order = this.tipFirst();
    const table = this.table(T.LINK_BYTES * order.length);
    order.forEach((k, n) => {
      const { ball, ballRadius, spheres, radii, count } = this.addresses[k];
      const { start, end } = placed[1 + k];
      const growth = this.certify.growth + 4 * k;
      const row = this.rows + ROW_BYTES * k;
      table.words(T.LINK_BYTES * n, row, ball, ballRadius, spheres, radii, count, growth, start, end);
    });
    return { table, order };
  }

  private writePairs(linkAt: (k: number) => number): Table {
    const rowsBytes = this.plans.map(({ rows }) =>
      rows.reduce((sum, { others }) => sum + T.PAIR_ROW_BYTES * (1 + others.length), 0),
    );
    const pairs = this.table(T.PAIR_BYTES * this.plans.length);
    this.plans.forEach(({ first, second, rows, balls }, p) => {
      const a = this.placed(first, balls[0]);
      const b = this.placed(second, balls[1]);
      const isSingle = a.spheres.length === 1 && b.spheres.length === 1;
      const isLong = isLongPlan(this.plans[p]);
      const form = isLong ? T.FORM_ALL : isSingle ? T.FORM_BALLS : T.FORM_ROWS;
      const table = this.table(form === T.FORM_ROWS ? rowsBytes[p] : 0);
      const at = T.PAIR_BYTES * p;
      const growth = this.certify.growth + 4 * (this.robot.links.length + p);
      pairs.words(at, form, a.ball.address, b.ball.address, linkAt(first), linkAt(second), growth);
      pairs.words(at + T.P_ROWS, table.address, rows.length);
      writeSizes(pairs, at + T.P_SQUARE, a.ball, b.ball);
      pairs.single(at + T.P_MARGIN, this.margin * (1 + 32 * UNIT));
      if (form !== T.FORM_ROWS) return;
      let end = 0;
      for (const { sphere, others } of rows) {
        const own = a.spheres[sphere];
        table.words(end, own.address, others.length);
        writeSizes(table, end + 8, own, b.ball);
        end += T.PAIR_ROW_BYTES;
        for (const k of others) {
          table.words(end, b.spheres[k].address);
          writeSizes(table, end + 4, own, b.spheres[k]);
          end += T.PAIR_ROW_BYTES;
        }
      }
    });
    return pairs;
  }
}

/** The square of the sum, and the sum, as emit-self.ts compares them. */
function writeSizes(table: Table, at: number, a: PlacedBall, b: PlacedBall): void {
  table.single(at, squareOutward(a.size + b.size));
  table.single(at + 4, (a.size + b.size) * (1 + 16 * UNIT));
}

/** Nodes that outputs need and that are no constants or inputs, operands before operations. */
function listNodes({ graph, outputs }: TracedProgram): number[] {
  const isNeeded = new Uint8Array(graph.size);
  for (const { value } of outputs) isNeeded[value] = 1;
  const nodes: number[] = [];
  for (let x = graph.size - 1; x >= 0; x--) {
    if (isNeeded[x] === 0 || isLoaded(graph as ExpressionGraph, x)) continue;
    nodes.push(x);
    visitOperands(graph, x, (operand) => {
      isNeeded[operand] = 1;
    });
  }
  return nodes.reverse();
}
