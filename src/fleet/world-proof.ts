/**
 * Proof that the bodies of a fleet's world stayed apart during a step, at every time in it: bases, links of arms, loads and what stands about.
 *
 * Method: a body goes evenly with its base, and no point of it leaves that by more than a bound: what its turning, its joints and its
 * acceleration allow (robot-fleet.ts; a dt^2 / 8 of deviation as in motion-proof.ts). Two bodies are apart at every time if
 * - their spans of heights over the whole step are apart, where heights count; or
 * - one is round and the other round or a box: the least distance of their even motions in the plane, a closed form, is above radii and
 *   bounds; or
 * - half of (distance before + distance after - motion) is positive, where motion bounds how far points of one can have moved as seen from
 *   the other: the difference of their even ways and both bounds; or so in each of some halves of the step, the bodies moved evenly from
 *   where they were and the bounds taken off. Distances are those of the narrow phase, rounded down.
 * Pairs come from cells over the boxes of the whole step. What cannot be told apart is counted as not proven, never as free.
 * What is moved by others than the fleet is taken to go evenly, and to turn the shorter way. Units: metres, seconds.
 * Cost: O(moved + pairs near); two distance queries per pair that is not round. Tested by world-proof.test.ts against dense sampling.
 */
import { MisuseError } from '../math/misuse.js';
import { CellGrid } from './cell-grid.js';
import { shortTurn } from './drive-pieces.js';
import { FleetWorld } from './fleet-world.js';
import { BOX, BOX_STRIDE, POSE_STRIDE, SHAPE_STRIDE, SOLID } from './footprint.js';
import type { MotionVerdict } from './motion-proof.js';
import { distanceSegmentRectangle } from './plane-gaps.js';
import { RobotFleet } from './robot-fleet.js';
import type { PlacedBody } from './solid-bodies.js';

const createPlace = (): PlacedBody => ({ id: 0, poses: NOTHING, wasThen: true, shift: NOTHING, part: 0 });
const NOTHING = new Float64Array(0);

/** Per body: even way x, y, z, bound of what leaves it. */
const ROW = 4;

export class WorldProof {
  private rows = new Float64Array(0);
  private boxes = new Float64Array(0);
  private beforePoses = new Float64Array(0);
  private beforeBoxes = new Float64Array(0);
  private wasHere = new Uint8Array(0);
  private isPlaced = new Uint8Array(0);
  private grid: CellGrid | null = null;
  private leastGap = Number.POSITIVE_INFINITY;
  private readonly bound = new Float64Array(3);
  private readonly moved: number[] = [];
  private readonly segment = new Float64Array(4);
  private readonly rectangle = new Float64Array(6);
  private readonly first: PlacedBody = createPlace();
  private readonly second: PlacedBody = createPlace();

  constructor(
    private readonly world: FleetWorld,
    private readonly fleet: RobotFleet | null,
  ) {
    // The boxes of a world are those of its last step.
    world.refreshBoxes();
    this.forget();
  }

  /** Looks at the step that was made since the last call, or since the beginning. */
  prove(): MotionVerdict {
    const { world } = this;
    this.placeAll();
    const grid = this.grid!;
    let pairs = 0;
    let unproven = 0;
    let [a, b] = [-1, -1];
    for (const i of this.moved) {
      const near = grid.collect(i, world.bodyCount);
      for (let k = 0; k < near; k++) {
        const j = grid.found[k];
        if (j < i && this.hasMoved(j)) continue;
        const how = world.comparison(i, j);
        if (how === 'none' || (how === 'all' && this.areAtOtherHeights(i, j))) continue;
        pairs++;
        const gap = this.gapOf(i, j, how === 'plane');
        if (gap > 1e-12) this.leastGap = Math.min(this.leastGap, gap);
        else if (unproven++ === 0) [a, b] = [Math.min(i, j), Math.max(i, j)];
      }
    }
    this.keep();
    return { pairs, unproven, a, b, leastGap: this.leastGap };
  }

  /** What was before is not looked at: the next call begins with where the bodies are now. */
  forget(): void {
    this.leastGap = Number.POSITIVE_INFINITY;
    this.keep();
  }

  private keep(): void {
    const { world } = this;
    if (this.beforePoses.length !== world.poses.length) {
      const capacity = world.poses.length / POSE_STRIDE;
      this.beforePoses = new Float64Array(world.poses.length);
      this.beforeBoxes = new Float64Array(world.boxes.length);
      this.wasHere = new Uint8Array(capacity);
    }
    this.beforePoses.set(world.poses);
    this.beforeBoxes.set(world.boxes);
    for (let id = 0; id < world.bodyCount; id++) this.wasHere[id] = world.isPresent(id) ? 1 : 0;
    world.solids.keep();
  }

