/** `clearance check`: what touches, for joint states of a robot or for an assembly without robots. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { createParallelScene, type ParallelScene } from '../../parallel/parallel-scene.js';
import { createRobotCaster } from '../../scene/motion/cast-robot.js';
import type { OverlapDepth } from '../../scene/queries/body-pairs.js';
import { checkScene, pairsWithin, type SceneCheck, type SceneVerdict } from '../../scene/queries/check.js';
import { describeSelfCheck } from '../../scene/queries/self-check.js';
import { setConfiguration } from '../../scene/robot.js';
import { disposeScene } from '../../scene/scene.js';
import type { Scene } from '../../scene/types.js';
import { ASSEMBLY_OPTIONS, describeContent, reportAssembly } from '../assembly.js';
import { ExitStatus, UsageError } from '../exit.js';
import { acceptOptions, refuseOptions } from '../given-options.js';
import { type GroundFields, groundText } from '../grounds.js';
import {
  type BatchAnswer,
  type BatchCounts,
  type BatchOptions,
  runBatch,
  runBatchInBlocks,
  toJson,
  writeLine,
} from '../json-lines.js';
import { addLimitsOption, createLimitCheck, type LimitArguments, type LimitCheck } from '../limit-check.js';
import { startProgress } from '../messages.js';
import type { StateEntry } from '../motion-file.js';
import { formatLength, parseCount } from '../number-arguments.js';
import { addDepthOption, addSceneOptions, type RobotArguments } from '../robot-arguments.js';
import {
  answerGrounds,
  type LoadedScene,
  loadSceneArguments,
  sceneGrounds,
  warnOfNothing,
} from '../scene-arguments.js';
import { addStateOptions, readState, type StateArguments, stateBatch } from '../state-arguments.js';
import { countOf } from '../words.js';

interface CheckArguments extends RobotArguments, StateArguments, LimitArguments {
  readonly all?: boolean;
  readonly first?: boolean;
  readonly path?: boolean;
  readonly workers?: number;
  readonly depth?: 'none' | OverlapDepth;
  readonly json?: boolean;
}

const meshExtensions = new Set(['.stl', '.obj', '.ply', '.off', '.dae', '.gltf', '.glb']);

/** Lines that are answered together with --workers, per worker; fewer in all are answered on one thread. */
const BLOCK_PER_WORKER = 400;
const FEW_LINES = 200;

