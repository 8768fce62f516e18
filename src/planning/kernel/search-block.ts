/**
 * A search in the planner's kernel: its block, filled from a space and settings; who is asked about motions while it is open.
 *
 * A function that is asked may itself plan: the search is opened again after every call of one. A block is given back by `dispose`;
 * a finalizer is a safety net only.
 */
import { createRandom } from '../../math/random.js';
import { haltonBases, haltonShift } from '../halton.js';
import type { KernelChecks, MotionValidator, StateCoordinates } from '../types.js';
import { type AskMotion, engineOf, hostEngine, type PlannerEngine } from './engine.js';
import * as layout from './layout.js';

/** What decides about motions: checks linked with the module, or functions; `last` is the final check's. */
export type MotionSource =
  | { readonly checks: KernelChecks; readonly step: number; readonly lastStep: number | null }
  | { readonly grow: MotionValidator; readonly last: MotionValidator | null; readonly isOver: () => boolean };

export interface BlockSettings {
  readonly coordinates: StateCoordinates;
  /** None where nothing is drawn. */
  readonly sampler: 'random' | 'halton' | 'none';
  readonly seed: number;
  readonly motion: MotionSource;
}

/** Steps by which functions are told apart. */
const GROW = 1;
const LAST = 2;
const UNIT_ROUNDOFF = 2 ** -24;

/** What all searches in one space begin with. */
interface Template {
  readonly form: number;
  readonly flags: number;
  readonly slack: number;
  /** The arrays A_... */
  readonly numbers: Float64Array;
  /** Bytes from these to the kinds of the coordinates. */
  readonly kindsAt: number;
  readonly draws: number;
}

const templates = new WeakMap<StateCoordinates, Template>();

const slackOf = (dimension: number, largest: number): number => 16 * UNIT_ROUNDOFF * Math.sqrt(dimension) * largest;

function templateOf(coordinates: StateCoordinates, d: number): Template {
  const known = templates.get(coordinates);
  if (known) return known;
  const { lower, upper, scale, period, kinds, form } = coordinates;
  const numbers = new Float64Array(layout.NUMBER_ARRAYS * d);
  const put = (which: number, values: ArrayLike<number>): void => numbers.set(values, which * d);
  put(layout.A_LOWER, lower);
  put(layout.A_UPPER, upper);
  put(layout.A_SCALE, scale);
  put(layout.A_PERIOD, period);
  const draws = kinds.filter((kind) => (kind & layout.COORDINATE_LOCKED) === 0).length;
  put(layout.A_BASE, haltonBases(draws));
  put(layout.A_DENOMINATOR, new Float64Array(draws).fill(1));
  put(layout.A_STEP, new Float64Array(draws).fill(1));
  let largest = 0;
  for (let k = 0; k < d; k++)
    largest = Math.max(largest, scale[k] * Math.max(Math.abs(lower[k]), Math.abs(upper[k]), period[k]));
  const align = (bytes: number): number => Math.ceil(bytes / 16) * 16;
  const template = {
    form: form === 'squared' ? layout.FORM_SQUARED : layout.FORM_WEIGHTED,
    flags:
      (kinds.some((kind) => (kind & ~layout.COORDINATE_LOCKED) !== layout.COORDINATE_LINE) ? layout.FLAG_WRAPS : 0) |
      (kinds.some((kind) => (kind & layout.COORDINATE_LOCKED) !== 0) ? layout.FLAG_LOCKED : 0),
    slack: slackOf(d, largest),
    numbers,
    kindsAt: align(8 * numbers.length) + 16 * d + align(4 * d),
    draws,
  };
  templates.set(coordinates, template);
  return template;
}

const finalizer =
  typeof FinalizationRegistry === 'undefined'
    ? null
    : new FinalizationRegistry<{ engine: PlannerEngine; block: number }>(({ engine, block }) => free(engine, block));

function free(engine: PlannerEngine, block: number): void {
  const before = engine.open;
  engine.functions.openSearch(block);
  engine.functions.releaseTrees();
  engine.functions.releaseSearch();
  engine.open = before;
  if (before !== 0 && before !== block) engine.functions.openSearch(before);
  else engine.open = 0;
}

