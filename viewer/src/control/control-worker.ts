/** Plans programs of moves and optimises paths beside the page, in a scene of its own. */
import { type MotionPlace, type MotionProgram, optimisePath, planMotion } from 'clearance/control';
import { type Issue, parseMotionFile, parseOptimisationFile } from 'clearance/io';
import { createTransform, multiplyTransform, poseToTransform, type Transform, transformPoint } from 'clearance/math';
import { configurationFromNamed, interpolateConfiguration, type Model } from 'clearance/model';
import { robotFramePlacement, type SceneRobot, setConfiguration } from 'clearance/scene';
import { findGroupCoordinates, listNamedStates } from 'clearance/semantics';
import { createLimits, createTrajectoryPoint, type Trajectory } from 'clearance/trajectory';
import { loadKernel } from '../kernel.js';
import { type BuiltScene, buildScene } from '../load/build-scene.js';
import { toolLink } from '../stage/tool-link.js';
import type { FromControl, MotionAnswer, MotionAsk, OptimisationAsk, ShownPlace, ToControl } from './messages.js';

/** Samples a second of the shown motion, and at most in all. */
const RATE = 100;
const MOST_SAMPLES = 6000;
/** Places of the tool drawn on every motion between waypoints. */
const PLACES = 6;

const kernel = loadKernel();
let built: BuiltScene | null = null;

const post = (message: FromControl): void => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<ToControl>) => {
  try {
    await kernel;
    if (data.type === 'open') {
      built = buildScene({ ...data.content, prepared: new Map() });
      post({ type: 'ready' });
    } else if (data.type === 'motion') post({ type: 'motion', answer: plan(requireBuilt(), data.ask) });
    else optimise(requireBuilt(), data.ask);
  } catch (error) {
    post({ type: 'failed', message: (error as Error).message });
  }
};

function requireBuilt(): BuiltScene {
  if (!built || built.robots.length === 0) throw new Error('There is no robot here.');
  return built;
}

/** Throws what is wrong with a file, in its reader's words. */
function requireRead<T>({ value, issues }: { readonly value: T | null; readonly issues: readonly Issue[] }): T {
  if (value === null)
    throw new Error(issues.map(({ element, message }) => (element ? `${element}: ${message}` : message)).join('\n'));
  return value;
}

function plan({ scene, robots: [{ model, scene: robot }] }: BuiltScene, ask: MotionAsk): MotionAnswer {
  const program = requireRead(parseMotionFile(ask.program));
  const limits = createLimits(model, { acceleration: ask.acceleration });
  const states = new Map(
    [...listNamedStates(model, robot.semantic)].map(([name, values]) => [name, configurationFromNamed(model, values)]),
  );
  const around = ask.isProven ? { scene, robot } : null;
  // Without surroundings the base stands in the origin of what is told.
  const X_WB = around ? createTransform() : robot.placement;
  const found = planMotion(model, program, { limits, states, around, group: groupOf(robot) });
  const { status, reason, place, trajectory, duration, moves, singularities, checked, clearance } = found;
  return {
    ...{ status, reason, duration },
    moves: moves.map((move) => ({ ...move, corner: move.corner && pointInWorld(X_WB, move.corner) })),
    place: place && showPlace(place, X_WB),
    singularities: singularities.map((near) => showPlace(near, X_WB)),
    isCertified: status === 'solved' && checked === 'certified',
    clearance: checked === 'certified' && Number.isFinite(clearance) ? clearance : null,
    ...sample(model, robot, program, trajectory, limits.velocity),
  };
}

/** Coordinates that move where no group is named, as on the command line. */
const groupOf = ({ model, semantic, description }: SceneRobot): Int32Array =>
  findGroupCoordinates(model, semantic, description, undefined).indices;

function showPlace({ name, s, time, joint, singularValues, pose }: MotionPlace, X_WB: Transform): ShownPlace {
  const least = singularValues ? `, least singular value ${singularValues.at(-1)!.toPrecision(2)} m/rad` : '';
  const who = joint ? `, ${joint}` : '';
  const at = time === null ? '' : `, ${time.toFixed(2)} s`;
  const words = `${name}, ${s.toFixed(3)} m along it${at}${who}${least}`;
  return { words, position: pointInWorld(X_WB, pose), time };
}

const pointInWorld = (X_WB: Transform, point: ArrayLike<number>): number[] =>
  Array.from(transformPoint(new Float64Array(3), X_WB, [point[0], point[1], point[2]]));

type Samples = Pick<MotionAnswer, 'times' | 'rows' | 'tool' | 'speed' | 'share'>;

