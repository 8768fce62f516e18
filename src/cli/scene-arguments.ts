/** A robot in its scene, from the options of a command: what every query of a command line is asked of. */
import { formatIssue, type Issue, toAssumptions } from '../io/issue.js';
import { MisuseError } from '../math/misuse.js';
import { type LoadSceneOptions, loadScene, type SceneFiles } from '../node/load-scene.js';
import { allowPairs } from '../scene/allow-pairs.js';
import { assumeOf, listAssumptions, type SceneAssumptions, sceneAssumptions } from '../scene/assumptions.js';
import type { Assumption, PlacedRobotDescription } from '../scene/description.js';
import { countCheckedPairs } from '../scene/queries/check.js';
import { AssumptionCollector } from '../scene/queries/enclosed.js';

import { setConfiguration } from '../scene/robot.js';
import { createScene } from '../scene/scene.js';
import { findSizeSuspicions } from '../scene/size-check.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { addCellRobot, type CellRobot, placeDescription } from '../tasks/create-cell.js';
import { type GroupSelection, parseConfiguration, selectGroup } from './configuration-argument.js';
import { UsageError } from './exit.js';
import { type GroundFields, requireSound, toGroundFields } from './grounds.js';
import { meshMode } from './mesh-arguments.js';
import { report, warnOnce } from './messages.js';
import {
  type LoadedRobot,
  loadRobotArgument,
  type RobotArguments,
  readAllowedPairs,
  readSpheres,
  robotFileOptions,
} from './robot-arguments.js';
import { readRest } from './state-arguments.js';

export interface LoadedScene extends LoadedRobot {
  readonly scene: Scene;
  readonly robot: SceneRobot;
  readonly group: GroupSelection;
  /** Configuration of the joints that q leaves out. */
  readonly rest: Float64Array;
}

/** The fields that an answer about the scene says of what it rests on. */
export function sceneGrounds(scene: Scene): GroundFields {
  return toGroundFields(listAssumptions(scene));
}

/** Options that another one gives its meaning. */
function refuseIdleOptions({ geometry, spheres, acm, acmOnly, adjacent, scene, allowOutside }: RobotArguments): void {
  const refuse = (isIdle: boolean | undefined, option: string, why: string): void => {
    if (isIdle) throw new UsageError(`${option}: ${why}`);
  };
  refuse(spheres !== undefined && geometry !== 'spheres', '--spheres', 'means nothing without --geometry spheres');
  refuse(acmOnly && acm === undefined, '--acm-only', 'means nothing without --acm');
  refuse(adjacent && acmOnly, '--adjacent', 'means nothing with --acm-only, whose pairs alone are allowed');
  refuse(allowOutside && scene === undefined, '--allow-outside', 'means nothing without --scene');
}

/** The robot in its scene, ready for queries. */
export async function loadSceneArguments(file: string, args: RobotArguments): Promise<LoadedScene> {
  refuseIdleOptions(args);
  const loaded = await loadRobotArgument(file, args, { meshes: true });
  const placed = await placeLoaded(loaded, file, args);
  return { ...loaded, ...placed, group: selectGroup(loaded, args.group), rest: readRest(loaded, args.state) };
}

/** The loaded robot in a scene of its own, with what `args` says of its surroundings. */
export async function placeLoaded(
  loaded: LoadedRobot,
  file: string,
  args: RobotArguments,
): Promise<Pick<LoadedScene, 'scene' | 'robot'>> {
  const scene = createScene({ margin: args.margin ?? 0 });
  const { description, semantic, meshes, model, issues } = loaded;
  const robot = addCellRobot(scene, {
    description,
    semantic,
    meshes,
    model,
    issues,
    geometry: args.geometry,
    spheres: args.spheres ? await readSpheres(args.spheres) : undefined,
    meshMode: meshMode(args),
    checkAdjacent: args.adjacent,
  });
  assumeOf(scene, robotGrounds(robot, loaded, file, args));
  if (args.scene) await addSceneFile(scene, args.scene, args, robot);
  // After the scene's objects, which pairs may name.
  if (args.acm) {
    const { pairs, replace } = readAllowedPairs(args.acm, args.acmOnly);
    asUsage(`--acm ${args.acm}`, () => allowPairs(scene, pairs, { robot, replace }));
  }
  warnOfSizes(scene);
  return { scene, robot };
}

/** The grounds of an answer, with what it rests on beyond its scene: what was inside open meshes, say. That is told once, too. */
export function answerGrounds(
  scene: Scene,
  grounds: GroundFields,
  ...answers: readonly Partial<Pick<SceneAssumptions, 'assumed'>>[]
): GroundFields {
  const known = new Set([...sceneAssumptions(scene).assumed, ...(grounds.assumed ?? [])]);
  const added = new Set(answers.flatMap(({ assumed = [] }) => assumed.filter((text) => !known.has(text))));
  if (added.size === 0) return grounds;
  for (const text of added) warnOnce(text, text.replace(/^\w+: /, ''));
  return { complete: grounds.complete ?? true, assumed: [...(grounds.assumed ?? []), ...added] };
}

