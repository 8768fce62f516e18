/** `clearance monitor`: configurations in, near pairs out, at the rate they come. */
import { Command } from 'commander';
import { createTransform } from '../../math/transform.js';
import type { OverlapDepth } from '../../scene/queries/body-pairs.js';
import { createMonitor, type Monitor, type MonitorPair } from '../../scene/queries/monitor.js';
import { setConfiguration } from '../../scene/robot.js';
import { disposeScene, moveObject } from '../../scene/scene.js';
import type { Scene } from '../../scene/types.js';
import { UsageError } from '../exit.js';
import { type GroundFields, groundText } from '../grounds.js';
import { runBatch } from '../json-lines.js';
import { addLimitsOption, createLimitCheck, type LimitArguments } from '../limit-check.js';
import { startProgress } from '../messages.js';
import { readStates, type StateEntry } from '../motion-file.js';
import { formatLength, parseNumber } from '../number-arguments.js';
import { readPose } from '../pose-argument.js';
import { addDepthOption, addSceneOptions, type RobotArguments } from '../robot-arguments.js';
import { answerGrounds, type LoadedScene, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { readState } from '../state-arguments.js';
import { countOf, formatFixed } from '../words.js';

interface MonitorArguments extends RobotArguments, LimitArguments {
  readonly distance: number;
  readonly period: number;
  readonly depth?: OverlapDepth;
  readonly json?: boolean;
}

export function monitorCommand(): Command {
  return addLimitsOption(addDepthOption(addSceneOptions(new Command('monitor'))))
    .description(
      'every pair closer than a distance, with closing speed, time to contact and contact events, line by line',
    )
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .argument(
      '[states]',
      'JSON Lines of configurations, or a trajectory as `trajectory --out` writes it; - is standard input',
      '-',
    )
    .requiredOption('--distance <metres>', 'pairs at most this far apart', parseNumber('--distance', { min: 0 }))
    .option(
      '--period <seconds>',
      'time between lines without a time stamp',
      parseNumber('--period', { above: 0 }),
      0.001,
    )
    .addHelpText(
      'after',
      `
A line is {"q":...}, with "t" (seconds) where the time is known and "objects":{"name":pose,...} where objects move
(q may then be left out: the robot stays);
or q alone: an array, or {"joint":value,...}. Times must increase. Speeds are those between two lines.
A bad line gives {"i","status":"invalid","error","line"} and changes nothing; exit status 2 at the end.

Example:
  clearance monitor arm.urdf states.jsonl --scene table.json --distance 0.1 --json`,
    )
    .action(async (file: string, source: string, args: MonitorArguments) => {
      const loaded = await loadSceneArguments(file, args);
      const fixed = sceneGrounds(loaded.scene);
      const limits = createLimitCheck(loaded.model, args);
      const progress = startProgress('monitoring');
      try {
        const monitor = createMonitor(loaded.scene, {
          distance: args.distance,
          period: args.period,
          depth: args.depth,
        });
        process.exitCode = await runBatch(
          { source, read: readStates, json: Boolean(args.json), onProgress: (n) => progress.update(`${n} states`) },
          (value) => {
            const { q, time, moves } = readLine(loaded, value, monitor, args.period);
            limits.look(q);
            setConfiguration(loaded.robot, q);
            for (const [object, pose] of moves) moveObject(loaded.scene, object, pose);
            monitor.update(time);
            const grounds = answerGrounds(loaded.scene, fixed, monitor);
            return limits.complete({
              result: { ...describe(monitor), ...grounds },
              text: summarize(monitor, grounds),
            });
          },
        );
      } finally {
        progress.stop();
        disposeScene(loaded.scene);
      }
    });
}

type Moves = [NonNullable<ReturnType<Scene['objects']['get']>>, Float64Array][];

interface MonitorLine {
  readonly q: Float64Array;
  readonly time: number | undefined;
  readonly moves: Moves;
}

/** Reads the whole line before anything changes. */
function readLine(loaded: LoadedScene, entry: StateEntry, monitor: Monitor, period: number): MonitorLine {
  const { q: given, named, line = {} } = entry;
  // A line that moves objects only leaves the robot where it is.
  const isStill = given === undefined && named === undefined && 'objects' in line;
  const q = isStill ? loaded.robot.q.slice() : readState(loaded, entry);
  const t: unknown = line.t ?? entry.t;
  if (t !== undefined && (typeof t !== 'number' || !Number.isFinite(t)))
    throw new UsageError('t: expected a finite number of seconds');
  if (t !== undefined && monitor.time !== null && !(t > monitor.time))
    throw new UsageError(`t: got ${t}, expected more than ${monitor.time}, the last line's`);
  if (t === undefined && monitor.time !== null && !(monitor.time + period > monitor.time))
    throw new UsageError(`t: missing, and ${period} seconds are nothing beside the last line's ${monitor.time}`);
  return { q, time: t as number | undefined, moves: readMoves(loaded.scene, line.objects) };
}

function readMoves(scene: Scene, objects: unknown): Moves {
  if (objects === undefined) return [];
  if (objects === null || typeof objects !== 'object' || Array.isArray(objects))
    throw new UsageError('objects: expected {"name":pose,...}');
  return Object.entries(objects).map(([name, pose]) => {
    const object = scene.objects.get(name);
    if (!object) throw new UsageError(`objects: "${name}" is not in the scene`);
    if (object.attachment) throw new UsageError(`objects: "${name}" is attached to "${object.attachment.link}"`);
    return [object, readPose(createTransform(), pose, `objects: "${name}"`)];
  });
}

const pairOf = ({ a, b, distance, closingSpeed, timeToContact, ...rest }: MonitorPair): Record<string, unknown> => ({
  a,
  b,
  distance,
  closingSpeed,
  timeToContact,
  pointA: rest.pointA,
  pointB: rest.pointB,
  normal: rest.normal,
  status: rest.status,
});

function describe(monitor: Monitor): Record<string, unknown> {
  return {
    t: monitor.time,
    pairs: monitor.pairs.slice(0, monitor.count).map(pairOf),
    events: monitor.events.slice(0, monitor.eventCount).map(({ a, b, contact }) => ({ a, b, contact })),
  };
}

function summarize(monitor: Monitor, grounds: GroundFields): string {
  const events = monitor.events
    .slice(0, monitor.eventCount)
    .filter(({ contact }) => contact !== 'persisted')
    .map(({ a, b, contact }) => `; ${a} on ${b} ${contact}`)
    .join('');
  if (monitor.count === 0) return `nothing near${groundText(grounds)}${events}`;
  const { a, b, distance, closingSpeed, timeToContact } = monitor.pairs[0];
  const until = distance > 0 && Number.isFinite(timeToContact) ? `, contact in ${formatFixed(timeToContact, 3)} s` : '';
  const others = monitor.count > 1 ? `, ${countOf(monitor.count - 1, 'more pair')}` : '';
  const speed = formatFixed(Math.abs(closingSpeed), 3);
  const motion =
    Number(speed) === 0 ? 'neither closing nor opening' : `${closingSpeed > 0 ? 'closing' : 'opening'} at ${speed} m/s`;
  const gap = distance > 0 ? `${formatLength(distance)} apart` : `in contact, depth ${formatLength(-distance)}`;
  return `${a} and ${b} ${gap}, ${motion}${until}${others}${events}${groundText(grounds)}`;
}
