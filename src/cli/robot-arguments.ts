/** Options of commands that take a robot, and the scene they build from them. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { formatIssue, type Issue } from '../io/issue.js';
import { suggestName } from '../math/suggest-name.js';
import { buildModel } from '../model/build-model.js';
import type { Model } from '../model/model.js';
import { type LoadRobotOptions, loadRobot } from '../node/load-robot.js';
import type { AllowedPair } from '../scene/allowed-collisions.js';
import { assumptionsOfIssues } from '../scene/assumptions.js';
import type { RobotDescription } from '../scene/description.js';
import { assumeInertias } from '../scene/inertia-assumptions.js';
import type { SemanticDescription } from '../semantics/description.js';
import { UsageError } from './exit.js';
import { type GroundFields, requireSound, toGroundFields } from './grounds.js';
import { requireFolderOf, requireReadable } from './json-lines.js';
import { addMeshModes, addMeshReading, type MeshArguments } from './mesh-arguments.js';
import { report } from './messages.js';
import { parseNumber } from './number-arguments.js';

export interface RobotArguments extends MeshArguments {
  readonly srdf?: string;
  readonly package?: string[];
  readonly packagePath?: string[];
  readonly xacroArg?: string[];
  readonly geometry?: 'collision' | 'visual' | 'spheres';
  readonly spheres?: string;
  readonly acm?: string;
  readonly acmOnly?: boolean;
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

export const collect = (value: string, all: string[] = []): string[] => [...all, value];

const packageOptions = (command: Command): Command =>
  command
    .option('--package <name=dir>', 'where package://NAME lies (repeatable)', collect)
    .option('--package-path <dir>', 'folder searched for packages (repeatable)', collect);

/** Options of finding and reading a robot's files. */
export function addRobotFileOptions(command: Command): Command {
  command.option('--srdf <file>', 'semantic description: groups, states, disabled pairs');
  return packageOptions(command)
    .option('--xacro-arg <name=value>', 'argument of a xacro file (repeatable)', collect)
    .option('--allow-missing', 'go on although something could not be read; answers say so ("complete":false)');
}

/** Options of a robot argument of which the mechanism alone counts. */
export function addModelOptions(command: Command, { state = true, grounds = true } = {}): Command {
  command.option('--srdf <file>', 'semantic description: groups, states, disabled pairs');
  packageOptions(command)
    .option('--xacro-arg <name=value>', 'argument of a xacro file (repeatable)', collect)
    .addOption(new Option('--mimic <mode>', 'mimic joints').choices(['honour', 'ignore']).default('honour'))
    .addOption(
      new Option('--base <joint>', 'how the root is held').choices(['fixed', 'floating', 'planar']).default('fixed'),
    )
    .addOption(
      new Option('--continuous <form>', 'coordinates of continuous joints')
        .choices(['angle', 'cos-sin'])
        .default('angle'),
    );
  if (grounds)
    command.option('--allow-missing', 'go on although something could not be read; answers say so ("complete":false)');
  if (state)
    command
      .option('--group <name>', 'SRDF group: q holds its joints, the others keep --state')
      .option('--state <q>', 'configuration of the joints that q leaves out: SRDF state, or JSON');
  return command;
}

/** Options of a robot argument whose geometry counts too. `allowed`: false hides those of allowed pairs, which are then refused. */
export function addRobotOptions(command: Command, { state = true, allowed = true } = {}): Command {
  addMeshReading(addMeshModes(command))
    .addOption(
      new Option('--geometry <kind>', 'what collides').choices(['collision', 'visual', 'spheres']).default('collision'),
    )
    .option(
      '--spheres <file>',
      'sphere model, as `spheres` writes it: JSON {"link":[[x,y,z,r],...]}, YAML or SRDF; for --geometry spheres',
    )
    .addOption(
      new Option(
        '--acm <file>',
        'allowed pairs as JSON, of links and objects, besides SRDF pairs and adjacency; alone if it lists linksWithGeometry',
      ).hideHelp(!allowed),
    )
    .addOption(
      new Option('--acm-only', 'only the pairs of --acm, without those of the SRDF and adjacent links').hideHelp(
        !allowed,
      ),
    );
  return addModelOptions(command, { state });
}