  /** Even ways, bounds and boxes over the step. */
  private placeAll(): void {
    const { world, moved } = this;
    const capacity = world.poses.length / POSE_STRIDE;
    if (this.isPlaced.length < capacity) {
      this.rows = new Float64Array(capacity * ROW);
      this.boxes = new Float64Array(capacity * BOX_STRIDE);
      this.isPlaced = new Uint8Array(capacity);
      this.grid = null;
    }
    if (this.grid === null) {
      world.calculateCellSize();
      this.grid = new CellGrid(world.cellSize ?? 1, 1.5, this.boxes);
      this.grid.reserve(capacity, this.boxes);
      this.isPlaced.fill(0);
    }
    moved.length = 0;
    for (let id = 0; id < world.bodyCount; id++) {
      if (!world.isPresent(id)) {
        if (this.isPlaced[id] !== 0) this.grid.displace(id);
        this.isPlaced[id] = 0;
        continue;
      }
      this.writeRow(id);
      const o = id * BOX_STRIDE;
      const r = this.rows[id * ROW + 3];
      const before = this.isNew(id) ? world.boxes : this.beforeBoxes;
      for (let k = 0; k < 3; k++) {
        this.boxes[o + k] = Math.min(world.boxes[o + k], before[o + k]) - r;
        this.boxes[o + 3 + k] = Math.max(world.boxes[o + 3 + k], before[o + 3 + k]) + r;
      }
      if (this.isPlaced[id] === 0) this.grid.place(id);
      else this.grid.shift(id);
      this.isPlaced[id] = 1;
      if (this.hasMoved(id)) moved.push(id);
    }
  }

  /** Came into the world, or into its checks, in this step: it has no way. */
  private isNew(id: number): boolean {
    return !(this.wasHere[id] > 0);
  }

  private writeRow(id: number): void {
    const { world, fleet, rows, bound, beforePoses } = this;
    const { poses, shapes } = world;
    const o = id * ROW;
    if (this.isNew(id)) {
      rows.fill(0, o, o + ROW);
      return;
    }
    let base = id;
    let away = 0;
    const p = id * POSE_STRIDE;
    if (fleet?.boundMotion(id, bound)) {
      base = bound[0];
      away = bound[1] + bound[2];
    } else if (shapes[id * SHAPE_STRIDE] === BOX) {
      away = Math.abs(shortTurn(poses[p + 3] - beforePoses[p + 3])) * shapes[id * SHAPE_STRIDE + 5];
    } else if (shapes[id * SHAPE_STRIDE] === SOLID) away = this.turnOf(id);
    const q = base * POSE_STRIDE;
    for (let k = 0; k < 3; k++) rows[o + k] = poses[q + k] - beforePoses[q + k];
    rows[o + 3] = away;
  }

  /** How far a point of a solid can have moved about its frame's origin: half a turn at most. */
  private turnOf(id: number): number {
    const { collider, transform, before } = this.world.solids.find(id)!;
    let sum = 0;
    for (let k = 0; k < 9; k++) sum += (transform[k] - before[k]) * (transform[k] - before[k]);
    if (sum === 0) return 0;
    const { center, boundingRadius } = collider;
    const far = Math.sqrt(center[0] * center[0] + center[1] * center[1] + center[2] * center[2]) + boundingRadius;
    // The chord |R' - R| / sqrt(2) is at least 2 / pi of the arc.
    return ((Math.PI / 2) * Math.sqrt(sum / 2) + 1e-12) * far;
  }

  private hasMoved(id: number): boolean {
    const o = id * ROW;
    const { rows } = this;
    return this.isNew(id) || rows[o] !== 0 || rows[o + 1] !== 0 || rows[o + 2] !== 0 || rows[o + 3] !== 0;
  }

  private areAtOtherHeights(i: number, j: number): boolean {
    const { boxes } = this;
    const a = i * BOX_STRIDE;
    const b = j * BOX_STRIDE;
    return boxes[a + 2] > boxes[b + 5] || boxes[b + 2] > boxes[a + 5];
  }

