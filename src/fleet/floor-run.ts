/**
 * A floor's run from a world file to its end: robots do their actions, every step is proven apart, kept and resumed.
 *
 * Method: robot-fleet.ts drives, world-proof.ts looks at every step; robots that repeat get their actions anew when they have none left.
 * `save` holds everything that decides what comes: a run that is resumed has the bits of one that was never stopped.
 * Units: metres, seconds. Tested by floor-run.test.ts.
 */
import { requirePositiveNumber, throwMisuse } from '../math/arguments.js';
import { hashContent } from '../math/content-hash.js';
import type { FleetWorld } from './fleet-world.js';
import { type FloorSetup, isFloorSetup } from './floor-setup.js';
import type { ActionEvent } from './robot-actions.js';
import type { RobotFleet } from './robot-fleet.js';
import { readSavedState } from './saved-state.js';
import type { Stall } from './stall-report.js';
import { createWorldProof, type WorldProof } from './world-proof.js';

export interface FloorMetrics {
  readonly time: number;
  readonly robots: number;
  readonly moving: number;
  readonly idle: number;
  readonly carrying: number;
  readonly contacts: number;
  readonly touched: number;
  /** Actions that ended, and those that could not be done. */
  readonly done: number;
  readonly failed: number;
  /** Steps and pairs of bodies that could not be proven apart. */
  readonly collisions: number;
  /** Metres; the least gap between any two that was proven, null where no two came near. */
  readonly leastGap: number | null;
}

/** Who avoids and comes no nearer for so many seconds is told. */
const STUCK_SECONDS = 20;

export class FloorRun {
  done = 0;
  failed = 0;
  /** Contacts that began. */
  touched = 0;
  collisions = 0;
  /** The two of the first step that could not be proven. */
  firstCollision: { readonly time: number; readonly bodies: readonly [string, string] } | null = null;
  /** The first action that could not be done. */
  firstFailure: ActionEvent | null = null;
  readonly world: FleetWorld;
  readonly fleet: RobotFleet;
  private leastGap = Number.POSITIVE_INFINITY;
  private proof: WorldProof;

  constructor(readonly setup: FloorSetup) {
    this.world = setup.world;
    this.fleet = setup.fleet;
    this.fleet.onAction((event) => {
      if (event.outcome === 'done') this.done++;
      if (event.outcome !== 'failed') return;
      this.failed++;
      this.firstFailure ??= event;
    });
    this.world.onContact((phase) => {
      if (phase === 'begin') this.touched++;
    });
    this.proof = createWorldProof(this.world, this.fleet);
  }

  get time(): number {
    return this.world.time;
  }

  /** Nobody has anything left to do; never while robots repeat. */
  get isDone(): boolean {
    const { fleet, setup } = this;
    for (let r = 0; r < fleet.count; r++)
      if (fleet.isThere(r) && (setup.repeats[r] !== null || !fleet.isIdle(r))) return false;
    return true;
  }

  step(dt: number): void {
    if (!(dt > 0 && dt < Number.POSITIVE_INFINITY)) requirePositiveNumber('step', 'dt', dt);
    const { fleet, setup, world } = this;
    setup.repeats.forEach((actions, r) => {
      if (actions !== null && fleet.isThere(r) && fleet.isIdle(r)) fleet.enqueue(r, ...actions);
    });
    world.step(dt);
    const verdict = this.proof.prove();
    this.leastGap = Math.min(this.leastGap, verdict.leastGap);
    if (verdict.unproven > 0) {
      this.collisions += verdict.unproven;
      this.firstCollision ??= { time: this.time, bodies: [world.nameOf(verdict.a), world.nameOf(verdict.b)] };
    }
  }

  metrics(): FloorMetrics {
    const { fleet, world } = this;
    let [robots, moving, idle, carrying] = [0, 0, 0, 0];
    for (let r = 0; r < fleet.count; r++) {
      if (!fleet.isThere(r)) continue;
      robots++;
      if (fleet.speedOf(r) > 0) moving++;
      if (fleet.isIdle(r)) idle++;
      if (fleet.loadOf(r) >= 0) carrying++;
    }
    return {
      time: this.time,
      robots,
      moving,
      idle,
      carrying,
      contacts: world.contactCount,
      touched: this.touched,
      done: this.done,
      failed: this.failed,
      collisions: this.collisions,
      leastGap: this.leastGap < Number.POSITIVE_INFINITY ? this.leastGap : null,
    };
  }

  /** Robots that avoid and have come no nearer to where they go for a while. */
  stalls(): Stall[] {
    const { fleet } = this;
    const robots: string[] = [];
    for (let r = 0; r < fleet.count; r++)
      if (fleet.isThere(r) && fleet.stuckFor(r) > STUCK_SECONDS) robots.push(fleet.nameOf(r));
    return robots.length === 0 ? [] : [{ kind: 'livelock', robots, waiting: [] }];
  }

  /** Whether somebody still does something: not all that have something to do are stuck. */
  get isGoingOn(): boolean {
    const { fleet } = this;
    for (let r = 0; r < fleet.count; r++)
      if (fleet.isThere(r) && !fleet.isIdle(r) && fleet.stuckFor(r) <= STUCK_SECONDS) return true;
    return false;
  }

  /** Everything that decides what comes, as a text. */
  save(): string {
    return JSON.stringify({
      format: 'clearance-floor-1',
      setup: this.setup.hash,
      fleet: this.fleet.save(),
      done: this.done,
      failed: this.failed,
      touched: this.touched,
      firstFailure: this.firstFailure,
      collisions: this.collisions,
      firstCollision: this.firstCollision,
      leastGap: this.leastGap < Number.POSITIVE_INFINITY ? this.leastGap : null,
    });
  }

  /** Goes on from what `save` wrote for the same world; throws MisuseError for another's or a broken one. */
  restore(text: string): void {
    const data = readSavedState(text, 'clearance-floor-1', this.setup.hash);
    this.fleet.restore(data.fleet, this.setup.solvers);
    this.done = data.done;
    this.failed = data.failed;
    this.touched = data.touched;
    this.firstFailure = data.firstFailure;
    this.collisions = data.collisions;
    this.firstCollision = data.firstCollision;
    this.leastGap = data.leastGap ?? Number.POSITIVE_INFINITY;
    this.proof = createWorldProof(this.world, this.fleet);
  }

  /** Equal for equal states, bit for bit. */
  hash(): string {
    return hashContent(this.save());
  }
}

export function createFloorRun(setup: FloorSetup): FloorRun {
  if (!isFloorSetup(setup)) throwMisuse('createFloorRun', 'setup', setup, 'what createFloorSetup made');
  return new FloorRun(setup);
}
