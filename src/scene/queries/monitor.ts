/**
 * Monitoring at control rate: every pair closer than a distance, with witness points, closing speed and time to contact.
 *
 * Method, per update:
 * 1. each body that moved adds a bound of its motion since the last update to its odometer (body-motion.ts);
 * 2. a pair that was found to be farther than the distance by a surplus s is not looked at before the odometers of its two
 *    bodies have advanced by s together; a row of pairs that share a body is passed over as a whole while even its nearest
 *    pair has surplus left;
 * 3. pairs whose surplus is used up are measured again: boxes first, then exactly up to a little beyond the distance, which
 *    buys surplus for the next updates;
 * 4. near pairs are measured at every update, exactly. The last distance plus what the odometers advanced bounds the new one
 *    from above, so that mesh queries start with a tight bound;
 * 5. velocities come from the placements of this and the last update: closing speed = n . (v_A - v_B) at the witness points;
 *    time to contact = (distance - margin) / closing speed.
 * A pair under the distance is never missed: bounds are sums of upper bounds. Contacts (pairs within their margin) are
 * compared with the last update's: began, persisted, ended.
 * Source: Verlet 1967, "Computer experiments on classical fluids" (neighbour lists with a skin),
 * doi:10.1103/PhysRev.159.98; Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", section 2.3.
 *
 * Frames: W. Metres, seconds. Cost: the near pairs' distances; about 1 ns per row of far pairs. No objects are made unless
 * bodies, allowed pairs or margins change, or more pairs are near than ever before; boxed numbers of the engine remain (about 1 kB).
 * Tested by monitor.test.ts (against `pairsWithin` at every step) and bench suite `monitor`.
 */
import { requireFinite, requireFlag } from '../../math/arguments.js';
import { describeValue, requireKnownKeys } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { createDistanceResult, type QueryStatus } from '../../narrowphase/query.js';
import { type SceneAssumptions, sceneAssumptions } from '../assumptions.js';
import { boxDistance } from '../bodies.js';
import { bodyName } from '../body-names.js';
import { type BodySphere, boundBody, boundDisplacement } from '../motion/body-motion.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody } from '../types.js';
import { updateScene } from '../update.js';
import { depthFor, isTouching, measureBodies, type OverlapDepth, requireDepth } from './body-pairs.js';
import { stateAssumptions } from './enclosed.js';
import { prepareHulls } from './mesh-hulls.js';
import { marginOfPair, mayTouch, movingBodies } from './pair-rules.js';

export interface MonitorOptions {
  /** Pairs at most this far apart (plus the pair's own margin) are reported. Metres. */
  readonly distance: number;
  /** Watch free objects against each other too; default: only in a scene without robots. */
  readonly objectPairs?: boolean;
  /** Time from one update to the next where `update` is not told the time. Seconds, default 0.001. */
  readonly period?: number;
  /** Of overlaps, as `checkScene` and `pairsWithin` give them: see `OverlapDepth`. Default 'hull', the choice for control rates. */
  readonly depth?: OverlapDepth;
}

/** What happened to a contact since the update before; `none` for a pair that does not touch and did not. */
export type ContactChange = 'none' | 'began' | 'persisted' | 'ended';

export interface MonitorPair {
  /** Link or object names, as `bodyName` gives them. */
  readonly a: string;
  readonly b: string;
  /** Signed distance without margins. */
  readonly distance: number;
  /** A distance up to this counts as contact. */
  readonly margin: number;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
  /** Unit vector from a to b. */
  readonly normal: Float64Array;
  readonly status: QueryStatus;
  /** Metres per second, positive while approaching; 0 at the first update. */
  readonly closingSpeed: number;
  /** Seconds until the margin is reached at this speed: 0 in contact, Infinity when the pair does not approach. */
  readonly timeToContact: number;
  readonly contact: ContactChange;
}

export interface MonitorCounts {
  /** Body pairs measured exactly since the monitor was made. */
  distances: number;
  /** Pairs whose boxes were compared. */
  boxTests: number;
}

