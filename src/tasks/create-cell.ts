/**
 * A scene from what loaders gave: a robot with its model, and a scene file's objects, robots, attachments and allowed pairs.
 *
 * What cannot be placed is left out, and every answer says so (`complete` false, `assumed`). Names that mean nothing, and
 * poses or joint values that are none, are misuse; then no scene is left behind.
 * Tested by test/contract/cells.test.ts and test/contract/scene-assumptions.test.ts.
 */
import type { MeshMode } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import {
  type Fields,
  oneOf,
  requireFields,
  requireFinite,
  requireFunction,
  requireList,
  requireMap,
  requireObject,
  unchecked,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { type BuildModelOptions, buildModel } from '../model/build-model.js';
import type { Model } from '../model/model.js';
import { configurationFromNamed, describeProblem } from '../model/named-configuration.js';
import { allowPairs } from '../scene/allow-pairs.js';
import { assumeOf } from '../scene/assumptions.js';
import { attachObject } from '../scene/attach.js';
import type {
  Assumption,
  AttachedDescription,
  PlacedRobotDescription,
  SceneDescription,
} from '../scene/description.js';
import { type CloudContent, createShapeResolver } from '../scene/resolve-shape.js';
import { addRobot, type RobotOptions, setConfiguration } from '../scene/robot.js';
import { addObject, createScene, disposeScene, type SceneOptions } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findNamedState } from '../semantics/named-states.js';

/** What `loadRobot` gives, with how its model is built and its geometry is taken. */
export interface CellRobot extends Omit<RobotOptions, 'model'>, BuildModelOptions {
  /** Built of the description already, then with its issues among `issues`. Default: built by the options here. */
  readonly model?: Model;
}

/** What `loadScene` gives. */
export interface CellContent {
  readonly description: SceneDescription;
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  /** Occupancy maps and points, by file name as written. */
  readonly clouds?: ReadonlyMap<string, CloudContent>;
}

export interface PlaceOptions {
  /** Whom `attached` entries and bare link names mean; default: the only robot of the scene. */
  readonly robot?: SceneRobot;
  /** Loaded robots of the description by their names there. */
  readonly robots?: ReadonlyMap<string, CellRobot>;
  /** Of meshes that do not state their own. */
  readonly meshMode?: MeshMode;
  /**
   * Told of every object, attachment and list of allowed pairs that is misuse; the entry is left out then and the rest is placed.
   * Without it the first one throws.
   */
  readonly onFault?: (element: string, message: string) => void;
}

export interface CellOptions extends SceneOptions, Pick<PlaceOptions, 'robots' | 'meshMode'> {
  readonly robot?: CellRobot;
  readonly around?: CellContent;
}

export interface Cell {
  readonly scene: Scene;
  /** The one given as `robot`, else the first of `around`; null without one. */
  readonly robot: SceneRobot | null;
}

const CELL: Fields = {
  margin: requireFinite,
  prepared: requireMap,
  robot: requireObject,
  around: requireObject,
  robots: requireMap,
  meshMode: oneOf('surface', 'solid'),
};
const PLACE: Fields = {
  robot: unchecked,
  robots: requireMap,
  meshMode: oneOf('surface', 'solid'),
  onFault: requireFunction,
};

export function createCell(options: CellOptions & { readonly robot: CellRobot }): Cell & { readonly robot: SceneRobot };
export function createCell(options: CellOptions): Cell;
export function createCell(options: CellOptions): Cell {
  requireFields('createCell', 'options', options, CELL);
  const { robot: given, around, robots, meshMode, margin, prepared } = options;
  const scene = createScene({ margin, prepared });
  try {
    const robot = given ? addCellRobot(scene, { meshMode, ...given }) : undefined;
    if (around) placeDescription(scene, around, { robot, robots, meshMode });
    return { scene, robot: robot ?? scene.robots[0] ?? null };
  } catch (error) {
    disposeScene(scene);
    throw error;
  }
}

/** Builds the model and adds the robot. What building found stands in answers as what loading found does. */
export function addCellRobot(scene: Scene, given: CellRobot): SceneRobot {
  requireObject('addCellRobot', 'robot', given, 'what loadRobot returned as value');
  const { base, mimic, continuous, model: built, ...robot } = given;
  requireObject('addCellRobot', 'robot.description', robot.description, 'a robot description');
  if (built) return addRobot(scene, { ...robot, model: built });
  const { model, issues } = buildModel(robot.description.model, { base, mimic, continuous });
  return addRobot(scene, { ...robot, model, issues: [...(robot.issues ?? []), ...issues] });
}

/**
 * Adds what a scene file describes. Returns what was left out or guessed, which the scene's answers say too; nothing is
 * missing when the list is empty.
 */
