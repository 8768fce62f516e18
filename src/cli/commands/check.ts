/** `clearance check`: what touches, for joint states of a robot or for an assembly without robots. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { createParallelScene, type ParallelScene } from '../../parallel/parallel-scene.js';
import type { OverlapDepth } from '../../scene/body-pairs.js';
import { createRobotCaster } from '../../scene/cast-robot.js';
import { checkScene, pairsWithin, type SceneCheck, type SceneVerdict } from '../../scene/check.js';
import { setConfiguration } from '../../scene/robot.js';
import { createScene, disposeScene } from '../../scene/scene.js';
import { describeSelfCheck } from '../../scene/self-contacts.js';
import { parseConfiguration } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { acceptOptions, refuseOptions } from '../given-options.js';
import { type BatchAnswer, type BatchOptions, runBatch, runBatchInBlocks, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import {
  addDepthOption,
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
  readonly depth?: 'none' | OverlapDepth;
  readonly json?: boolean;
}

const meshExtensions = new Set(['.stl', '.obj', '.ply', '.off', '.dae', '.gltf', '.glb']);

/** What an assembly's report depends on: its meshes, its robots' files, and what counts as near. */
const ASSEMBLY_OPTIONS = [
  ...['margin', 'depth', 'allowOutside', 'solid', 'surface', 'upAxis', 'unit', 'allowMissing'],
  ...['geometry', 'package', 'packagePath', 'xacroArg', 'mimic', 'continuous'],
];

/** Lines that are answered together with --workers, per worker; fewer in all are answered on one thread. */
const BLOCK_PER_WORKER = 400;
const FEW_LINES = 200;

export function checkCommand(): Command {
  return addDepthOption(
    addStateOptions(addSceneOptions(new Command('check'))),
    ['none', 'hull', 'exact'],
    ', exact for an assembly',
  )
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
    .action(async (file: string, args: CheckArguments, command: Command) => {
      const extension = extname(file).toLowerCase();
      if (meshExtensions.has(extension))
        throw new UsageError(
          `${file}: a mesh, expected a robot (.urdf, .xacro) or a scene (.json); two shapes are checked by "pair"`,
        );
      if (extension === '.json') {
        acceptOptions(command, ASSEMBLY_OPTIONS, `means nothing for a scene without states (${file})`);
        process.exitCode = await checkAssembly(file, args);
        return;
      }
      if (args.path) refuseOptions(command, ['workers', 'depth', 'q'], 'means nothing with --path');
      if (args.states === undefined) refuseOptions(command, ['workers'], 'is for many states, expected --states');
      process.exitCode = await checkRobot(file, args);
    });
}

function describe({ free, contacts }: SceneCheck | SceneVerdict): string {
  if (free) return 'free';
  const words = contacts.map((pair) => {
    const depth = 'depth' in pair ? ` (depth ${formatLength(pair.depth)})` : '';
    return `${pair.a} with ${pair.b}${depth}`;
  });
  return `in collision: ${words.join('; ')}`;
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
      return await checkOnWorkers(options, loaded, args.workers, { all: Boolean(args.all), depth: args.depth });
    const method = methodOf(loaded);
    return await runBatch(options, (value) => {
      setConfiguration(loaded.robot, readConfiguration(loaded, value));
      return toAnswer(checkScene(loaded.scene, { all: args.all, depth: args.depth }), method);
    });
  } finally {
    progress.stop();
    disposeScene(loaded.scene);
  }
}

function readConfiguration(loaded: LoadedScene, value: unknown): Float64Array {
  return parseConfiguration(loaded, lineConfiguration(value), loaded.rest, loaded.group);
}

/** What a check without depths does not know. */
const UNMEASURED = { depth: null, point: null, normal: null, status: null };

/** Says so where the robot is a snake whose own links are found by another method than pair by pair. */
function methodOf({ robot }: LoadedScene): { readonly method?: string } {
  const { method } = describeSelfCheck(robot);
  return method === 'pairs' ? {} : { method };
}

function toAnswer(result: SceneCheck | SceneVerdict, method: { readonly method?: string }): BatchAnswer {
  return {
    result: {
      free: result.free,
      contacts: result.contacts.map((contact) => ({ ...UNMEASURED, ...contact })),
      ...method,
    },
    text: describe(result),
    status: result.free ? ExitStatus.done : ExitStatus.negative,
  };
}

/** Each line is the end of a motion that starts at the line before; a bad line interrupts the path. */
function checkMotions(options: BatchOptions, loaded: LoadedScene): Promise<ExitStatus> {
  const { scene, robot } = loaded;
  const caster = createRobotCaster(scene, robot);
  const method = methodOf(loaded);
  let last: Float64Array | null = null;
  return runBatch(options, (value) => {
    const from = last;
    last = null;
    const to = readConfiguration(loaded, value);
    last = to;
    if (!from) {
      setConfiguration(robot, to);
      const answer = toAnswer(checkScene(scene), method);
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
  query: { readonly all: boolean; readonly depth?: 'none' | OverlapDepth },
): Promise<ExitStatus> {
  const { scene, robot } = loaded;
  const method = methodOf(loaded);
  let pool: ParallelScene | null = null;
  try {
    return await runBatchInBlocks(options, {
      size: BLOCK_PER_WORKER * workers,
      prepare: (value) => readConfiguration(loaded, value),
      async answer(states) {
        if (!pool && states.length < FEW_LINES) {
          return states.map((q) => {
            setConfiguration(robot, q);
            return toAnswer(checkScene(scene, query), method);
          });
        }
        pool ??= await createParallelScene(scene, robot, { workers });
        return (await pool.checkMany(states, query)).map((result) => toAnswer(result, method));
      },
    });
  } finally {
    (pool as ParallelScene | null)?.dispose();
  }
}

async function checkAssembly(file: string, args: CheckArguments): Promise<ExitStatus> {
  // A report is asked for once: it may take its time.
  const { depth = 'exact' } = args;
  if (depth === 'none')
    throw new UsageError('--depth none: an assembly is reported with distances, expected hull or exact');
  const scene = createScene();
  try {
    await addSceneFile(scene, file, args, null);
    const pairs = pairsWithin(scene, { margin: args.margin ?? 0, objectPairs: true, depth });
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
