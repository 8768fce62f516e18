/** `clearance ray`: what rays hit, on a robot at given joint states, alone or in a scene; or on a scene file. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { castSceneRay, listSceneRayHits, type SceneRay, type SceneRayHit } from '../../scene/queries/ray.js';
import { setConfiguration } from '../../scene/robot.js';
import { createScene, disposeScene } from '../../scene/scene.js';
import type { Scene } from '../../scene/types.js';
import { ExitStatus, UsageError, worseStatus } from '../exit.js';
import { acceptOptions, refuseOptions } from '../given-options.js';
import { type GroundFields, groundText } from '../grounds.js';
import { type BatchAnswer, type InputLine, readJsonLines, runBatch, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { formatLength } from '../number-arguments.js';
import { addRobotOptions, addSceneFileOptions, type RobotArguments } from '../robot-arguments.js';
import { addSceneFile, type LoadedScene, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { addStateOptions, readState, type StateArguments, stateBatch } from '../state-arguments.js';
import { countOf } from '../words.js';

interface RayArguments extends RobotArguments, StateArguments {
  readonly rays?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** What the answers over a scene file depend on. */
const SCENE_FILE_OPTIONS = [
  ...['rays', 'all', 'allowOutside', 'solid', 'surface', 'upAxis', 'unit', 'weld', 'fillHoles', 'allowMissing'],
  ...['geometry', 'package', 'packagePath', 'xacroArg', 'mimic', 'continuous'],
];

export function rayCommand(): Command {
  return addStateOptions(addSceneFileOptions(addRobotOptions(new Command('ray'), { allowed: false })))
    .description('what rays hit: a robot at a joint state, alone or in a scene; or a scene (SCENE.json)')
    .argument('<file>', 'robot (.urdf, .xacro) or scene (.json)')
    .option('--rays <file>', 'rays: JSON Lines {"origin":[x,y,z],"direction":[x,y,z],"max"?}; - is standard input')
    .option('--all', 'every crossing of a surface, not the first one only')
    .addHelpText(
      'after',
      `
"t" counts the direction: origin + t direction is the hit; hits beyond "max" do not count. "normal" points outward.
A ray that starts inside a solid hits where it leaves. With --states every ray is cast in every state, "state" says in which.

Examples:
  clearance ray arm.urdf --rays rays.jsonl --q home --json
  clearance ray arm.urdf --scene table.json --states path.jsonl --rays rays.jsonl --all
  clearance ray assembly.json --rays rays.jsonl`,
    )
    .action(async (file: string, args: RayArguments, command: Command) => {
      const { rays } = args;
      if (rays === undefined) throw new UsageError('--rays: expected a file of rays, or - for standard input');
      if (rays === '-' && args.states === '-')
        throw new UsageError('--rays and --states: expected standard input for one of them');
      if (extname(file).toLowerCase() === '.json') {
        acceptOptions(command, SCENE_FILE_OPTIONS, `means nothing for a scene without states (${file})`);
        process.exitCode = await castOnSceneFile(file, rays, args);
        return;
      }
      refuseOptions(command, ['acm', 'acmOnly'], 'means nothing here, a ray hits links whatever they may touch');
      process.exitCode = await castOnRobot(file, rays, args);
    });
}

async function castOnSceneFile(file: string, rays: string, args: RayArguments): Promise<ExitStatus> {
  const scene = createScene();
  try {
    await addSceneFile(scene, file, args, null);
    return await castAll(scene, readJsonLines(rays), args);
  } finally {
    disposeScene(scene);
  }
}

async function castOnRobot(file: string, rays: string, args: RayArguments): Promise<ExitStatus> {
  const loaded = await loadSceneArguments(file, args);
  const { scene, robot } = loaded;
  try {
    const { source, single, read } = stateBatch(args);
    if (source === null) {
      setConfiguration(robot, readState(loaded, single!));
      return await castAll(scene, readJsonLines(rays), args);
    }
    const lines: InputLine[] = [];
    for await (const line of readJsonLines(rays)) lines.push(line);
    return await castInStates(loaded, read!(source), lines, args);
  } finally {
    disposeScene(scene);
  }
}