/** `complete` and `assumed` are those of the scene at the last update: a part that was left out is not watched. */
export interface Monitor extends SceneAssumptions {
  readonly scene: Scene;
  readonly distance: number;
  /** Of the last update, null before the first. Seconds. */
  readonly time: number | null;
  /** The first `count` entries are the near pairs, nearest first. The objects are written again by the next update. */
  readonly pairs: readonly MonitorPair[];
  readonly count: number;
  /**
   * The first `eventCount` entries are the contacts that began, persisted or ended: first those that ended beyond the
   * distance (points and speeds are then the last known ones), then in the order of `pairs`.
   */
  readonly events: readonly MonitorPair[];
  readonly eventCount: number;
  /** Body pairs under watch. */
  readonly watched: number;
  readonly counts: MonitorCounts;
  /**
   * Looks at the scene as it is now; returns the number of near pairs. `time` in seconds, from any origin; without it
   * `period` has passed. Throws when time does not advance.
   */
  update(time?: number): number;
}

/** More pairs than this are no matter of a monitor. */
const MAX_PAIRS = 1_000_000;
/** A measurement reaches this many steps of the pair's present motion beyond the distance. */
const REACH_STEPS = 32;
/** Upper bounds of distances, widened by rounding. */
const BOUND_SLACK = 1e-9;
const DEFAULT_PERIOD = 1e-3;

class PairRecord implements MonitorPair {
  a = '';
  b = '';
  distance = 0;
  margin = 0;
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  readonly normal = new Float64Array(3);
  status: QueryStatus = 'ok';
  closingSpeed = 0;
  timeToContact = Infinity;
  contact: ContactChange = 'none';
  bodyA: SceneBody | null = null;
  bodyB: SceneBody | null = null;
  /** Index of the pair and of its bodies. */
  pair = -1;
  first = -1;
  second = -1;
  /** The distance was at most `bound` when the bodies' odometers summed up to `stamp`. */
  bound = Infinity;
  stamp = 0;
  touching = false;
}

const measured = createDistanceResult();

function pairId(a: SceneBody, b: SceneBody): string {
  return `${a.id} ${b.id}`;
}

class SceneMonitor implements Monitor {
  readonly scene: Scene;
  readonly distance: number;
  readonly pairs: PairRecord[] = [];
  readonly events: PairRecord[] = [];
  readonly counts: MonitorCounts = { distances: 0, boxTests: 0 };
  count = 0;
  eventCount = 0;
  watched = 0;
  private readonly objectPairs: boolean | undefined;
  private readonly period: number;
  private readonly depth: OverlapDepth;
  private revision = -1;
  time: number | null = null;
  /** Near pairs are measured at this rate of updates; 0 at the first one, when nothing is known of velocities. */
  private rate = 0;
  private bodies: SceneBody[] = [];
  private spheres: BodySphere[] = [];
  private versions = new Float64Array(0);
  private odometers = new Float64Array(0);
  /** Motion bound of this update. */
  private steps = new Float64Array(0);
  /** X_WB at the last update, 12 numbers per body. */
  private former: Float64Array = new Float64Array(0);
  /** Rows are the pairs of one first body: pairs rowStarts[r] .. rowStarts[r + 1] - 1. */
  private rowStarts = new Int32Array(1);
  private rowBodies = new Int32Array(0);
  private rowOf = new Int32Array(0);
  private rowLimits = new Float64Array(0);
  private seconds = new Int32Array(0);
  private margins = new Float64Array(0);
  /** The pair is far while its odometers sum up to less than this; Infinity for near pairs, which have a record. */
  private limits = new Float64Array(0);
  /** Sum over the updates of the largest step of any body. */
  private farthest = 0;
  private readonly spare: PairRecord[] = [];
  /** Records that left the near pairs in this update; the first `droppedCount` count. */
  private readonly dropped: PairRecord[] = [];
  private droppedCount = 0;

  complete = true;
  assumed: readonly string[] = [];

  constructor(scene: Scene, options: MonitorOptions) {
    ({ complete: this.complete, assumed: this.assumed } = sceneAssumptions(scene));
    this.scene = scene;
    this.distance = options.distance;
    this.objectPairs = options.objectPairs;
    this.period = options.period ?? DEFAULT_PERIOD;
    this.depth = requireDepth('createMonitor', options.depth);
  }

  update(time?: number): number {
    const { scene } = this;
    requireOpen(scene, 'Monitor.update');
    const last = this.time;
    const now = time ?? (last === null ? 0 : last + this.period);
    requireFinite('Monitor.update', 'time', now);
    if (last !== null && !(now > last))
      throw new MisuseError(`Monitor.update: time, got ${now}, expected more than ${last}, the last update's`);
    updateScene(scene);
    while (this.droppedCount > 0) this.spare.push(this.dropped[--this.droppedCount]);
    if (this.revision !== scene.revision) this.rebuild();
    this.rate = last === null ? 0 : 1 / (now - last);
    this.advanceOdometers();
    this.measureNear();
    this.searchRows();
    this.sortPairs();
    this.listEvents();
    this.keepPlacements();
    this.time = now;
    const { complete, assumed } = stateAssumptions(scene, this.objectPairs);
    this.complete = complete;
    this.assumed = assumed;
    return this.count;
  }

