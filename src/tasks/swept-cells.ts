/**
 * Which cells of a lattice a robot may come into while it goes straight from one state to another: so that what is in none of them need not be
 * compared with the motion.
 *
 * Method: the motion is cut into short parts; in the middle of each the boxes of links and of what is held are grown by the farthest that any point
 * can move in half a part (joint-reach.ts), and all cells that they overlap are marked. Cells are CELL wide and numbered by a hash, so that the lattice
 * has no end and a mark is one bit; cells that share a number only make a motion suspect that is not.
 * Source: maps from cells to roadmaps: Leven, Hutchinson 2002, "A framework for real-time path planning in changing environments", section 4,
 * doi:10.1177/0278364902021012001, here by edge instead of by cell.
 * Frames: W, in which the robot's base stands still. Units: metres. Cost: O(length) placements of the robot, once per motion; a question is a look at
 * the cells of a box. Ends: null where joints have no bound (joint-reach.ts), or pairs have margins of their own.
 * Tested by test/contract/moving-roadmap.test.ts.
 */
import type { StateSpace } from '../planning/types.js';
import { varyRobot } from '../scene/context.js';
import { setConfiguration } from '../scene/robot.js';
import type { Scene, SceneBody, SceneRobot } from '../scene/types.js';
import { updateRobot } from '../scene/update.js';
import { boundMotionRate } from './joint-reach.js';

const CELL = 0.06;
const BITS = 1 << 16;
/** How far boxes are grown for the motion within a part. */
const GROWN = 0.03;
/** Of a motion; longer parts then. */
const MOST_PARTS = 400;

export class SweptCells {
  private readonly full: Float64Array;
  private readonly state: Float64Array;
  private readonly box = new Float64Array(6);

  private constructor(
    private readonly scene: Scene,
    private readonly robot: SceneRobot,
    private readonly space: StateSpace,
    private readonly indices: ArrayLike<number>,
    rest: ArrayLike<number>,
    private readonly rate: number,
  ) {
    this.full = Float64Array.from(rest);
    this.state = new Float64Array(space.dimension);
  }

  /** Null where nothing bounds how far the robot moves. */
  static create(
    scene: Scene,
    robot: SceneRobot,
    space: StateSpace,
    indices: ArrayLike<number>,
    rest: ArrayLike<number>,
  ): SweptCells | null {
    const rate = boundMotionRate(robot, space, indices);
    if (!(rate < Infinity) || scene.world.pairMargins.size > 0) return null;
    return new SweptCells(scene, robot, space, indices, rest, rate);
  }

  /** The marks of a motion: bit `hash` of each cell. */
  sweep(a: Float64Array, b: Float64Array): Uint32Array {
    const { space, state, full, indices, rate, box } = this;
    const marks = new Uint32Array(BITS / 32);
    const own = varyRobot(this.scene, this.robot, 'SweptCells');
    const { robot } = own;
    const length = space.distance(a, b);
    const parts = Math.max(1, Math.min(MOST_PARTS, Math.ceil((length * rate) / (2 * GROWN))));
    const grown = (0.5 * length * rate) / parts;
    const bodies: SceneBody[] = [
      ...robot.links.map(({ body }) => body),
      ...[...robot.attached].map(({ body }) => body),
    ];
    for (let i = 0; i < parts; i++) {
      space.interpolate(state, a, b, (i + 0.5) / parts);
      for (let k = 0; k < indices.length; k++) full[indices[k]] = state[k];
      setConfiguration(robot, full);
      updateRobot(robot);
      for (const body of bodies) {
        const away = grown + body.margin + Math.max(0, this.scene.margin);
        for (let k = 0; k < 3; k++) {
          box[k] = body.box[k] - away;
          box[3 + k] = body.box[3 + k] + away;
        }
        if (!markCells(marks, box)) return marks.fill(0xffffffff);
      }
    }
    return marks;
  }

  /** Whether a body that does not belong to the robot is in a marked cell; where not, the motion keeps clear of it at every time. */
  mayMeet(marks: Uint32Array, body: SceneBody): boolean {
    const { box } = this;
    const away = Math.max(0, body.margin);
    for (let k = 0; k < 3; k++) {
      box[k] = body.box[k] - away;
      box[3 + k] = body.box[3 + k] + away;
    }
    return meetsCells(marks, box);
  }
}

/** Whether one of the cells that a box overlaps is what is sought; null for a box without an end, or a very large one. */
function someCell(box: Float64Array, isSought: (cell: number) => boolean): boolean | null {
  const x0 = cellOf(box[0]);
  const y0 = cellOf(box[1]);
  const z0 = cellOf(box[2]);
  const x1 = cellOf(box[3]);
  const y1 = cellOf(box[4]);
  const z1 = cellOf(box[5]);
  if (!((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) < BITS)) return null;
  for (let x = x0; x <= x1; x++)
    for (let y = y0; y <= y1; y++) for (let z = z0; z <= z1; z++) if (isSought(hashCell(x, y, z))) return true;
  return false;
}

/** False where not all cells could be marked. */
function markCells(marks: Uint32Array, box: Float64Array): boolean {
  const mark = (cell: number): boolean => {
    marks[cell >>> 5] |= 1 << (cell & 31);
    return false;
  };
  return someCell(box, mark) !== null;
}

const meetsCells = (marks: Uint32Array, box: Float64Array): boolean =>
  someCell(box, (cell) => (marks[cell >>> 5] & (1 << (cell & 31))) !== 0) !== false;

const cellOf = (x: number): number => Math.floor(x / CELL);

const hashCell = (x: number, y: number, z: number): number =>
  (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (BITS - 1);
