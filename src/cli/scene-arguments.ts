/** A robot in its scene, from the options of a command: what every query of a command line is asked of. */
import { formatIssue, type Issue, toAssumptions } from '../io/issue.js';
import { MisuseError } from '../math/misuse.js';
import { type LoadSceneOptions, loadScene } from '../node/load-scene.js';
import { allowPairs } from '../scene/allow-pairs.js';
import type { AllowedPair } from '../scene/allowed-collisions.js';
import { listAssumptions, type SceneAssumptions, sceneAssumptions } from '../scene/assumptions.js';
import type { Assumption, PlacedRobotDescription, SceneDescription } from '../scene/description.js';
import { countCheckedPairs } from '../scene/queries/check.js';
import { AssumptionCollector } from '../scene/queries/enclosed.js';
import { createShapeResolver } from '../scene/resolve-shape.js';
import { addRobot, setConfiguration } from '../scene/robot.js';
import { addObject, createScene } from '../scene/scene.js';
import { findSizeSuspicions } from '../scene/size-check.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { attachDescribed } from '../tasks/create-cell.js';
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

/** What of files no robot and no object of the scene speaks: the robot's own emptiness, and the scene file that is in use. */
interface FileGrounds {
  robot: readonly Assumption[];
  file: readonly Assumption[];
}
const groundsOf = new WeakMap<Scene, FileGrounds>();

/** The fields that an answer about the scene says of what it rests on. */
export function sceneGrounds(scene: Scene): GroundFields {
  const { robot = [], file = [] } = groundsOf.get(scene) ?? {};
  return toGroundFields([...listAssumptions(scene), ...robot, ...file]);
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
  const scene = createScene({ margin: args.margin ?? 0 });
  const robot = addRobot(scene, {
    ...loaded,
    geometry: args.geometry,
    spheres: args.spheres ? readSpheres(args.spheres) : undefined,
    meshMode: meshMode(args),
    checkAdjacent: args.adjacent,
  });
  groundsOf.set(scene, { robot: robotGrounds(robot, loaded, file, args), file: [] });
  if (args.scene) await addSceneFile(scene, args.scene, args, robot);
  // After the scene's objects, which pairs may name.
  if (args.acm) allowGiven(scene, `--acm ${args.acm}`, readAllowedPairs(args.acm, args.acmOnly), robot);
  warnOfSizes(scene);
  const group = selectGroup(loaded, args.group);
  return { ...loaded, scene, robot, group, rest: readRest(loaded, args.state) };
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

function allowGiven(
  scene: Scene,
  where: string,
  { pairs, replace }: { readonly pairs: readonly AllowedPair[]; readonly replace?: boolean },
  robot: SceneRobot | null,
): void {
  try {
    allowPairs(scene, pairs, { robot: robot ?? undefined, replace });
  } catch (error) {
    if (!(error instanceof MisuseError)) throw error;
    throw new UsageError(`${where}: ${error.message.replace(/^allowPairs: /, '')}`);
  }
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

/** Adds the objects of a scene file; `attached` entries hang on `robot`. */
export async function addSceneFile(
  scene: Scene,
  file: string,
  args: RobotArguments,
  robot: SceneRobot | null,
): Promise<SceneDescription> {
  const { value, issues } = await loadScene(file, sceneFileOptions(args));
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  for (const issue of issues) report(issue);
  requireSound(file, issues, args);
  const assumed = [...(value.description.assumed ?? []), ...droppedBy(issues)];
  const resolver = createShapeResolver(value.meshes, meshMode(args), value.clouds);
  for (const object of value.description.objects) {
    const shape = resolver.resolve(object.shape);
    const isEmpty = shape?.type === 'mesh' && shape.mesh.triangles.length === 0;
    if (shape && !isEmpty) {
      addObject(scene, { name: object.name, shape, pose: object.pose, margin: object.margin });
      continue;
    }
    const message = isEmpty ? 'its mesh has no triangles' : 'a file of its shape is not loaded';
    if (!args.allowMissing)
      throw new UsageError(
        `${file}: object "${object.name}": ${message}, so a verdict could be wrong; remove it or export it again, or go on without it with --allow-missing`,
      );
    assumed.push({ kind: 'dropped', element: `object "${object.name}"`, message });
  }
  for (const placed of value.description.robots)
    assumed.push(...(await addPlacedRobot(scene, placed, value.files, args)));
  for (const attached of value.description.attached) {
    // Left out above, and said.
    if (!scene.objects.has(attached.object)) continue;
    try {
      attachDescribed(scene, attached, robot ?? undefined);
    } catch (error) {
      throw new UsageError(`${file}: attached object "${attached.object}": ${(error as Error).message}`);
    }
  }
  const allowed = (value.description.allowed ?? []).map((pair) => ({ ...pair, reason: 'user' as const }));
  allowGiven(scene, file, { pairs: allowed }, robot);
  groundsOf.set(scene, { robot: groundsOf.get(scene)?.robot ?? [], file: assumed });
  return value.description;
}

/** Errors of which their reader does not say what they do to an answer. */
function droppedBy(issues: readonly Issue[]): Assumption[] {
  return toAssumptions(
    issues.flatMap((issue) =>
      issue.severity === 'error' && !issue.assumes ? [{ ...issue, assumes: 'dropped' as const }] : [],
    ),
  );
}

async function addPlacedRobot(
  scene: Scene,
  placed: PlacedRobotDescription,
  files: ReadonlyMap<string, string>,
  args: RobotArguments,
): Promise<Assumption[]> {
  const file = files.get(placed.file);
  if (!file) throw new UsageError(`robot "${placed.name}": file "${placed.file}" is not found`);
  const srdf = placed.srdf === undefined ? undefined : files.get(placed.srdf);
  const own: RobotArguments = { ...args, srdf, base: 'fixed', geometry: args.geometry ?? 'collision' };
  const loaded = await loadRobotArgument(file, own, { meshes: true });
  const robot = addRobot(scene, {
    ...loaded,
    name: placed.name,
    placement: placed.pose,
    geometry: own.geometry,
    meshMode: meshMode(args),
  });
  const assumed = robotGrounds(robot, loaded, file, own);
  if (placed.q !== undefined) setConfiguration(robot, parseConfiguration(loaded, placed.q, null));
  return assumed;
}