  /** New tables for new bodies, matrices or margins; records of pairs that go on are kept. */
  private rebuild(): void {
    const { scene } = this;
    const objectPairs = this.objectPairs ?? scene.robots.length === 0;
    const bodies = movingBodies(scene);
    const moving = bodies.length;
    for (const { body, attachment } of scene.objects.values()) if (!attachment) bodies.push(body);
    this.former = this.copyFormer(bodies);
    const open = new Map<string, PairRecord>();
    for (let n = 0; n < this.count; n++) open.set(pairId(this.pairs[n].bodyA!, this.pairs[n].bodyB!), this.pairs[n]);
    const kept = new Set<PairRecord>();
    const rows: number[] = [];
    const starts = [0];
    const seconds: number[] = [];
    const margins: number[] = [];
    const limits: number[] = [];
    for (let i = 0; i < (objectPairs ? bodies.length : moving); i++) {
      for (let j = i + 1; j < bodies.length; j++) {
        const [a, b] = [bodies[i], bodies[j]];
        if (mayTouch(scene, a, b)) continue;
        const margin = marginOfPair(scene, a, b);
        const record = open.size > 0 ? open.get(pairId(a, b)) : undefined;
        if (record) {
          kept.add(record);
          // Nothing is known of how far the bodies went meanwhile.
          record.bound = Infinity;
          nameRecord(record, { scene, pair: seconds.length, first: i, second: j, a, b, margin });
        }
        seconds.push(j);
        margins.push(margin);
        limits.push(record ? Infinity : -Infinity);
      }
      if (seconds.length > MAX_PAIRS)
        throw new MisuseError(`createMonitor: pairs of bodies, got over ${MAX_PAIRS}, expected at most that many`);
      if (seconds.length === starts[starts.length - 1]) continue;
      rows.push(i);
      starts.push(seconds.length);
    }
    const records = this.pairs.slice(0, this.count);
    this.count = 0;
    for (const record of records) {
      if (kept.has(record)) this.pairs[this.count++] = record;
      else this.drop(record);
    }
    this.pairs.length = this.count;
    this.revision = scene.revision;
    this.watched = seconds.length;
    this.bodies = bodies;
    this.spheres = bodies.map(boundBody);
    prepareHulls(bodies);
    this.versions = new Float64Array(bodies.length).fill(-1);
    this.odometers = new Float64Array(bodies.length);
    this.steps = new Float64Array(bodies.length);
    this.rowStarts = Int32Array.from(starts);
    this.rowBodies = Int32Array.from(rows);
    this.rowOf = new Int32Array(bodies.length).fill(-1);
    rows.forEach((body, row) => {
      this.rowOf[body] = row;
    });
    this.rowLimits = new Float64Array(rows.length).fill(-Infinity);
    this.seconds = Int32Array.from(seconds);
    this.margins = Float64Array.from(margins);
    this.limits = Float64Array.from(limits);
    this.farthest = 0;
  }

  /** The last placements of bodies that stay; new ones are taken to stand still. */
  private copyFormer(bodies: readonly SceneBody[]): Float64Array {
    const known = new Map(this.bodies.map((body, i) => [body, i]));
    const out = new Float64Array(12 * bodies.length);
    bodies.forEach((body, i) => {
      const old = known.get(body);
      out.set(old === undefined ? body.worldPlacement : this.former.subarray(12 * old, 12 * old + 12), 12 * i);
    });
    return out;
  }

  private advanceOdometers(): void {
    const { bodies, versions, odometers, steps, spheres, former } = this;
    let largest = 0;
    for (let i = 0; i < bodies.length; i++) {
      const body = bodies[i];
      if (body.version === versions[i]) {
        steps[i] = 0;
        continue;
      }
      versions[i] = body.version;
      const step = boundDisplacement(spheres[i], former, 12 * i, body.worldPlacement);
      steps[i] = step;
      odometers[i] += step;
      if (step > largest) largest = step;
    }
    this.farthest += largest;
  }

