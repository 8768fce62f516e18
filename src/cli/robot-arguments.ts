/** Options of commands that take a robot, and the scene they build from them. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { formatIssue, type Issue } from '../io/issue.js';
import { buildModel } from '../model/build-model.js';
import type { Model } from '../model/model.js';
import { type LoadRobotOptions, loadRobot } from '../node/load-robot.js';
import { loadScene } from '../node/load-scene.js';
import { allowPairs } from '../scene/allow-pairs.js';
import type { AllowedPair } from '../scene/allowed-collisions.js';
import { attachObject } from '../scene/attach.js';
import type {
  PlacedRobotDescription,
  RobotDescription,
  SceneDescription,
  SemanticDescription,
} from '../scene/description.js';
import { createShapeResolver } from '../scene/resolve-shape.js';
import { addRobot, type SceneRobot, setConfiguration } from '../scene/robot.js';
import { addObject, createScene, type Scene } from '../scene/scene.js';
import { type GroupSelection, parseConfiguration, selectGroup } from './configuration-argument.js';
import { UsageError } from './exit.js';
import { addMeshOptions, type MeshArguments, meshMode } from './mesh-arguments.js';
import { report, warn } from './messages.js';
import { parseNumber } from './number-arguments.js';
import { parseConfigurationText } from './state-arguments.js';

export interface RobotArguments extends MeshArguments {
  readonly srdf?: string;
  readonly package?: string[];
  readonly packagePath?: string[];
  readonly xacroArg?: string[];
  readonly geometry?: 'collision' | 'visual' | 'spheres';
  readonly spheres?: string;
  readonly acm?: string;
  readonly mimic?: 'honour' | 'ignore';
  readonly base?: 'fixed' | 'floating' | 'planar';
  readonly continuous?: 'angle' | 'cos-sin';
  readonly group?: string;
  readonly state?: string;
  readonly scene?: string;
  readonly allowOutside?: boolean;
  readonly margin?: number;
  readonly adjacent?: boolean;
  readonly allowMissing?: boolean;
}

const collect = (value: string, all: string[] = []): string[] => [...all, value];

/**
 * Options of a robot argument. Commands that need no collision geometry accept the whole set too, so that one command line
 * serves all of them, and leave what has no effect out of their help.
 */
export function addRobotOptions(command: Command, { collision = true } = {}): Command {
  const shown = command.options.length;
  addMeshOptions(command)
    .addOption(
      new Option('--geometry <kind>', 'what collides').choices(['collision', 'visual', 'spheres']).default('collision'),
    )
    .option('--spheres <file>', 'sphere model as JSON {"link":[[x,y,z,r],...]}, for --geometry spheres')
    .option('--acm <file>', 'allowed pairs as JSON, of links and objects, besides SRDF pairs and adjacency')
    .option('--allow-missing', 'go on without collision meshes that cannot be loaded (their links cannot collide)');
  for (const option of command.options.slice(shown)) option.hideHelp(!collision);
  return command
    .option('--srdf <file>', 'semantic description: groups, states, disabled pairs')
    .option('--package <name=dir>', 'where package://NAME lies (repeatable)', collect)
    .option('--package-path <dir>', 'folder searched for packages (repeatable)', collect)
    .option('--xacro-arg <name=value>', 'argument of a xacro file (repeatable)', collect)
    .addOption(new Option('--mimic <mode>', 'mimic joints').choices(['honour', 'ignore']).default('honour'))
    .addOption(
      new Option('--base <joint>', 'how the root is held').choices(['fixed', 'floating', 'planar']).default('fixed'),
    )
    .addOption(
      new Option('--continuous <form>', 'coordinates of continuous joints')
        .choices(['angle', 'cos-sin'])
        .default('angle'),
    )
    .option('--group <name>', 'SRDF group: q holds its joints, the others keep --state')
    .option('--state <q>', 'configuration of the joints that q leaves out: SRDF state, or JSON');
}

/** Options of a scene file that stands beside the robots. */
export function addSceneFileOptions(command: Command): Command {
  return command
    .option('--scene <file>', 'scene file with objects')
    .option('--allow-outside', 'scene files may name meshes outside their folder');
}

export function addSceneOptions(command: Command): Command {
  return addSceneFileOptions(addRobotOptions(command))
    .option(
      '--margin <metres>',
      'pairs closer than this count as contacts; negative allows that much penetration',
      parseNumber('--margin'),
    )
    .option('--adjacent', 'check adjacent links too');
}

/** `--depth`: how the depth of an overlap is found where a shape is not convex. `kinds` are in order of cost. */
export function addDepthOption(command: Command, kinds: readonly string[] = ['hull', 'exact'], note = ''): Command {
  return command.addOption(
    new Option(
      '--depth <kind>',
      `depth of overlaps of shapes that are not convex: ${kinds.includes('none') ? 'none (names only), ' : ''}hull (that of their convex hulls, fast) or exact (the shortest way out, milliseconds each); default hull${note}`,
    ).choices(kinds),
  );
}