/** Options of a scene file that stands beside the robots. */
export function addSceneFileOptions(command: Command): Command {
  return command
    .option('--scene <file>', 'scene file with objects')
    .option('--allow-outside', 'scene files may name meshes outside their folder');
}

/** `margin`: false for a command whose answers do not depend on it; it is then refused, and not in the help. */
export function addSceneOptions(command: Command, { margin = true } = {}): Command {
  const option = new Option(
    '--margin <metres>',
    'pairs closer than this count as contacts; negative allows that much penetration',
  ).argParser(parseNumber('--margin'));
  return addSceneFileOptions(addRobotOptions(command))
    .addOption(option.hideHelp(!margin))
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

/** What of a robot's geometry a command depends on, as attribute names. */
export const GEOMETRY_OPTIONS = [
  'geometry',
  'spheres',
  'acm',
  'acmOnly',
  'solid',
  'surface',
  'upAxis',
  'unit',
  'weld',
  'fillHoles',
];
export const SCENE_OPTIONS = ['scene', 'allowOutside', 'margin', 'adjacent'];

export interface LoadedRobot {
  readonly description: RobotDescription;
  readonly semantic: SemanticDescription | null;
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  readonly model: Model;
  readonly issues: readonly Issue[];
}

/** What answers about the mechanism alone rest on; throws where they could be wrong. */
export function modelGrounds(file: string, { issues }: LoadedRobot, args: RobotArguments): GroundFields {
  requireSound(file, issues, args);
  return toGroundFields(assumptionsOfIssues(issues));
}

/** See inertia-assumptions.ts. */
export function inertiaGrounds({ issues, model }: Pick<LoadedRobot, 'issues' | 'model'>): GroundFields {
  return toGroundFields(assumeInertias(model, issues));
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
  if (args.srdf !== undefined) requireReadable(args.srdf);
  const packages = splitPairs('--package', args.package);
  for (const [name, folder] of Object.entries(packages)) requireFolderOf(`--package ${name}=`, folder);
  for (const folder of args.packagePath ?? []) requireFolderOf('--package-path ', folder);
  return {
    srdf: args.srdf,
    packages,
    packagePaths: args.packagePath,
    xacroArgs: splitPairs('--xacro-arg', args.xacroArg),
    upAxis: args.upAxis,
    unit: args.unit,
    weld: args.weld,
    fillHoles: args.fillHoles,
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

const MATRIX_KEYS: readonly string[] = ['allowed', 'pairs', 'linksWithGeometry'];

/**
 * `{"allowed":[{"pair":[a,b],"reasons":[...]}]}`, or a plain list of such entries or of name pairs. A file that names the links
 * it decides on (`linksWithGeometry`) is a whole matrix: its pairs alone are skipped, as with `--acm-only`.
 */
export function readAllowedPairs(file: string, isAlone = false): { pairs: AllowedPair[]; replace: boolean } {
  const content = readJson('--acm', file) as { allowed?: unknown; pairs?: unknown; linksWithGeometry?: unknown };
  const list = Array.isArray(content) ? content : (content?.allowed ?? content?.pairs);
  if (!Array.isArray(list))
    throw new UsageError(`--acm ${file}: expected {"allowed":[{"pair":["a","b"]}, ...]} or a list of name pairs`);
  if (!Array.isArray(content)) {
    // Other programs' keys are theirs; one that a letter makes into ours would turn a whole matrix into an addition.
    const missing = MATRIX_KEYS.filter((key) => !Object.hasOwn(content, key));
    for (const key of Object.keys(content)) {
      const meant = MATRIX_KEYS.includes(key) ? null : suggestName(key, missing);
      if (meant !== null) throw new UsageError(`--acm ${file}: unknown key "${key}" (did you mean "${meant}"?)`);
    }
  }
  const pairs = list.map((entry: unknown, k): AllowedPair => {
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
  return { pairs, replace: isAlone || Array.isArray(content?.linksWithGeometry) };
}

export async function readSpheres(file: string): Promise<SemanticDescription['spheres']> {
  const { readSphereFile } = await import('./sphere-files.js');
  return readSphereFile('--spheres', file);
}