  /** Every pair that was near at the last update, again; those that left go to `dropped`. */
  private measureNear(): void {
    const { pairs, odometers, margins } = this;
    let kept = 0;
    for (let n = 0; n < this.count; n++) {
      const record = pairs[n];
      const stamp = odometers[record.first] + odometers[record.second];
      const limit = this.distance + margins[record.pair];
      if (this.steps[record.first] === 0 && this.steps[record.second] === 0 && record.bound !== Infinity) {
        this.keepStill(record);
      } else {
        const upper = record.bound + (stamp - record.stamp);
        this.measure(
          record.bodyA!,
          record.bodyB!,
          Math.min(limit, upper + BOUND_SLACK * (1 + Math.abs(upper))),
          record,
        );
        // Beyond a bound that was derived, not asked for: rounding, or a depth that is only a bound.
        if (measured.status === 'beyond-bound' && upper < limit)
          this.measure(record.bodyA!, record.bodyB!, limit, record);
        if (measured.status === 'beyond-bound' || measured.distance > limit) {
          this.setFar(record.pair, record.first, stamp, measured.distance - limit);
          this.drop(record);
          continue;
        }
        this.write(record, stamp);
      }
      pairs[kept++] = record;
    }
    this.count = kept;
  }

  private measure(a: SceneBody, b: SceneBody, bound: number, { margin }: { readonly margin: number }): void {
    this.counts.distances++;
    measureBodies(measured, a, b, bound, margin, depthFor(margin, this.depth));
  }

  /** Notes that a pair is farther than its limit by `surplus`; returns the surplus that counts. */
  private setFar(pair: number, first: number, stamp: number, surplus: number): number {
    const safe = surplus - BOUND_SLACK * BOUND_SLACK - 4 * Number.EPSILON * (stamp + this.farthest);
    this.limits[pair] = stamp + safe;
    const row = this.rowOf[first];
    this.rowLimits[row] = Math.min(this.rowLimits[row], this.odometers[first] + this.farthest + safe);
    return safe;
  }

  /** Looks for pairs that may have come near. */
  private searchRows(): void {
    const { rowBodies, rowStarts, rowLimits, seconds, odometers, limits, farthest } = this;
    for (let r = 0; r < rowBodies.length; r++) {
      const i = rowBodies[r];
      const own = odometers[i];
      if (own + farthest < rowLimits[r]) continue;
      let surplus = Infinity;
      rowLimits[r] = Infinity;
      for (let k = rowStarts[r]; k < rowStarts[r + 1]; k++) {
        const stamp = own + odometers[seconds[k]];
        const left = stamp < limits[k] ? limits[k] - stamp : this.examine(k, i, stamp);
        if (left < surplus) surplus = left;
      }
      rowLimits[r] = own + farthest + surplus;
    }
  }

  /** Measures a pair without a record; returns by how much it is beyond its limit, Infinity once it has a record. */
  private examine(k: number, i: number, stamp: number): number {
    const j = this.seconds[k];
    const a = this.bodies[i];
    const b = this.bodies[j];
    const margin = this.margins[k];
    const limit = this.distance + margin;
    this.counts.boxTests++;
    const gap = boxDistance(a.box, b.box);
    if (gap > limit) return this.setFar(k, i, stamp, gap - limit);
    const record = this.spare.pop() ?? new PairRecord();
    record.margin = margin;
    this.measure(a, b, limit + REACH_STEPS * (this.steps[i] + this.steps[j]), record);
    if (measured.status === 'beyond-bound' || measured.distance > limit) {
      this.spare.push(record);
      return this.setFar(k, i, stamp, measured.distance - limit);
    }
    nameRecord(record, { scene: this.scene, pair: k, first: i, second: j, a, b, margin });
    record.touching = false;
    this.write(record, stamp);
    this.limits[k] = Infinity;
    this.pairs[this.count++] = record;
    return Infinity;
  }

  private write(record: PairRecord, stamp: number): void {
    record.distance = measured.distance;
    record.status = measured.status;
    record.bound = measured.distance;
    record.stamp = stamp;
    const { pointA, pointB, normal, first, second, margin } = record;
    for (let i = 0; i < 3; i++) {
      pointA[i] = measured.pointA[i];
      pointB[i] = measured.pointB[i];
      normal[i] = measured.normal[i];
    }
    const shift = this.shiftAlong(first, pointA, normal) - this.shiftAlong(second, pointB, normal);
    const closing = this.rate * shift;
    const touching = isTouching(measured, margin);
    record.closingSpeed = closing === 0 ? 0 : closing;
    record.timeToContact = touching ? 0 : closing > 0 ? Math.max(0, record.distance - margin) / closing : Infinity;
    record.contact = touching ? (record.touching ? 'persisted' : 'began') : record.touching ? 'ended' : 'none';
    record.touching = touching;
  }