export interface LoadedRobot {
  readonly description: RobotDescription;
  readonly semantic: SemanticDescription | null;
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  readonly model: Model;
  readonly issues: readonly Issue[];
}

function splitPairs(option: string, entries: readonly string[] = []): Record<string, string> {
  const out: Record<string, string> = {};
  for (const entry of entries) {
    const at = entry.indexOf('=');
    if (at < 1) throw new UsageError(`${option} "${entry}": expected NAME=VALUE`);
    out[entry.slice(0, at)] = entry.slice(at + 1);
  }
  return out;
}

export interface LoadRobotSettings {
  /** Meshes are not needed for kinematics alone. */
  readonly meshes: boolean;
}

/** What finding and reading a robot's files needs. */
export function robotFileOptions(args: RobotArguments): LoadRobotOptions {
  return {
    srdf: args.srdf,
    packages: splitPairs('--package', args.package),
    packagePaths: args.packagePath,
    xacroArgs: splitPairs('--xacro-arg', args.xacroArg),
    upAxis: args.upAxis,
    unit: args.unit,
  };
}

/** Loads the robot; warnings go to standard error, an unusable file throws. */
export async function loadRobotArgument(
  file: string,
  args: RobotArguments,
  settings: LoadRobotSettings,
): Promise<LoadedRobot> {
  const loaded = await loadRobot(file, {
    ...robotFileOptions(args),
    geometry: settings.meshes ? args.geometry : 'none',
  });
  const { value, issues } = loaded;
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  const built = buildModel(value.description.model, {
    base: args.base,
    mimic: args.mimic,
    continuous: args.continuous,
  });
  const all = [...issues, ...built.issues.map((issue) => ({ file, ...issue }))];
  for (const issue of all) report(issue);
  if (args.srdf !== undefined && !value.semantic) throw new UsageError(`--srdf ${args.srdf}: unusable, see above`);
  return { ...value, model: built.model, issues: all };
}