async function castInStates(
  loaded: LoadedScene,
  states: ReturnType<NonNullable<ReturnType<typeof stateBatch>['read']>>,
  lines: readonly InputLine[],
  args: RayArguments,
): Promise<ExitStatus> {
  let status: ExitStatus = ExitStatus.done;
  for await (const { index, value, error: fault } of states) {
    try {
      if (fault !== undefined) throw new UsageError(fault);
      setConfiguration(loaded.robot, readState(loaded, value!));
    } catch (error) {
      status = worseStatus(status, ExitStatus.unusable);
      const { message } = error as Error;
      await writeLine(
        args.json ? toJson({ state: index, status: 'invalid', error: message }) : `state ${index}: invalid: ${message}`,
      );
      continue;
    }
    status = worseStatus(status, await castAll(loaded.scene, lines, args, index));
  }
  return status;
}

async function castAll(
  scene: Scene,
  lines: readonly InputLine[] | AsyncIterable<InputLine>,
  args: RayArguments,
  state?: number,
): Promise<ExitStatus> {
  const grounds = sceneGrounds(scene);
  const progress = startProgress('casting');
  let hits = 0;
  async function* eachLine(): AsyncGenerator<InputLine> {
    yield* lines;
  }
  try {
    return await runBatch(
      {
        source: args.rays!,
        read: eachLine,
        json: Boolean(args.json),
        onProgress: (n) => progress.update(`${n} rays`),
        summarize: ({ answered, invalid }) =>
          `${state === undefined ? '' : `state ${state}, `}${countOf(answered + invalid, 'ray')}: ${hits} hit`,
      },
      (value) => {
        const answer = answerRay(scene, readRequest(value), grounds, args);
        if (answer.result.hit === true) hits++;
        return state === undefined ? answer : { ...answer, result: { ...answer.result, state } };
      },
    );
  } finally {
    progress.stop();
  }
}

function readRequest(value: unknown): SceneRay {
  const { origin, direction, max } = Object(value) as Record<string, unknown>;
  for (const [name, numbers] of Object.entries({ origin, direction }))
    if (!Array.isArray(numbers) || numbers.length !== 3 || !numbers.every(Number.isFinite))
      throw new UsageError(`"${name}": expected 3 finite numbers`);
  if ((direction as number[]).every((x) => x === 0)) throw new UsageError('"direction": expected one that is not zero');
  if (max !== undefined && max !== null && !(typeof max === 'number' && max >= 0))
    throw new UsageError('"max": expected a number, 0 or more');
  return {
    origin: origin as number[],
    direction: direction as number[],
    max: typeof max === 'number' ? max : Infinity,
  };
}

function toFields({ t, point, normal, body, triangle }: SceneRayHit): Record<string, unknown> {
  return { t, point, normal, body, ...(triangle !== null && { triangle }) };
}

function describe({ t, body, triangle, point }: SceneRayHit): string {
  const where = point.map((x) => formatLength(x)).join(', ');
  return `${body}${triangle === null ? '' : ` (triangle ${triangle})`} at t ${Number(t.toPrecision(9))}, point ${where}`;
}

function answerRay(scene: Scene, ray: SceneRay, grounds: GroundFields, { all }: RayArguments): BatchAnswer {
  if (all) {
    const { hits } = listSceneRayHits(scene, ray);
    return {
      result: { hit: hits.length > 0, hits: hits.map(toFields), ...grounds },
      text: hits.length === 0 ? `nothing${groundText(grounds)}` : hits.map(describe).join('; '),
    };
  }
  const { hit } = castSceneRay(scene, ray);
  if (!hit)
    return {
      result: { hit: false, t: null, point: null, normal: null, body: null, ...grounds },
      text: `nothing${groundText(grounds)}`,
    };
  return { result: { hit: true, ...toFields(hit), ...grounds }, text: `${describe(hit)}${groundText(grounds)}` };
}
