/** `clearance check`: what touches, for joint states of a robot or for an assembly without robots. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { checkScene, pairsWithin, type SceneCheck } from '../../scene/check.js';
import { setConfiguration } from '../../scene/robot.js';
import { createScene, disposeScene } from '../../scene/scene.js';
import { parseConfiguration } from '../configuration-argument.js';
import { ExitStatus } from '../exit.js';
import { runBatch, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { addSceneFile, addSceneOptions, loadSceneArguments, type RobotArguments } from '../robot-arguments.js';
import { addStateOptions, lineConfiguration, readState, type StateArguments, stateSource } from '../state-arguments.js';

interface CheckArguments extends RobotArguments, StateArguments {
  readonly all?: boolean;
  readonly json?: boolean;
}

export function checkCommand(): Command {
  return addStateOptions(addSceneOptions(new Command('check')))
    .description('what touches: a robot at given joint states, alone or in a scene; or an assembly (SCENE.json)')
    .argument('<file>', 'robot (.urdf, .xacro) or scene (.json)')
    .option('--all', 'report every touching pair, not the first one only')
    .addHelpText(
      'after',
      `
Exit status 1 when any state is in collision.
A scene without a robot gives every pair of objects closer than --margin (default 0: touching).

Examples:
  clearance check arm.urdf --srdf arm.srdf --q home
  clearance check arm.urdf --scene table.json --states states.jsonl --all --json
  clearance check assembly.json --margin 0.002`,
    )
    .action(async (file: string, args: CheckArguments) => {
      process.exitCode =
        extname(file).toLowerCase() === '.json' ? await checkAssembly(file, args) : await checkRobot(file, args);
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
  const loaded = await loadSceneArguments(file, args);
  const { scene, robot, rest, group } = loaded;
  const progress = startProgress('checking');
  try {
    return await runBatch(
      {
        source: stateSource(args),
        json: Boolean(args.json),
        single: readState(args),
        onProgress: (n) => progress.update(`${n} states`),
      },
      (value) => {
        setConfiguration(robot, parseConfiguration(loaded, lineConfiguration(value), rest, group));
        const result = checkScene(scene, { all: args.all });
        return {
          result: { ...result },
          text: describe(result),
          status: result.free ? ExitStatus.done : ExitStatus.negative,
        };
      },
    );
  } finally {
    progress.stop();
    disposeScene(scene);
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