  /** A lower bound of the gap at every time of the step. */
  private gapOf(i: number, j: number, planeOnly: boolean): number {
    const { world, rows, first, second } = this;
    const { shapes } = world;
    const [a, b] = [i * ROW, j * ROW];
    const away = rows[a + 3] + rows[b + 3];
    const [vx, vy, vz] = [rows[b] - rows[a], rows[b + 1] - rows[a + 1], rows[b + 2] - rows[a + 2]];
    const [kindA, kindB] = [shapes[i * SHAPE_STRIDE], shapes[j * SHAPE_STRIDE]];
    if (kindA !== SOLID && kindB !== SOLID && (kindA !== BOX || kindB !== BOX)) {
      const plane = (kindA === BOX ? this.planeGap(j, i) : this.planeGap(i, j)) - away;
      if (plane > 1e-12 || planeOnly) return plane;
    }
    const way = Math.sqrt(vx * vx + vy * vy + (planeOnly ? 0 : vz * vz));
    this.placeFirst(first, i);
    this.placeFirst(second, j);
    const before = world.solids.gap(shapes, first, second, planeOnly);
    for (const body of [first, second]) {
      body.poses = world.poses;
      body.wasThen = false;
    }
    const after = world.solids.gap(shapes, first, second, planeOnly);
    const whole = (before + after - way - away) / 2;
    if (whole > 1e-12 || before <= away) return whole;
    // As they looked before, moved along: what turned since is within the bounds.
    this.placeFirst(first, i);
    this.placeFirst(second, j);
    return this.evenGap(planeOnly, way, away, 0, 1, before, this.gapAt(planeOnly, 1), MOST_HALVINGS);
  }

  private placeFirst(body: PlacedBody, id: number): void {
    const isNew = this.isNew(id);
    body.id = id;
    body.poses = isNew ? this.world.poses : this.beforePoses;
    body.wasThen = !isNew;
    body.shift = this.rows.subarray(id * ROW, id * ROW + 3);
    body.part = 0;
  }

  private gapAt(planeOnly: boolean, t: number): number {
    this.first.part = t;
    this.second.part = t;
    return this.world.solids.gap(this.world.shapes, this.first, this.second, planeOnly);
  }

  /** Least gap of even motions from time t to u by halves, `away` taken off; the first that is not positive ends it. */
  private evenGap(
    planeOnly: boolean,
    way: number,
    away: number,
    t: number,
    u: number,
    gapT: number,
    gapU: number,
    halvings: number,
  ): number {
    const gap = (gapT + gapU - way * (u - t)) / 2 - away;
    if (gap > 1e-12 || halvings === 0 || Math.min(gapT, gapU) <= away) return gap;
    const middle = (t + u) / 2;
    const gapM = this.gapAt(planeOnly, middle);
    const left = this.evenGap(planeOnly, way, away, t, middle, gapT, gapM, halvings - 1);
    if (left <= 1e-12) return left;
    return Math.min(left, this.evenGap(planeOnly, way, away, middle, u, gapM, gapU, halvings - 1));
  }

  /** Least distance in the plane of even motions of a round body and a round one or a box that keeps its yaw. */
  private planeGap(i: number, j: number): number {
    const { world, rows, beforePoses, segment, rectangle } = this;
    const { shapes, poses } = world;
    const [p, q] = [i * POSE_STRIDE, j * POSE_STRIDE];
    const [fromI, fromJ] = [this.isNew(i) ? poses : beforePoses, this.isNew(j) ? poses : beforePoses];
    const px = fromI[p] - fromJ[q];
    const py = fromI[p + 1] - fromJ[q + 1];
    const vx = rows[i * ROW] - rows[j * ROW];
    const vy = rows[i * ROW + 1] - rows[j * ROW + 1];
    const s = j * SHAPE_STRIDE;
    const radius = shapes[i * SHAPE_STRIDE + 1];
    if (shapes[s] === BOX) {
      const [c, n] = [fromJ[q + 4], fromJ[q + 5]];
      segment[0] = c * px + n * py;
      segment[1] = c * py - n * px;
      segment[2] = segment[0] + c * vx + n * vy;
      segment[3] = segment[1] + c * vy - n * vx;
      rectangle.set([-shapes[s + 1], -shapes[s + 2], 0, shapes[s + 1], shapes[s + 2], 0]);
      return distanceSegmentRectangle(segment, 0, rectangle, 0) - radius;
    }
    const speed = vx * vx + vy * vy;
    const t = speed === 0 ? 0 : Math.min(1, Math.max(0, -(px * vx + py * vy) / speed));
    const [dx, dy] = [px + t * vx, py + t * vy];
    return Math.sqrt(dx * dx + dy * dy) - radius - shapes[s + 1];
  }
}

const MOST_HALVINGS = 7;

/** @param fleet the robots of the world, where there are some: what bounds how they and their arms move */
export function createWorldProof(world: FleetWorld, fleet: RobotFleet | null = null): WorldProof {
  if (!(world instanceof FleetWorld))
    throw new MisuseError(`createWorldProof: world, got ${typeof world}, expected one of createFleetWorld`);
  if (fleet !== null && (!(fleet instanceof RobotFleet) || fleet.world !== world))
    throw new MisuseError('createWorldProof: fleet, got another, expected one of createRobotFleet over this world');
  return new WorldProof(world, fleet);
}