  /** Neither body moved: distance and points stay. */
  private keepStill(record: PairRecord): void {
    record.closingSpeed = 0;
    record.timeToContact = record.touching ? 0 : Infinity;
    record.contact = record.touching ? 'persisted' : 'none';
  }

  /** How far the body's point p (in W, now) went along n since the last update. */
  private shiftAlong(body: number, p: Float64Array, n: Float64Array): number {
    if (this.steps[body] === 0) return 0;
    const X = this.bodies[body].worldPlacement;
    const { former } = this;
    const at = 12 * body;
    const dx = p[0] - X[9];
    const dy = p[1] - X[10];
    const dz = p[2] - X[11];
    const x = X[0] * dx + X[3] * dy + X[6] * dz;
    const y = X[1] * dx + X[4] * dy + X[7] * dz;
    const z = X[2] * dx + X[5] * dy + X[8] * dz;
    let shift = 0;
    for (let i = 0; i < 3; i++) {
      const r = at + 3 * i;
      shift += n[i] * (p[i] - (former[r] * x + former[r + 1] * y + former[r + 2] * z + former[at + 9 + i]));
    }
    return shift;
  }

  /** Insertion sort: the order hardly changes from one update to the next. */
  private sortPairs(): void {
    const { pairs, count } = this;
    for (let n = 1; n < count; n++) {
      const record = pairs[n];
      let m = n - 1;
      while (m >= 0 && isBefore(record, pairs[m])) {
        pairs[m + 1] = pairs[m];
        m--;
      }
      pairs[m + 1] = record;
    }
  }

  private drop(record: PairRecord): void {
    record.contact = record.touching ? 'ended' : 'none';
    record.touching = false;
    record.closingSpeed = 0;
    record.timeToContact = Infinity;
    this.dropped[this.droppedCount++] = record;
  }

  private listEvents(): void {
    let count = 0;
    for (let n = 0; n < this.droppedCount; n++)
      if (this.dropped[n].contact !== 'none') this.events[count++] = this.dropped[n];
    for (let n = 0; n < this.count; n++) if (this.pairs[n].contact !== 'none') this.events[count++] = this.pairs[n];
    this.eventCount = count;
  }

  private keepPlacements(): void {
    const { bodies, former, steps } = this;
    for (let i = 0; i < bodies.length; i++) {
      if (steps[i] === 0) continue;
      const X = bodies[i].worldPlacement;
      for (let k = 0; k < 12; k++) former[12 * i + k] = X[k];
    }
  }
}

interface RecordPlace {
  readonly scene: Scene;
  readonly pair: number;
  readonly first: number;
  readonly second: number;
  readonly a: SceneBody;
  readonly b: SceneBody;
  readonly margin: number;
}

function nameRecord(record: PairRecord, { scene, pair, first, second, a, b, margin }: RecordPlace): void {
  record.pair = pair;
  record.first = first;
  record.second = second;
  record.bodyA = a;
  record.bodyB = b;
  record.a = bodyName(scene, a);
  record.b = bodyName(scene, b);
  record.margin = margin;
}

function isBefore(a: PairRecord, b: PairRecord): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.pair < b.pair);
}

/** Watches a scene; see `Monitor.update`. Throws on a distance or period that is no usable number. */
export function createMonitor(scene: Scene, options: MonitorOptions): Monitor {
  requireOpen(scene, 'createMonitor');
  requireKnownKeys('createMonitor', 'options', options, ['distance', 'objectPairs', 'period', 'depth']);
  if (options.objectPairs !== undefined) requireFlag('createMonitor', 'objectPairs', options.objectPairs);
  const { distance, period = DEFAULT_PERIOD } = options;
  if (!(typeof distance === 'number' && distance >= 0 && distance < Infinity))
    throw new MisuseError(
      `createMonitor: distance, got ${describeValue(distance)}, expected a finite number, 0 or more`,
    );
  if (!(typeof period === 'number' && period > 0 && period < Infinity))
    throw new MisuseError(`createMonitor: period, got ${describeValue(period)}, expected a positive number of seconds`);
  return new SceneMonitor(scene, options);
}