export function checkCommand(): Command {
  return addLimitsOption(
    addDepthOption(
      addStateOptions(addSceneOptions(new Command('check'))),
      ['none', 'hull', 'exact'],
      ', exact for an assembly',
    ),
  )
    .description('what touches: a robot at given joint states, alone or in a scene; or an assembly (SCENE.json)')
    .argument('<file>', 'robot (.urdf, .xacro) or scene (.json)')
    .option('--all', 'report every touching pair, not the first one only')
    .option('--first', 'stop at the first state, or motion, that is in collision')
    .option('--path', 'check the straight motion from each state to the next, at every time and not by samples')
    .option(
      '--workers <n>',
      'processors for a long --states; answers then come in blocks',
      parseCount('--workers', { min: 1, max: 64 }),
    )
    .addHelpText(
      'after',
      `
Exit status 1 when any state is in collision (with --limits: or beyond its limits).
With --path a line after the first answers for the motion that ends in it: "time" in [0, 1] is its first contact.
A scene file gives every pair of its objects and robots closer than --margin (default 0: touching).

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
        acceptOptions(command, ['margin', ...ASSEMBLY_OPTIONS], `means nothing for a scene without states (${file})`);
        process.exitCode = await checkAssembly(file, args);
        return;
      }
      if (args.path) refuseOptions(command, ['workers', 'depth', 'q'], 'means nothing with --path');
      if (args.states === undefined)
        refuseOptions(command, ['workers', 'first'], 'is for many states, expected --states');
      if (args.workers !== undefined) refuseOptions(command, ['first'], 'means nothing with --workers');
      process.exitCode = await checkRobot(file, args);
    });
}

function describe({ free, contacts }: SceneCheck | SceneVerdict, grounds: GroundFields): string {
  if (free) return `free${groundText(grounds)}`;
  const words = contacts.map((pair) => {
    return `${pair.a} with ${pair.b}${'depth' in pair ? ` (${describeDepth(pair.depth)})` : ''}`;
  });
  return `in collision: ${words.join('; ')}`;
}

/** A pair that only a margin makes a contact is still apart. */
function describeDepth(depth: number): string {
  return depth < 0 ? `${formatLength(-depth)} apart, within the margin` : `depth ${formatLength(depth)}`;
}

async function checkRobot(file: string, args: CheckArguments): Promise<ExitStatus> {
  if (args.path && args.all)
    throw new UsageError('--path and --all: expected one of them; a motion ends at its first contact');
  if (args.path && args.states === undefined)
    throw new UsageError('--path: expected --states with the path, state by state');
  const loaded = await loadSceneArguments(file, args);
  warnOfNothing(loaded.scene);
  const progress = startProgress('checking');
  const options: BatchOptions<StateEntry> = {
    ...stateBatch(args),
    json: Boolean(args.json),
    onProgress: (n) => progress.update(`${n} states`),
    summarize: (counts) => summarize(counts, args),
  };
  const asked: Asked = {
    scene: loaded.scene,
    grounds: sceneGrounds(loaded.scene),
    method: methodOf(loaded),
    limits: createLimitCheck(loaded.model, args),
    first: Boolean(args.first),
  };
  try {
    if (args.path) return await checkMotions(options, loaded, asked);
    if (args.workers !== undefined && args.workers > 1 && options.source !== null)
      return await checkOnWorkers(options, loaded, args.workers, { all: Boolean(args.all), depth: args.depth }, asked);
    return await runBatch(options, (value) => {
      setConfiguration(loaded.robot, readChecked(loaded, value, asked));
      const result = checkScene(loaded.scene, { all: args.all, depth: args.depth });
      return asked.limits.complete(toAnswer(result, asked));
    });
  } finally {
    progress.stop();
    disposeScene(loaded.scene);
  }
}

/** What every answer of a run goes by. */
interface Asked {
  readonly scene: Scene;
  readonly grounds: GroundFields;
  /** Says so where the robot is a snake whose own links are found by another method than pair by pair. */
  readonly method: { readonly method?: string };
  readonly limits: LimitCheck;
  readonly first: boolean;
}

function readChecked(loaded: LoadedScene, value: StateEntry, { limits }: Asked): Float64Array {
  const q = readState(loaded, value);
  limits.look(q);
  return q;
}

function summarize({ answered, negative, firstNegative, invalid }: BatchCounts, args: CheckArguments): string {
  const states = countOf(answered + invalid, 'state');
  const what = args.path ? `${states} with the motions between them` : states;
  const fault = args.limits ? 'in collision or beyond limits' : 'in collision';
  const where = firstNegative === null ? '' : `, first ${firstNegative}`;
  const stopped = args.first && firstNegative !== null ? ', stopped there' : '';
  return `${what}: ${answered - negative} free, ${negative} ${fault}${where}${stopped}`;
}

/** What a check without depths does not know. */
const UNMEASURED = { depth: null, point: null, normal: null, status: null };

function methodOf({ robot }: LoadedScene): { readonly method?: string } {
  const { method } = describeSelfCheck(robot);
  return method === 'pairs' ? {} : { method };
}

function toAnswer(result: SceneCheck | SceneVerdict, { scene, method, first, ...asked }: Asked): BatchAnswer {
  const grounds = answerGrounds(scene, asked.grounds, result);
  return {
    result: {
      free: result.free,
      contacts: result.contacts.map((contact) => ({ ...UNMEASURED, ...contact })),
      ...method,
      ...grounds,
    },
    text: describe(result, grounds),
    status: result.free ? ExitStatus.done : ExitStatus.negative,
    last: first && !result.free,
  };
}

/** Each line is the end of a motion that starts at the line before; a bad line, or a new path, interrupts it. */
function checkMotions(options: BatchOptions<StateEntry>, loaded: LoadedScene, asked: Asked): Promise<ExitStatus> {
  const { scene, robot } = loaded;
  const caster = createRobotCaster(scene, robot);
  let last: Float64Array | null = null;
  return runBatch(options, (value) => {
    const from = value.first ? null : last;
    last = null;
    const to = readChecked(loaded, value, asked);
    last = to;
    if (!from) {
      setConfiguration(robot, to);
      const answer = toAnswer(checkScene(scene), asked);
      return asked.limits.complete({ ...answer, result: { ...answer.result, time: null } });
    }
    const found = caster.cast(from, to);
    const { hit, time, a, b, distance, point, normal, status } = found;
    const grounds = answerGrounds(scene, asked.grounds, found);
    const depth = distance === null || distance === 0 ? 0 : -distance;
    return asked.limits.complete({
      result: {
        free: !hit,
        contacts: hit ? [{ a, b, depth, point, normal, status }] : [],
        time: hit ? time : null,
        ...grounds,
      },
      text: hit ? `${a} with ${b} at ${time.toFixed(6)} of the motion` : `free${groundText(grounds)}`,
      status: hit ? ExitStatus.negative : ExitStatus.done,
      last: asked.first && hit,
    });
  });
}

/** Answers with workers come later than their states are read: limits are looked at again with each answer. */
async function checkOnWorkers(
  options: BatchOptions<StateEntry>,
  loaded: LoadedScene,
  workers: number,
  query: { readonly all: boolean; readonly depth?: 'none' | OverlapDepth },
  asked: Asked,
): Promise<ExitStatus> {
  const { scene, robot } = loaded;
  const complete = (q: Float64Array, result: SceneCheck | SceneVerdict): BatchAnswer => {
    asked.limits.look(q);
    return asked.limits.complete(toAnswer(result, asked));
  };
  let pool: ParallelScene | null = null;
  try {
    return await runBatchInBlocks(options, {
      size: BLOCK_PER_WORKER * workers,
      prepare: (value) => readState(loaded, value),
      async answer(states) {
        if (!pool && states.length < FEW_LINES) {
          return states.map((q) => {
            setConfiguration(robot, q);
            return complete(q, checkScene(scene, query));
          });
        }
        pool ??= await createParallelScene(scene, robot, { workers });
        return (await pool.checkMany(states, query)).map((result, i) => complete(states[i], result));
      },
    });
  } finally {
    (pool as ParallelScene | null)?.dispose();
  }
}

async function checkAssembly(file: string, args: CheckArguments): Promise<ExitStatus> {
  // A report is asked for once: it may take its time.
  const { depth = 'exact', margin = 0 } = args;
  if (depth === 'none')
    throw new UsageError('--depth none: an assembly is reported with distances, expected hull or exact');
  return reportAssembly(file, args, async (scene, grounds) => {
    const pairs = pairsWithin(scene, { margin, objectPairs: true, depth });
    const clashes = pairs.filter(({ distance }) => distance <= 0).length;
    if (args.json) {
      await writeLine(toJson({ pairs, ...grounds }));
    } else {
      // Objects may have margins of their own.
      const reach = pairs.some(({ distance }) => distance > margin) ? 'their margins' : formatLength(margin);
      await writeLine(
        `${describeContent(scene)}, ${countOf(pairs.length, 'pair')} within ${reach}, ${clashes} of them ${clashes === 1 ? 'clashes' : 'clash'}${groundText(grounds)}`,
      );
      for (const { a, b, distance } of pairs)
        await writeLine(`${distance <= 0 ? 'clash' : 'near '}  ${formatLength(distance).padStart(14)}  ${a}  ${b}`);
    }
    return clashes > 0 ? ExitStatus.negative : ExitStatus.done;
  });
}