export class SearchBlock {
  readonly engine: PlannerEngine;
  readonly address: number;
  /** Steps that stand for growing and for the last check. */
  readonly step: number;
  readonly lastStep: number;
  private readonly asker: AskMotion | null;
  private isDisposed = false;

  constructor(
    readonly dimension: number,
    settings: BlockSettings,
  ) {
    const { motion } = settings;
    if ('checks' in motion) {
      this.engine = engineOf(motion.checks);
      this.asker = null;
      this.step = motion.step;
      this.lastStep = motion.lastStep ?? 0;
    } else {
      this.engine = hostEngine();
      this.asker = this.createAsker(motion.grow, motion.last, motion.isOver);
      this.step = GROW;
      this.lastStep = motion.last ? LAST : 0;
    }
    const { functions } = this.engine;
    this.address = functions.createSearch(dimension);
    this.fill(settings);
    functions.openSearch(this.address);
    this.engine.open = this.address;
    if ('checks' in motion && motion.checks.weights !== undefined)
      this.engine.f64.set(settings.coordinates.scale, motion.checks.weights / 8);
  }

  /** Gives the block back now rather than when it is found to be unused. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    finalizer?.unregister(this);
    free(this.engine, this.address);
  }

  /** For searches that their callers keep. */
  disposeWhenUnused(): void {
    finalizer?.register(this, { engine: this.engine, block: this.address }, this);
  }

  /** Runs something about this search. */
  use<T>(run: () => T): T {
    const { engine } = this;
    const { open, asker } = engine;
    if (open !== this.address) engine.functions.openSearch(this.address);
    engine.open = this.address;
    engine.asker = this.asker;
    try {
      return run();
    } finally {
      engine.asker = asker;
    }
  }

  getInt(field: number): number {
    return this.engine.i32[(this.address + field) >> 2];
  }

  setInt(field: number, value: number): void {
    this.engine.i32[(this.address + field) >> 2] = value;
  }

  setFloat(field: number, value: number): void {
    this.engine.f64[(this.address + field) >> 3] = value;
  }

  array(which: number): number {
    return (this.getInt(layout.S_NUMBERS) >>> 0) + 8 * which * this.dimension;
  }

  writeState(address: number, state: ArrayLike<number>): void {
    this.engine.f64.set(state, address / 8);
  }

  readState(address: number): Float64Array {
    return this.engine.f64.slice(address / 8, address / 8 + this.dimension);
  }

  private fill({ coordinates, sampler, seed }: BlockSettings): void {
    const template = templateOf(coordinates, this.dimension);
    const { f64, i32 } = this.engine;
    this.setInt(layout.S_FORM, template.form);
    this.setInt(layout.S_FLAGS, template.flags | (sampler === 'halton' ? layout.FLAG_HALTON : 0));
    f64[(this.address + layout.S_SLACK) >> 3] = template.slack;
    f64.set(template.numbers, this.array(0) >> 3);
    i32.set(coordinates.kinds, (this.array(0) + template.kindsAt) >> 2);
    if (sampler === 'random') i32.set(createRandom(seed).saveState(), (this.address + layout.S_RANDOM) >> 2);
    else if (seed !== 0) f64.set(haltonShift(template.draws, seed), this.array(layout.A_SHIFT) >> 3);
  }

  /** States whose scaled coordinates are of this size: what single precision may lose of their distances. */
  widenSlack(largest: number): void {
    const at = (this.address + layout.S_SLACK) >> 3;
    this.engine.f64[at] = Math.max(this.engine.f64[at], slackOf(this.dimension, largest));
  }

  private createAsker(grow: MotionValidator, last: MotionValidator | null, isOver: () => boolean): AskMotion {
    const a = new Float64Array(this.dimension);
    const b = new Float64Array(this.dimension);
    return (from, to, step) => {
      const { f64, functions } = this.engine;
      const i = from / 8;
      const j = to / 8;
      for (let k = 0; k < a.length; k++) {
        a[k] = f64[i + k];
        b[k] = f64[j + k];
      }
      const valid = (step === LAST ? last! : grow).isMotionValid(a, b);
      // What was asked may have planned something else.
      if (this.engine.open !== this.address) {
        functions.openSearch(this.address);
        this.engine.open = this.address;
      }
      if (!valid && isOver()) this.setInt(layout.S_STOPPED, 1);
      return valid;
    };
  }
}