/** The grounds of an answer that consists of these configurations. */
export function groundsAt(
  { scene, robot }: Pick<LoadedScene, 'scene' | 'robot'>,
  grounds: GroundFields,
  configurations: Iterable<Float64Array>,
): GroundFields {
  const collector = new AssumptionCollector(scene);
  if (!collector.isNeeded) return grounds;
  const shown = robot.q.slice();
  for (const q of configurations) {
    setConfiguration(robot, q);
    collector.look();
  }
  setConfiguration(robot, shown);
  return answerGrounds(scene, grounds, collector);
}

/** Millimetres taken for metres, named once. */
export function warnOfSizes(scene: Scene): void {
  for (const { element, message } of findSizeSuspicions(scene))
    warnOnce(`size of ${element}`, `${element}: ${message}`);
}

/** A scene in which no two parts could touch is not free by a check: said once. */
export function warnOfNothing(scene: Scene): void {
  for (const { attachment } of scene.objects.values()) if (!attachment) return;
  const { checked, allowed } = countCheckedPairs(scene);
  if (checked > 0) return;
  const why = allowed > 0 ? `all ${allowed} pairs of parts may touch` : 'there is one part only';
  warnOnce('nothing to compare', `nothing is compared: ${why}, and no objects stand around (--scene)`);
}

/** A robot of which nothing can touch anything is not free: it is not known. */
function robotGrounds(robot: SceneRobot, { issues }: LoadedRobot, file: string, args: RobotArguments): Assumption[] {
  requireSound(
    file,
    issues,
    args,
    robot.missing.map(({ link }) => link),
  );
  if (robot.links.length > 0) return [];
  const kind = args.geometry ?? 'collision';
  const message = `no link has ${kind} geometry, so nothing of the robot can touch anything`;
  if (!args.allowMissing) {
    const other = kind === 'visual' ? '' : ', take the visual shapes with --geometry visual';
    throw new UsageError(`${file}: ${message}; add <collision> elements${other}, or go on with --allow-missing`);
  }
  return [{ kind: 'dropped', element: `robot "${robot.name}"`, message }];
}

/** What finding and reading a scene's files needs. */
export function sceneFileOptions(args: RobotArguments): LoadSceneOptions {
  const { upAxis, unit, weld, fillHoles, packages, packagePaths } = robotFileOptions(args);
  return { allowOutside: args.allowOutside, upAxis, unit, weld, fillHoles, packages, packagePaths };
}

/** Adds what a scene file describes; `attached` entries hang on `robot`. */
export async function addSceneFile(
  scene: Scene,
  file: string,
  args: RobotArguments,
  robot: SceneRobot | null,
): Promise<void> {
  const { value, issues } = await loadScene(file, sceneFileOptions(args));
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  for (const issue of issues) report(issue);
  requireSound(file, issues, args);
  const loaded = await loadPlacedRobots(value, args);
  const robots = value.description.robots.map((placed) => readPlacedState(placed, loaded.get(placed.name)!));
  const assumed = asUsage(file, () =>
    placeDescription(
      scene,
      { ...value, description: { ...value.description, robots } },
      { robot: robot ?? undefined, robots: loaded, meshMode: meshMode(args) },
    ),
  );
  const known = new Set(value.description.assumed);
  const lost = assumed.find((entry) => entry.kind === 'dropped' && !known.has(entry));
  if (lost && !args.allowMissing)
    throw new UsageError(
      `${file}: ${lost.element}: ${lost.message}, so a verdict could be wrong; remove it or export it again, or go on without it with --allow-missing`,
    );
  assumeOf(scene, droppedBy(issues));
  for (const { name, file: from } of robots) {
    const placed = scene.robots.find((candidate) => candidate.name === name)!;
    assumeOf(scene, robotGrounds(placed, loaded.get(name)!, value.files.get(from)!, args));
  }
}

/** Misuse of the scene's calls is the fault of what was given: the option or the file. */
function asUsage<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof MisuseError)) throw error;
    throw new UsageError(`${where}: ${error.message.replace(/^(placeDescription|allowPairs): /, '')}`);
  }
}

/** Errors of which their reader does not say what they do to an answer. */
function droppedBy(issues: readonly Issue[]): Assumption[] {
  return toAssumptions(
    issues.flatMap((issue) =>
      issue.severity === 'error' && !issue.assumes ? [{ ...issue, assumes: 'dropped' as const }] : [],
    ),
  );
}

type PlacedRobot = LoadedRobot & CellRobot;

async function loadPlacedRobots(
  { description, files }: Pick<SceneFiles, 'description' | 'files'>,
  args: RobotArguments,
): Promise<Map<string, PlacedRobot>> {
  const robots = new Map<string, PlacedRobot>();
  for (const placed of description.robots) {
    const file = files.get(placed.file);
    if (!file) throw new UsageError(`robot "${placed.name}": file "${placed.file}" is not found`);
    const srdf = placed.srdf === undefined ? undefined : files.get(placed.srdf);
    const own: RobotArguments = { ...args, srdf, base: 'fixed', geometry: args.geometry ?? 'collision' };
    const loaded = await loadRobotArgument(file, own, { meshes: true });
    robots.set(placed.name, { ...loaded, geometry: own.geometry });
  }
  return robots;
}

function readPlacedState(placed: PlacedRobotDescription, loaded: LoadedRobot): PlacedRobotDescription {
  return placed.q === undefined ? placed : { ...placed, q: [...parseConfiguration(loaded, placed.q, null)] };
}
