/**
 * Many bodies that are moved, not pushed: who touches whom, checked for those that moved, told as contacts that begin, stay and end.
 *
 * Method of a step: first everything moves (drivers, then what callbacks set), then every pair with a body that moved is checked: cells
 * (cell-grid.ts), boxes, exact footprints; then events are told. What a callback changes while events are told counts as moved in the next step.
 * Source: the corrected text of PyBulletFleet's spatial hash grid (docs/fleet.md has a row per capability); two phases per step so that the
 * result does not depend on the order of the bodies.
 *
 *   poses   Float64Array 6 per body   x, y, z, yaw, cos yaw, sin yaw   metres, radians
 *   shapes  Float64Array 6 per body   see footprint.ts
 *   boxes   Float64Array 6 per body   lower x, y, z, upper x, y, z, of where it is now
 *
 * Modes: `3d` compared in all axes; `2d` in the plane alone with other `2d` bodies, in all axes with the rest; `static` never with one another;
 * `disabled` with nobody. Touching counts. A step allocates nothing once its lists have grown.
 * Cost: O(moved + pairs near them + contacts). Tested by fleet-world.test.ts against brute force over random programs.
 */
import {
  requireCount,
  requireFinite,
  requireFunction,
  requireNumbers,
  requireOneOf,
  requirePositiveNumber,
  requireText,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { copyTransform, type Transform } from '../math/transform.js';
import { CellGrid } from './cell-grid.js';
import { BEGIN, ContactEvents, type ContactPhase, END, STAY } from './contact-events.js';
import { ContactList } from './contact-list.js';
import {
  createProfile,
  type FleetBody,
  type FleetMode,
  type FleetProfile,
  MODES,
  refuseFlatSolid,
} from './fleet-body.js';
import {
  BOX_STRIDE,
  bodiesTouch,
  POSE_STRIDE,
  SHAPE_STRIDE,
  SOLID,
  writeFootprintBox,
  writeFootprintPose,
  writeShape,
} from './footprint.js';
import { grow } from './grow-array.js';
import { MonitorList, removeFrom } from './monitor-list.js';
import { SolidBodies } from './solid-bodies.js';
import { chooseCellSize, type FleetCellMode, type FleetWorldOptions, requireWorldOptions } from './world-options.js';

const PLANE = 1;
const STATIC = 2;
const DISABLED = 3;
const GONE = 4;

/** Bodies by id; whoever is removed ends its contacts, and its id may name another body by then. */
export type ContactListener = (phase: ContactPhase, a: number, b: number, world: FleetWorld) => void;
/** Moves bodies by `setPose` or `movePlane`; `dt` in seconds. */
export type FleetDriver = (world: FleetWorld, dt: number) => void;

/** Looks at the world as it is after a step. */
export type FleetMonitor = (world: FleetWorld) => void;

export class FleetWorld {
  time = 0;
  steps = 0;
  /** Ids are below it. */
  bodyCount = 0;
  poses = new Float64Array(0);
  /** Rows of solids hold their kind alone. */
  shapes = new Float64Array(0);
  boxes = new Float64Array(0);
  readonly profile: FleetProfile = createProfile();
  readonly solids = new SolidBodies();
  private modes = new Uint8Array(0);
  /** Bodies of one group, but 0, are never compared: a robot, its links, its load. */
  private groups = new Int32Array(0);
  private groupCount = 0;
  private names: string[] = [];
  private readonly byName = new Map<string, number>();
  private readonly freeIds: number[] = [];
  private grid: CellGrid | null = null;
  private population = 0;
  private isStale = false;
  private moved = new Int32Array(64);
  private movedCount = 0;
  private isMoved = new Uint8Array(0);
  private contactCounts = new Int32Array(0);
  private readonly contacts = new ContactList();
  private readonly ignored = new Set<number>();
  private readonly drivers: FleetDriver[] = [];
  private readonly listeners: ContactListener[] = [];
  private readonly monitors = new MonitorList<FleetWorld>();
  private readonly events = new ContactEvents();
  private isTelling = false;
  private readonly cellMode: FleetCellMode;
  private readonly clock: (() => number) | null;

  constructor(private readonly options: FleetWorldOptions = {}) {
    requireWorldOptions('createFleetWorld', options);
    this.cellMode = options.cellSizeMode ?? 'AUTO_INITIAL';
    this.clock = options.clock ?? null;
  }

  /** Bodies that are there. */
  get size(): number {
    return this.population;
  }

  /** Null before the first step has chosen it. */
  get cellSize(): number | null {
    return this.grid?.cellSize ?? null;
  }

  get contactCount(): number {
    return this.contacts.count;
  }

  addBody(body: FleetBody): number {
    const { name, pose, shape } = body;
    const mode = body.mode ?? (shape?.type === 'solid' ? '3d' : '2d');
    requireText('addBody', 'name', name);
    requireNumbers('addBody', 'pose', pose, 4);
    requireOneOf('addBody', 'mode', mode, MODES);
    refuseFlatSolid('addBody', mode, shape?.type === 'solid');
    if (this.byName.has(name)) throw new MisuseError(`addBody: name, got "${name}" twice, expected another`);
    if (this.freeIds.length === 0 && SHAPE_STRIDE * this.bodyCount === this.shapes.length)
      this.reserve(2 * this.bodyCount + 32);
    const id = this.freeIds.length > 0 ? this.freeIds[this.freeIds.length - 1] : this.bodyCount;
    writeShape(this.shapes, id * SHAPE_STRIDE, 'addBody', shape);
    if (shape.type === 'solid') this.solids.add(id, shape.shape);
    if (this.freeIds.length > 0) this.freeIds.pop();
    else this.bodyCount++;
    this.modes[id] = MODES.indexOf(mode);
    this.names[id] = name;
    this.byName.set(name, id);
    this.population++;
    this.writePose(id, pose[0], pose[1], pose[2], pose[3]);
    this.writeBox(id);
    if (mode !== 'disabled') this.grid?.place(id);
    this.markMoved(id);
    if (this.cellMode === 'AUTO_ADAPTIVE') this.isStale = true;
    return id;
  }

  /** Its contacts end; its id may be used again. */
  removeBody(id: number): void {
    this.requireBody('removeBody', id);
    if (this.modes[id] !== DISABLED) this.grid?.displace(id);
    this.endContactsOf(id);
    // The id may come back as another body.
    for (const key of this.ignored)
      if (key % 67108864 === id || Math.floor(key / 67108864) === id) this.ignored.delete(key);
    this.byName.delete(this.names[id]);
    this.solids.remove(id);
    this.groups[id] = 0;
    this.modes[id] = GONE;
    this.freeIds.push(id);
    this.population--;
    if (this.cellMode === 'AUTO_ADAPTIVE') this.isStale = true;
  }

  setMode(id: number, mode: FleetMode): void {
    this.requireBody('setMode', id);
    requireOneOf('setMode', 'mode', mode, MODES);
    const before = this.modes[id];
    const after = MODES.indexOf(mode);
    refuseFlatSolid('setMode', mode, this.shapes[id * SHAPE_STRIDE] === SOLID);
    if (before === after) return;
    this.modes[id] = after;
    if (before === DISABLED) {
      this.writeBox(id);
      this.grid?.place(id);
    } else if (after === DISABLED) this.grid?.displace(id);
    if (after === DISABLED) this.endContactsOf(id);
    else this.markMoved(id);
  }

  modeOf(id: number): FleetMode {
    this.requireBody('modeOf', id);
    return MODES[this.modes[id]];
  }

  /** False of a body that was removed. */
  isHere = (id: number): boolean => id >= 0 && id < this.bodyCount && this.modes[id] !== GONE;

  /** A body that is compared with others. */
  isPresent(id: number): boolean {
    return this.modes[id] < DISABLED;
  }

  nameOf(id: number): string {
    return this.names[id];
  }

  /** Id of the body of that name, or -1. */
  find(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  /** Whether contacts of the two are left out: a robot and what it carries. */
  ignorePair(a: number, b: number, ignored: boolean): void {
    this.requireBody('ignorePair', a);
    this.requireBody('ignorePair', b);
    const key = Math.min(a, b) * 67108864 + Math.max(a, b);
    if (ignored) this.ignored.add(key);
    else this.ignored.delete(key);
    this.markMoved(a);
  }

  /** Anywhere at once: nothing in between is checked. */
  setPose(id: number, x: number, y: number, z: number, yaw: number): void {
    this.requireBody('setPose', id);
    if (!Number.isFinite(x)) requireFinite('setPose', 'x', x);
    if (!Number.isFinite(y)) requireFinite('setPose', 'y', y);
    if (!Number.isFinite(z)) requireFinite('setPose', 'z', z);
    if (!Number.isFinite(yaw)) requireFinite('setPose', 'yaw', yaw);
    this.writePose(id, x, y, z, yaw);
    this.markMoved(id);
  }

  /** Of a solid; twelve numbers. Anywhere at once. */
  setTransform(id: number, transform: Transform): void {
    this.requireBody('setTransform', id);
    requireNumbers('setTransform', 'transform', transform, 12);
    const solid = this.solids.find(id);
    if (solid === undefined) throw new MisuseError(`setTransform: id, got ${id}, expected that of a solid`);
    copyTransform(solid.transform, transform);
    const o = id * POSE_STRIDE;
    for (let k = 0; k < 3; k++) this.poses[o + k] = transform[9 + k];
    this.markMoved(id);
  }

  /** A number for `setGroup` that no body has. */
  createGroup(): number {
    return ++this.groupCount;
  }

  /** Bodies of one group are not compared with one another; 0: of none. */
  setGroup(id: number, group: number): void {
    this.requireBody('setGroup', id);
    requireCount('setGroup', 'group', group);
    this.groups[id] = group;
    this.markMoved(id);
  }

  groupOf(id: number): number {
    this.requireBody('groupOf', id);
    return this.groups[id];
  }

  /** Whether the two are compared: not at all, in the plane, or in all axes. */
  comparison(a: number, b: number): 'none' | 'plane' | 'all' {
    const [m, n] = [this.modes[a], this.modes[b]];
    if (m >= DISABLED || n >= DISABLED || (m === STATIC && n === STATIC)) return 'none';
    if (this.groups[a] !== 0 && this.groups[a] === this.groups[b]) return 'none';
    if (this.ignored.size > 0 && this.ignored.has(Math.min(a, b) * 67108864 + Math.max(a, b))) return 'none';
    return m === PLANE && n === PLANE ? 'plane' : 'all';
  }

  /** For drivers: a move in the plane with the yaw kept; nothing is looked at. */
  movePlane(id: number, x: number, y: number): void {
    const o = id * POSE_STRIDE;
    this.poses[o] = x;
    this.poses[o + 1] = y;
    this.markMoved(id);
  }

  /** Called in every step before the checks, in the order of addition. Returns what takes it away. */
  addDriver(driver: FleetDriver): () => void {
    requireFunction('addDriver', 'driver', driver);
    this.drivers.push(driver);
    return () => removeFrom(this.drivers, driver);
  }

  /** Called after the checks of a step with each contact that began, stays or ended. Returns what takes it away. */
  onContact(listener: ContactListener): () => void {
    requireFunction('onContact', 'listener', listener);
    this.listeners.push(listener);
    return () => removeFrom(this.listeners, listener);
  }

  /** Called at the end of a step when so many seconds of the world have passed since it was last called. Returns what takes it away. */
  addMonitor(seconds: number, monitor: FleetMonitor): () => void {
    requirePositiveNumber('addMonitor', 'seconds', seconds);
    requireFunction('addMonitor', 'monitor', monitor);
    return this.monitors.add(this.time, seconds, monitor);
  }

  /** Everything moves, then everything that moved is checked, then it is told. `dt`: seconds. */
  step(dt: number): void {
    if (!(dt > 0 && dt < Number.POSITIVE_INFINITY)) requirePositiveNumber('step', 'dt', dt);
    if (this.isTelling) throw new MisuseError('step: called from a contact listener, expected a call after it');
    const { clock, profile, drivers } = this;
    const t0 = clock?.() ?? 0;
    for (let k = 0; k < drivers.length; k++) drivers[k](this, dt);
    this.time += dt;
    this.steps++;
    const t1 = clock?.() ?? 0;
    this.updateBoxes();
    const t2 = clock?.() ?? 0;
    this.check();
    const t3 = clock?.() ?? 0;
    this.tell();
    this.monitors.call(this.time, this);
    profile.moveMs = t1 - t0;
    profile.updateMs = t2 - t1;
    profile.checkMs = t3 - t2;
    profile.eventMs = (clock?.() ?? 0) - t3;
    profile.contacts = this.contacts.count;
  }

  /** Calls with each pair that touches as of the last step; return false to stop. */
  forEachContact(visit: (a: number, b: number) => boolean | void): void {
    const { pairs } = this.contacts;
    for (let k = 0; k < this.contacts.count; k++) if (visit(pairs[2 * k], pairs[2 * k + 1]) === false) return;
  }

  isTouching(a: number, b: number): boolean {
    return this.contacts.has(a, b);
  }

  /** Contacts, a smaller and a larger id each, as if they had been found in the last step; events that were not told are left out. */
  resumeContacts(pairs: ArrayLike<number>): void {
    for (let k = this.contacts.count - 1; k >= 0; k--) this.endContact(k);
    this.events.clear();
    for (let k = 0; k < pairs.length; k += 2) {
      this.requireBody('resumeContacts', pairs[k]);
      this.requireBody('resumeContacts', pairs[k + 1]);
      this.contacts.touch(pairs[k], pairs[k + 1], this.steps);
      this.contactCounts[pairs[k]]++;
      this.contactCounts[pairs[k + 1]]++;
    }
  }

  /** The cell size by the mode's rule, now; does nothing with CONSTANT. */
  calculateCellSize(): void {
    this.makeGrid();
  }

  /** Boxes of what was moved since the last step, now. */
  refreshBoxes(): void {
    for (let k = 0; k < this.movedCount; k++) if (this.modes[this.moved[k]] < DISABLED) this.writeBox(this.moved[k]);
  }

  private makeGrid(): void {
    const size = chooseCellSize(this.options, this.boxes, (id) => this.modes[id] < DISABLED, this.bodyCount);
    this.isStale = false;
    if (this.grid !== null && this.grid.cellSize === size) return;
    this.grid = new CellGrid(size, this.options.multiCellThreshold ?? 1.5, this.boxes);
    this.grid.reserve(this.modes.length, this.boxes);
    for (let id = 0; id < this.bodyCount; id++) if (this.modes[id] < DISABLED) this.grid.place(id);
  }

  private updateBoxes(): void {
    const { moved, grid, modes } = this;
    const count = this.movedCount;
    this.profile.boxesUpdated = 0;
    for (let k = 0; k < count; k++) {
      const id = moved[k];
      if (modes[id] >= DISABLED) continue;
      this.writeBox(id);
      this.profile.boxesUpdated++;
      grid?.shift(id);
    }
    if (this.grid === null || this.isStale) this.makeGrid();
  }

  private check(): void {
    const { moved, isMoved, modes, contacts, shapes, poses, boxes, steps, ignored, groups, solids } = this;
    const grid = this.grid!;
    const all = this.options.checks === 'all';
    const count = all ? this.bodyCount : this.movedCount;
    grid.tests = 0;
    let exactTests = 0;
    for (let k = 0; k < count; k++) {
      const a = all ? k : moved[k];
      const modeA = modes[a];
      if (modeA >= DISABLED) continue;
      const near = grid.collect(a, this.bodyCount);
      const { found } = grid;
      for (let n = 0; n < near; n++) {
        const b = found[n];
        // Of two that are looked at, the smaller tells.
        if (b < a && (all || isMoved[b] !== 0)) continue;
        const modeB = modes[b];
        if (modeA === STATIC && modeB === STATIC) continue;
        if (groups[a] !== 0 && groups[a] === groups[b]) continue;
        const planeOnly = modeA === PLANE && modeB === PLANE;
        const o = a * BOX_STRIDE;
        const p = b * BOX_STRIDE;
        if (!planeOnly && (boxes[o + 2] > boxes[p + 5] || boxes[p + 2] > boxes[o + 5])) continue;
        if (ignored.size > 0 && ignored.has(Math.min(a, b) * 67108864 + Math.max(a, b))) continue;
        exactTests++;
        const isSolid = shapes[a * SHAPE_STRIDE] === SOLID || shapes[b * SHAPE_STRIDE] === SOLID;
        if (!(isSolid ? solids.touch(shapes, poses, a, b) : bodiesTouch(shapes, poses, a, b, planeOnly))) continue;
        if (contacts.touch(a, b, steps)) {
          this.contactCounts[a]++;
          this.contactCounts[b]++;
          this.addEvent(BEGIN, a, b);
        } else this.addEvent(STAY, a, b);
      }
    }
    for (let k = contacts.count - 1; k >= 0; k--) {
      if (contacts.isStamped(k, steps)) continue;
      const a = contacts.pairs[2 * k];
      const b = contacts.pairs[2 * k + 1];
      if (all || isMoved[a] !== 0 || isMoved[b] !== 0) this.endContact(k);
      else this.addEvent(STAY, a, b);
    }
    this.profile.moved = this.movedCount;
    this.profile.boxTests = grid.tests;
    this.profile.exactTests = exactTests;
    for (let k = 0; k < this.movedCount; k++) isMoved[moved[k]] = 0;
    this.movedCount = 0;
  }

  private tell(): void {
    const { listeners } = this;
    if (listeners.length === 0) {
      this.events.clear();
      return;
    }
    this.isTelling = true;
    try {
      this.events.tell((phase, a, b) => {
        for (let k = 0; k < listeners.length; k++) listeners[k](phase, a, b, this);
      });
    } finally {
      this.isTelling = false;
    }
  }

  private endContactsOf(id: number): void {
    const { contacts } = this;
    if (this.contactCounts[id] === 0) return;
    for (let k = contacts.count - 1; k >= 0 && this.contactCounts[id] > 0; k--)
      if (contacts.pairs[2 * k] === id || contacts.pairs[2 * k + 1] === id) this.endContact(k);
  }

  private endContact(k: number): void {
    const { pairs } = this.contacts;
    const a = pairs[2 * k];
    const b = pairs[2 * k + 1];
    this.contactCounts[a]--;
    this.contactCounts[b]--;
    this.contacts.removeAt(k);
    this.addEvent(END, a, b);
  }

  private addEvent(phase: number, a: number, b: number): void {
    if (this.listeners.length > 0) this.events.add(phase, a, b);
  }

  private markMoved(id: number): void {
    if (this.isMoved[id] !== 0) return;
    this.isMoved[id] = 1;
    if (this.movedCount === this.moved.length) {
      const grown = new Int32Array(2 * this.movedCount);
      grown.set(this.moved);
      this.moved = grown;
    }
    this.moved[this.movedCount++] = id;
  }

  private writePose(id: number, x: number, y: number, z: number, yaw: number): void {
    writeFootprintPose(this.poses, id, x, y, z, yaw);
    if (this.shapes[id * SHAPE_STRIDE] === SOLID) this.solids.placeUpright(id, this.poses);
  }

  private writeBox(id: number): void {
    if (this.shapes[id * SHAPE_STRIDE] === SOLID) this.solids.writeBox(this.boxes, id);
    else writeFootprintBox(this.boxes, this.shapes, this.poses, id);
  }

  private reserve(capacity: number): void {
    this.poses = grow(this.poses, POSE_STRIDE * capacity);
    this.shapes = grow(this.shapes, SHAPE_STRIDE * capacity);
    this.boxes = grow(this.boxes, BOX_STRIDE * capacity);
    this.modes = grow(this.modes, capacity, GONE);
    this.groups = grow(this.groups, capacity);
    this.isMoved = grow(this.isMoved, capacity);
    this.contactCounts = grow(this.contactCounts, capacity);
    this.grid?.reserve(capacity, this.boxes);
  }

  private requireBody(call: string, id: number): void {
    if (!(id >= 0 && id < this.bodyCount) || !Number.isInteger(id) || this.modes[id] === GONE)
      throw new MisuseError(`${call}: id, got ${String(id)}, expected that of a body in the world`);
  }
}

export function createFleetWorld(options: FleetWorldOptions = {}): FleetWorld {
  return new FleetWorld(options);
}
