/** `clearance check`: what touches, for joint states of a robot or for an assembly without robots. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { createParallelScene, type ParallelScene } from '../../parallel/parallel-scene.js';
import { createRobotCaster } from '../../scene/cast-robot.js';
import { checkScene, pairsWithin, type SceneCheck } from '../../scene/check.js';
import { setConfiguration } from '../../scene/robot.js';
import { createScene, disposeScene } from '../../scene/scene.js';
import { parseConfiguration } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { type BatchAnswer, type BatchOptions, runBatch, runBatchInBlocks, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import {
  addSceneFile,
  addSceneOptions,
  type LoadedScene,
  loadSceneArguments,
  type RobotArguments,
} from '../robot-arguments.js';
import { addStateOptions, lineConfiguration, readState, type StateArguments, stateSource } from '../state-arguments.js';

interface CheckArguments extends RobotArguments, StateArguments {
  readonly all?: boolean;
  readonly path?: boolean;
  readonly workers?: number;
  readonly json?: boolean;
}

const meshExtensions = new Set(['.stl', '.obj', '.ply', '.off', '.dae', '.gltf', '.glb']);

/** Lines that are answered together with --workers, per worker; fewer in all are answered on one thread. */
const BLOCK_PER_WORKER = 400;
const FEW_LINES = 200;

export function checkCommand(): Command {
  return addStateOptions(addSceneOptions(new Command('check')))
    .description('what touches: a robot at given joint states, alone or in a scene; or an assembly (SCENE.json)')
    .argument('<file>', 'robot (.urdf, .xacro) or scene (.json)')
    .option('--all', 'report every touching pair, not the first one only')
    .option('--path', 'check the straight motion from each state to the next, at every time and not by samples')
    .option(
      '--workers <n>',
      'processors for a long --states; answers then come in blocks',
      parseCount('--workers', { min: 1, max: 64 }),
    )
    .addHelpText(
      'after',
      `
Exit status 1 when any state is in collision.
With --path a line after the first answers for the motion that ends in it: "time" in [0, 1] is its first contact.
A scene without a robot gives every pair of objects closer than --margin (default 0: touching).

Examples:
  clearance check arm.urdf --srdf arm.srdf --q home
  clearance check arm.urdf --scene table.json --states states.jsonl --all --json
  clearance check arm.urdf --scene table.json --states path.jsonl --path
  clearance check assembly.json --margin 0.002`,
    )
    .action(async (file: string, args: CheckArguments) => {
      const extension = extname(file).toLowerCase();
      if (meshExtensions.has(extension))
        throw new UsageError(
          `${file}: a mesh, expected a robot (.urdf, .xacro) or a scene (.json); two shapes are checked by "pair"`,
        );
      process.exitCode = extension === '.json' ? await checkAssembly(file, args) : await checkRobot(file, args);
    });
}

function describe({ free, contacts }: SceneCheck): string {
  if (free) return 'free';
  return `in collision: ${contacts.map(({ a, b, depth }) => `${a} with ${b} (depth ${formatLength(depth)})`).join('; ')}`;
}

/** Millimetres with three decimals; the full precision is in --json. */
export function formatLength(metres: number): string {
  return `${(1000 * metres).toFixed(3)} mm`;
}

async function checkRobot(file: string, args: CheckArguments): Promise<ExitStatus> {
  if (args.path && args.all)
    throw new UsageError('--path and --all: expected one of them; a motion ends at its first contact');
  if (args.path && args.states === undefined)
    throw new UsageError('--path: expected --states with the path, state by state');
  const loaded = await loadSceneArguments(file, args);
  const progress = startProgress('checking');
  const options: BatchOptions = {
    source: stateSource(args),
    json: Boolean(args.json),
    single: readState(args),
    onProgress: (n) => progress.update(`${n} states`),
  };
  try {
    if (args.path) return await checkMotions(options, loaded);
    if (args.workers !== undefined && args.workers > 1 && options.source !== null)
      return await checkOnWorkers(options, loaded, args.workers, Boolean(args.all));
    return await runBatch(options, (value) => {
      setConfiguration(loaded.robot, readConfiguration(loaded, value));
      return toAnswer(checkScene(loaded.scene, { all: args.all }));
    });
  } finally {
    progress.stop();
    disposeScene(loaded.scene);
  }
}

function readConfiguration(loaded: LoadedScene, value: unknown): Float64Array {
  return parseConfiguration(loaded, lineConfiguration(value), loaded.rest, loaded.group);
}

function toAnswer(result: SceneCheck): BatchAnswer {
  return {
    result: { ...result },
    text: describe(result),
    status: result.free ? ExitStatus.done : ExitStatus.negative,
  };
}

/** Each line is the end of a motion that starts at the line before; a bad line interrupts the path. */
function checkMotions(options: BatchOptions, loaded: LoadedScene): Promise<ExitStatus> {
  const { scene, robot } = loaded;
  const caster = createRobotCaster(scene, robot);
  let last: Float64Array | null = null;
  return runBatch(options, (value) => {
    const from = last;
    last = null;
    const to = readConfiguration(loaded, value);
    last = to;
    if (!from) {
      setConfiguration(robot, to);
      const answer = toAnswer(checkScene(scene));
      return { ...answer, result: { ...answer.result, time: null } };
    }
    const { hit, time, a, b, distance, point, normal, status } = caster.cast(from, to);
    const depth = distance === null || distance === 0 ? 0 : -distance;
    return {
      result: { free: !hit, contacts: hit ? [{ a, b, depth, point, normal, status }] : [], time: hit ? time : null },
      text: hit ? `${a} with ${b} at ${time.toFixed(6)} of the motion` : 'free',
      status: hit ? ExitStatus.negative : ExitStatus.done,
    };
  });
}

async function checkOnWorkers(
  options: BatchOptions,
  loaded: LoadedScene,
  workers: number,
  all: boolean,
): Promise<ExitStatus> {
  const { scene, robot } = loaded;
  let pool: ParallelScene | null = null;
  try {
    return await runBatchInBlocks(options, {
      size: BLOCK_PER_WORKER * workers,
      prepare: (value) => readConfiguration(loaded, value),
      async answer(states) {
        if (!pool && states.length < FEW_LINES) {
          return states.map((q) => {
            setConfiguration(robot, q);
            return toAnswer(checkScene(scene, { all }));
          });
        }
        pool ??= await createParallelScene(scene, robot, { workers });
        return (await pool.checkMany(states, { all })).map(toAnswer);
      },
    });
  } finally {
    (pool as ParallelScene | null)?.dispose();
  }
}

async function checkAssembly(file: string, args: CheckArguments): Promise<ExitStatus> {
  const scene = createScene();
  try {
    await addSceneFile(scene, file, args, null);
    const pairs = pairsWithin(scene, { margin: args.margin ?? 0, objectPairs: true });
    const touching = pairs.some(({ distance }) => distance <= 0);
    if (args.json) {
      const rows = pairs.map(({ a, b, distance, pointA, pointB, normal, status }) => ({
        a,
        b,
        distance,
        pointA,
        pointB,
        normal,
        status,
      }));
      await writeLine(toJson({ pairs: rows }));
    } else {
      await writeLine(`${scene.objects.size} objects, ${pairs.length} pairs within ${formatLength(args.margin ?? 0)}`);
      for (const { a, b, distance } of pairs)
        await writeLine(`${distance <= 0 ? 'clash' : 'near '}  ${formatLength(distance).padStart(14)}  ${a}  ${b}`);
    }
    return touching ? ExitStatus.negative : ExitStatus.done;
  } finally {
    disposeScene(scene);
  }
}