function sample(
  model: Model,
  robot: SceneRobot,
  { tool: { frame, offset } }: MotionProgram,
  trajectory: Trajectory | null,
  velocity: Float64Array,
): Samples {
  const duration = trajectory?.duration ?? 0;
  const count = trajectory ? Math.min(Math.max(Math.ceil(RATE * duration), 2), MOST_SAMPLES) + 1 : 0;
  const times = Float64Array.from({ length: count }, (_, i) => (duration * i) / (count - 1));
  const rows = new Float64Array(count * model.nq);
  const share = new Float64Array(count);
  const point = createTrajectoryPoint(model);
  const qs: Float64Array[] = [];
  for (let i = 0; i < count; i++) {
    trajectory!.evaluate(point, times[i]);
    rows.set(point.q, i * model.nq);
    qs.push(point.q.slice());
    for (let k = 0; k < model.nv; k++) share[i] = Math.max(share[i], Math.abs(point.v[k]) / velocity[k]);
  }
  const tool = placeTool(robot, frame, offset, qs);
  const speed = Float64Array.from({ length: count }, (_, i) => {
    const [a, b] = [Math.max(i - 1, 0), Math.min(i + 1, count - 1)];
    const [x, y, z] = [0, 1, 2].map((k) => tool[3 * b + k] - tool[3 * a + k]);
    return Math.sqrt(x * x + y * y + z * z) / (times[b] - times[a]);
  });
  return { times, rows, tool, speed, share };
}

/** Places of the tool's origin in W. The robot is left where it stood. */
function placeTool(
  robot: SceneRobot,
  frame: string,
  offset: readonly number[] | undefined,
  configurations: Iterable<Float64Array>,
): Float32Array {
  const before = robot.q.slice();
  const [X_WF, X_WT] = [createTransform(), createTransform()];
  const X_FT = poseToTransform(createTransform(), offset ?? [0, 0, 0, 0, 0, 0, 1]);
  const places: number[] = [];
  for (const q of configurations) {
    setConfiguration(robot, q);
    multiplyTransform(X_WT, robotFramePlacement(X_WF, robot, frame), X_FT);
    places.push(X_WT[9], X_WT[10], X_WT[11]);
  }
  setConfiguration(robot, before);
  return Float32Array.from(places);
}

function optimise(scene: BuiltScene, { problem, method, seeds }: OptimisationAsk): void {
  const [own] = scene.robots;
  const { model, scene: robot } = own;
  const { schema: _, start, goal, initial: __, ...settings } = requireRead(parseOptimisationFile(problem));
  const read = (values: unknown): Float64Array => {
    if (Array.isArray(values)) return Float64Array.from(values as number[]);
    if (typeof values === 'string') {
      const named = listNamedStates(model, robot.semantic).get(values);
      if (!named) throw new Error(`"${values}" is no state of the robot.`);
      return configurationFromNamed(model, named);
    }
    return configurationFromNamed(model, (values ?? {}) as Record<string, number>);
  };
  const frame = toolLink({ ...own, tool: null });
  const found = optimisePath(scene.scene, robot, {
    ...settings,
    start: read(start),
    goal: read(goal),
    indices: groupOf(robot),
    method,
    seeds,
    onProgress: ({ seed, iterations, cost, violation, path }) =>
      post({
        type: 'iteration',
        iteration: {
          ...{ seed, iteration: iterations, cost, violation },
          rows: flatten(path),
          tool: placeTool(robot, frame, undefined, between(model, path)),
        },
      }),
  });
  const { status, reason, certified, length, cost, iterations, chosen, attempts, path, clearance } = found;
  post({
    type: 'optimisation',
    answer: {
      ...{ status, reason, certified, length, cost, iterations, chosen },
      clearance: Number.isFinite(clearance) ? clearance : null,
      attempts: attempts.map((attempt) => ({
        iterations: attempt.iterations,
        certified: attempt.certified,
        length: attempt.length,
      })),
      rows: flatten(path),
      tool: placeTool(robot, frame, undefined, between(model, path)),
    },
  });
}

const flatten = (path: readonly Float64Array[]): Float64Array => Float64Array.from(path.flatMap((q) => Array.from(q)));

function* between(model: Model, path: readonly Float64Array[]): Generator<Float64Array> {
  if (path.length > 0) yield path[0];
  const q = new Float64Array(model.nq);
  for (let i = 1; i < path.length; i++)
    for (let k = 1; k <= PLACES; k++) yield interpolateConfiguration(q, model, path[i - 1], path[i], k / PLACES);
}