export function placeDescription(scene: Scene, content: CellContent, options: PlaceOptions = {}): Assumption[] {
  const call = 'placeDescription';
  requireFields(call, 'options', options, PLACE);
  requireObject(call, 'content', content, 'what loadScene returned as value');
  requireObject(call, 'content.description', content.description, 'a scene description');
  for (const key of ['objects', 'robots', 'attached'] as const)
    requireList(call, `content.description.${key}`, content.description[key]);
  requireMap(call, 'content.meshes', content.meshes);
  const { description, meshes, clouds } = content;
  const { robot, robots = new Map<string, CellRobot>(), meshMode, onFault } = options;
  const assumed: Assumption[] = [...(description.assumed ?? [])];
  const leaveOut = (element: string, message: string): void => {
    assumed.push({ kind: 'dropped', element, message });
  };
  const attempt = (element: string, act: () => void, left: typeof leaveOut = leaveOut): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof MisuseError)) throw error;
      const message = error.message.replace(`${call}: `, '');
      if (!onFault) throw new MisuseError(`${call}: ${element}: ${message}`, { cause: error });
      onFault(element, message);
      left(element, message);
    }
  };
  const resolver = createShapeResolver(meshes, meshMode, clouds);
  for (const { name, shape: described, pose, margin } of description.objects) {
    const shape = resolver.resolve(described);
    const element = `object "${name}"`;
    const isEmpty = shape?.type === 'mesh' && shape.mesh.triangles.length === 0;
    if (shape && !isEmpty) attempt(element, () => addObject(scene, { name, shape, pose, margin }));
    else leaveOut(element, isEmpty ? 'its mesh has no triangles' : 'a file of its shape is not loaded');
  }
  for (const placed of description.robots) {
    const loaded = robots.get(placed.name);
    if (loaded) placeRobotOf(scene, placed, { meshMode, ...loaded });
    else leaveOut(`robot "${placed.name}"`, `its file "${placed.file}" is not loaded`);
  }
  // An object that was left out, and that is said, holds nothing.
  for (const attached of description.attached)
    if (scene.objects.has(attached.object))
      attempt(`attached object "${attached.object}"`, () => attachDescribed(scene, attached, robot));
  const pairs = (description.allowed ?? []).map((pair) => ({ ...pair, reason: 'user' as const }));
  // None of them is allowed then, which can only make more pairs touch.
  attempt(
    'allowed pairs',
    () => allowPairs(scene, pairs, { robot }),
    () => undefined,
  );
  assumeOf(scene, assumed);
  return assumed;
}

function placeRobotOf(scene: Scene, { name, pose, q }: PlacedRobotDescription, loaded: CellRobot): void {
  const robot = addCellRobot(scene, { ...loaded, name, placement: pose });
  if (q === undefined) return;
  const { model, semantic } = robot;
  if (typeof q === 'string') setConfiguration(robot, findNamedState(model, semantic, q));
  else if (!Array.isArray(q)) setConfiguration(robot, configurationFromNamed(model, q as Record<string, number>));
  else {
    const problem = describeProblem(model, q);
    if (problem !== null) throw new MisuseError(`placeDescription: q of robot "${name}", ${problem}`);
    setConfiguration(robot, q);
  }
}

/** Without a pose the object hangs where it stands in the world while the robot stands as it was placed. */
export function attachDescribed(
  scene: Scene,
  { object, link, touchLinks, pose, mass }: AttachedDescription,
  robot: SceneRobot | undefined,
): void {
  const holder = robot ?? findHolder(scene, link);
  const own = (name: string): string => linkName(holder, name);
  attachObject(scene, scene.objects.get(object)!, {
    robot: holder,
    link: own(link),
    touchLinks: touchLinks.map(own),
    placement: pose,
    mass,
  });
}

/** The only robot, the one that the name begins with, or the only one that has a link of this name. */
function findHolder({ robots }: Scene, link: string): SceneRobot {
  if (robots.length === 1) return robots[0];
  const named = robots.filter(({ name }) => link.startsWith(`${name}/`));
  const holders = named.length > 0 ? named : robots.filter((robot) => hasLink(robot, link));
  if (holders.length === 1) return holders[0];
  const many = holders.map(({ name }) => `"${name}"`).join(' and ');
  throw new MisuseError(
    `placeDescription: link, got "${link}" ${many === '' ? 'of no robot of the scene' : `of the robots ${many}`}, expected ROBOT/LINK`,
  );
}

function hasLink(robot: SceneRobot, name: string): boolean {
  return robot.description.model.links.some((link) => link.name === name);
}

/** A link's own name: scene files may write it as `robot/link`. */
function linkName(robot: SceneRobot, name: string): string {
  return !hasLink(robot, name) && name.startsWith(`${robot.name}/`) ? name.slice(robot.name.length + 1) : name;
}