function readJson(option: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${option} ${file}: ${(error as Error).message}`);
  }
}

/** `{"allowed":[{"pair":[a,b],"reasons":[...]}]}`, or a plain list of such entries or of name pairs. */
export function readAllowedPairs(file: string): AllowedPair[] {
  const content = readJson('--acm', file) as { allowed?: unknown; pairs?: unknown };
  const list = Array.isArray(content) ? content : (content?.allowed ?? content?.pairs);
  if (!Array.isArray(list))
    throw new UsageError(`--acm ${file}: expected {"allowed":[{"pair":["a","b"]}, ...]} or a list of name pairs`);
  return list.map((entry: unknown, k) => {
    const { pair, a, b, reasons, reason } = (Array.isArray(entry) ? { pair: entry } : (entry ?? {})) as Record<
      string,
      unknown
    >;
    const names = Array.isArray(pair) ? pair : [a, b];
    if (names.length !== 2 || names.some((name) => typeof name !== 'string'))
      throw new UsageError(`--acm ${file}: entry ${k}: expected two link names`);
    const note = Array.isArray(reasons) ? reasons.join(', ') : typeof reason === 'string' ? reason : undefined;
    return { a: names[0], b: names[1], reason: 'user', note };
  });
}

export function readSpheres(file: string): SemanticDescription['spheres'] {
  const content = readJson('--spheres', file);
  if (content === null || typeof content !== 'object' || Array.isArray(content))
    throw new UsageError(`--spheres ${file}: expected {"link":[[x,y,z,r], ...], ...}`);
  const spheres = new Map<string, { center: [number, number, number]; radius: number }[]>();
  for (const [link, list] of Object.entries(content)) {
    if (
      !Array.isArray(list) ||
      list.some((s) => !Array.isArray(s) || s.length !== 4 || s.some((n) => !Number.isFinite(n)) || !(s[3] > 0))
    )
      throw new UsageError(`--spheres ${file}: "${link}": expected a list of [x, y, z, r] with r above 0`);
    spheres.set(
      link,
      list.map(([x, y, z, radius]) => ({ center: [x, y, z], radius })),
    );
  }
  return spheres;
}

export interface LoadedScene extends LoadedRobot {
  readonly scene: Scene;
  readonly robot: SceneRobot;
  readonly group: GroupSelection;
  /** Configuration of the joints that q leaves out. */
  readonly rest: Float64Array;
}

function requireMeshes({ missing }: SceneRobot, file: string, args: RobotArguments): void {
  if (missing.length === 0 || args.allowMissing) return;
  const links = [...new Set(missing.map(({ link }) => link))].join(', ');
  throw new UsageError(
    `${file}: ${missing.length} meshes could not be loaded (links ${links}), so a verdict could be wrong; ` +
      'see the messages above, name packages with --package NAME=DIR, or go on without them with --allow-missing',
  );
}

/** The robot in its scene, ready for queries. */
export async function loadSceneArguments(file: string, args: RobotArguments): Promise<LoadedScene> {
  const loaded = await loadRobotArgument(file, args, { meshes: true });
  const scene = createScene({ margin: args.margin ?? 0 });
  const spheres = args.spheres ? readSpheres(args.spheres) : undefined;
  const robot = addRobot(scene, {
    ...loaded,
    geometry: args.geometry,
    spheres,
    meshMode: meshMode(args),
    checkAdjacent: args.adjacent,
  });
  requireMeshes(robot, file, args);
  if (robot.links.length === 0)
    warn(`warning: ${file}: no link has ${args.geometry ?? 'collision'} geometry, so nothing of the robot can collide`);
  if (args.scene) await addSceneFile(scene, args.scene, args, robot);
  // After the scene's objects, which pairs may name.
  if (args.acm) {
    try {
      allowPairs(scene, readAllowedPairs(args.acm), { robot });
    } catch (error) {
      throw new UsageError(`--acm ${args.acm}: ${(error as Error).message}`);
    }
  }
  const group = selectGroup(loaded, args.group);
  const rest = parseConfiguration(loaded, args.state === undefined ? [] : parseConfigurationText(args.state), null);
  return { ...loaded, scene, robot, group, rest };
}

/** Adds the objects of a scene file; `attached` entries hang on `robot`. */
export async function addSceneFile(
  scene: Scene,
  file: string,
  args: RobotArguments,
  robot: SceneRobot | null,
): Promise<SceneDescription> {
  const { value, issues } = await loadScene(file, {
    allowOutside: args.allowOutside,
    upAxis: args.upAxis,
    unit: args.unit,
  });
  for (const issue of issues) if (issue.severity !== 'error') report(issue);
  if (!value || issues.some(({ severity }) => severity === 'error'))
    throw new UsageError(
      issues
        .filter(({ severity }) => severity === 'error')
        .map(formatIssue)
        .join('\n') || `${file}: unreadable`,
    );
  const resolver = createShapeResolver(value.meshes, meshMode(args), value.clouds);
  for (const object of value.description.objects) {
    const shape = resolver.resolve(object.shape);
    if (!shape) throw new UsageError(`${file}: object "${object.name}": a file of its shape is not loaded`);
    if (shape.type === 'mesh' && shape.mesh.triangles.length === 0)
      throw new UsageError(`${file}: object "${object.name}": its mesh has no triangles; remove it or export it again`);
    addObject(scene, { name: object.name, shape, pose: object.pose, margin: object.margin });
  }
  for (const placed of value.description.robots) await addPlacedRobot(scene, placed, value.files, args);
  for (const { object, link, touchLinks } of value.description.attached) {
    const held = scene.objects.get(object);
    if (!held) throw new UsageError(`${file}: attached object "${object}" is not among the objects`);
    const holder = robot ?? scene.robots.find(({ name }) => link.startsWith(`${name}/`)) ?? soleRobot(scene);
    if (!holder)
      throw new UsageError(
        `${file}: attached object "${object}": link "${link}" belongs to no robot of the scene, expected ROBOT/LINK`,
      );
    const own = (name: string): string => linkName(holder, name);
    try {
      attachObject(scene, held, { robot: holder, link: own(link), touchLinks: touchLinks.map(own) });
    } catch (error) {
      throw new UsageError(`${file}: attached object "${object}": ${(error as Error).message}`);
    }
  }
  return value.description;
}

function soleRobot(scene: Scene): SceneRobot | undefined {
  return scene.robots.length === 1 ? scene.robots[0] : undefined;
}

/** A link's own name: scene files may write it as `robot/link`. */
function linkName(robot: SceneRobot, name: string): string {
  const isOwn = robot.description.model.links.some((link) => link.name === name);
  return !isOwn && name.startsWith(`${robot.name}/`) ? name.slice(robot.name.length + 1) : name;
}

async function addPlacedRobot(
  scene: Scene,
  placed: PlacedRobotDescription,
  files: ReadonlyMap<string, string>,
  args: RobotArguments,
): Promise<void> {
  const file = files.get(placed.file);
  if (!file) throw new UsageError(`robot "${placed.name}": file "${placed.file}" is not found`);
  const srdf = placed.srdf === undefined ? undefined : files.get(placed.srdf);
  const own: RobotArguments = { ...args, srdf, base: 'fixed', geometry: args.geometry ?? 'collision' };
  const loaded = await loadRobotArgument(file, own, { meshes: true });
  const robot = addRobot(scene, { ...loaded, name: placed.name, placement: placed.pose, meshMode: meshMode(args) });
  requireMeshes(robot, file, args);
  if (placed.q !== undefined) setConfiguration(robot, parseConfiguration(loaded, placed.q, null));
}
