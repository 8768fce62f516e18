/**
 * What a group's roadmap asks about where objects move between plans: everything that stands, which is remembered, and what moves, apart.
 *
 * Method: both questions are answered by spheres alone where these prove the whole motion (SphereChecker.provesMotion), which is most often
 * and costs little; what they leave is asked of the exact shapes, what moves first. Of a motion of the roadmap the cells that it may come into are
 * kept (swept-cells.ts): where nothing that moves is in one of them, it is clear. Where what moves is clear and a sampled state of the motion touches,
 * something that stands is in the way, and the rest of the motion need not be looked at.
 * A stamp of everything else that decides makes the roadmap forget when that has changed.
 * Tested by plan-group.test.ts and test/contract/moving-roadmap.test.ts.
 */
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Roadmap } from '../planning/roadmap.js';
import type { MotionValidator, StateSpace } from '../planning/types.js';
import { createPairMotionChecker } from '../scene/motion/motion-checker.js';
import { createSceneChecker } from '../scene/motion/validity.js';
import type { SphereChecker } from '../scene/spheres/sphere-checker.js';
import type { Scene, SceneBody, SceneRobot } from '../scene/types.js';
import { updateScene } from '../scene/update.js';
import type { ExactProblem } from './exact-plan.js';
import { SweptCells } from './swept-cells.js';

/** Names of objects of the scene. */
export function requireMoving(call: string, scene: Scene, moving: readonly string[]): void {
  for (const name of moving)
    if (!scene.objects.has(name))
      throw new MisuseError(`${call}: moving, got ${describeValue(name)}, expected names of the scene's objects`);
}

/** Lets a roadmap forget what has changed, and asks about what moves apart from everything else. */
export function createLayers(
  scene: Scene,
  robot: SceneRobot,
  rest: Float64Array,
  indices: ArrayLike<number>,
  space: StateSpace,
  checker: SphereChecker,
  { roadmap, moving }: { readonly roadmap?: Roadmap; readonly moving?: readonly string[] },
): ExactProblem['layers'] {
  if (!roadmap) return undefined;
  if (!moving) {
    roadmap.watch(`${scene.objectMoves} ${sceneStamp(scene, robot, rest, indices)}`);
    return undefined;
  }
  const names = new Set(moving);
  const still = [...scene.objects.values()]
    .filter(({ name }) => !names.has(name))
    .map(({ name, body }) => `${name} ${body.worldPlacement.join()}`);
  const stamp = sceneStamp(scene, robot, rest, indices);
  roadmap.watch(`${still.join(' ')} ${stamp}`);
  roadmap.forgetMoved();
  // What motions take up changes with the robot's place, what it holds and the margins.
  const key = `${moving.join('\n')}\n${stamp}`;
  const known = keptLayers.get(roadmap);
  if (known?.robot === robot && known.key === key && known.checker === checker) {
    known.layers?.begin();
    return known.layers;
  }
  const moves = (body: SceneBody): boolean => body.object !== null && names.has(body.object.name);
  const options = { indices, rest };
  const cells = SweptCells.create(scene, robot, space, indices, rest);
  const layers = joinLayers(
    {
      space,
      checker,
      exact: createSceneChecker(scene, robot, options),
      sweeps: cells && new EdgeSweeps(cells, scene, names),
    },
    createPairMotionChecker(scene, robot, options, null, (body) => !moves(body)),
    createPairMotionChecker(scene, robot, options, () => false, moves),
  );
  keptLayers.set(roadmap, { robot, key, checker, layers });
  return layers;
}

const keptLayers = new WeakMap<
  Roadmap,
  {
    readonly robot: SceneRobot;
    readonly key: string;
    readonly checker: SphereChecker;
    readonly layers: ExactProblem['layers'];
  }
>();

/** What coordinates beside the group are. */
function stillOf(rest: Float64Array, indices: ArrayLike<number>): Float64Array {
  const still = Float64Array.from(rest);
  for (let k = 0; k < indices.length; k++) still[indices[k]] = 0;
  return still;
}

/** Changes with everything that decides whether the group's motions are free, free objects' places aside. */
function sceneStamp(scene: Scene, robot: SceneRobot, rest: Float64Array, indices: ArrayLike<number>): string {
  const still = stillOf(rest, indices);
  const others = scene.robots.map(
    (other) => `${other === robot ? still.join() : other.q.join()} ${other.placement.join()}`,
  );
  return [scene.revision, scene.margin, ...others].join(' ');
}

/** Halves, then quarters, then eighths of a motion. */
const TIMES = [4, 2, 6, 1, 3, 5, 7].map((k) => k / 8);

/** What the motions of a roadmap take up, as they are asked about. */
class EdgeSweeps {
  private readonly marks = new Map<number, Uint32Array>();

  constructor(
    private readonly cells: SweptCells,
    private readonly scene: Scene,
    private readonly names: ReadonlySet<string>,
  ) {}

  /** False tells nothing. */
  isClear(a: Float64Array, b: Float64Array, edge: number): boolean {
    let marks = this.marks.get(edge);
    if (!marks) {
      marks = this.cells.sweep(a, b);
      if (this.marks.size < MOST_SWEEPS) this.marks.set(edge, marks);
    }
    updateScene(this.scene);
    for (const { name, body, attachment } of this.scene.objects.values())
      if (this.names.has(name) && (attachment || this.cells.mayMeet(marks, body))) return false;
    return true;
  }
}

interface LayerParts {
  readonly space: StateSpace;
  readonly checker: SphereChecker;
  readonly exact: Pick<SphereChecker, 'isValid'>;
  readonly sweeps: EdgeSweeps | null;
}

/** Answers of a plan before spheres are asked. */
const FEW = 6;
/** Of 8 kB each. */
const MOST_SWEEPS = 8000;

/** Spheres first. `still` and `moving` are exact. */
function joinLayers(
  { space, checker, exact, sweeps }: LayerParts,
  still: MotionValidator,
  moving: MotionValidator,
): ExactProblem['layers'] {
  const q = new Float64Array(space.dimension);
  // Spheres must first be told where everything stands now, which is worth its cost when more than a few answers are wanted.
  let asked = 0;
  const isWorthSpheres = (): boolean => ++asked > FEW;
  const touches = (a: Float64Array, b: Float64Array): boolean =>
    TIMES.some((t) => !checker.isValid(space.interpolate(q, a, b, t)));
  const clears: MotionValidator['isMotionValid'] = (a, b, shouldStop) =>
    (isWorthSpheres() && checker.provesMotion(a, b)) || moving.isMotionValid(a, b, shouldStop);
  return {
    begin() {
      asked = 0;
    },
    isValid: (state) => (isWorthSpheres() ? checker : exact).isValid(state),
    moving: Object.assign(askInstead(moving, clears), {
      isEdgeValid: (a: Float64Array, b: Float64Array, edge: number) =>
        sweeps?.isClear(a, b, edge) === true || clears(a, b),
      isStateValid: (state: Float64Array) => moving.isMotionValid(state, state),
    }),
    still: askInstead(still, (a, b, shouldStop) => {
      if (checker.provesMotion(a, b)) return true;
      if (touches(a, b) && moving.isMotionValid(a, b, shouldStop)) return false;
      return still.isMotionValid(a, b, shouldStop);
    }),
  };
}

/** The grounds of one validator with other verdicts. */
function askInstead(base: MotionValidator, isMotionValid: MotionValidator['isMotionValid']): MotionValidator {
  return {
    isMotionValid,
    isExact: base.isExact,
    get complete() {
      return base.complete;
    },
    get assumed() {
      return base.assumed;
    },
  };
}
