/** Options of commands that take mesh files: --scale, --solid, --surface, --up-axis, --unit. */
import { type Command, Option } from 'commander';
import { applyScale } from '../geometry/scale-mesh.js';
import type { MeshMode, Shape, Triple } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { formatIssue, type Parsed } from '../io/issue.js';
import { loadMesh } from '../node/load-mesh.js';
import { assumptionsOfIssues } from '../scene/assumptions.js';
import type { Assumption } from '../scene/description.js';
import { UsageError } from './exit.js';
import { report } from './messages.js';
import { parseNumber, splitNumbers } from './number-arguments.js';

export interface MeshArguments {
  readonly scale?: string;
  readonly solid?: boolean;
  readonly surface?: boolean;
  readonly upAxis?: 'file' | 'ignore' | 'x' | 'y' | 'z';
  readonly unit?: string;
  readonly weld?: number;
  readonly fillHoles?: number;
}

/** How mesh files are read, wherever they are named. */
export function addMeshReading(command: Command): Command {
  return command
    .addOption(new Option('--up-axis <axis>', "mesh files' up direction").choices(['file', 'ignore', 'x', 'y', 'z']))
    .option('--unit <unit>', "unit of mesh files: file, metre, millimetre, ... (default: the file's own, else metre)")
    .option(
      '--weld <metres>',
      'vertices of meshes this near to each other are one, which closes gaps',
      parseNumber('--weld', { above: 0 }),
    )
    .option(
      '--fill-holes <metres>',
      'holes of meshes up to this wide are closed by caps, so that their inside counts',
      parseNumber('--fill-holes', { above: 0 }),
    );
}

/** Whether the inside of meshes counts. */
export function addMeshModes(command: Command): Command {
  return command
    .addOption(new Option('--solid', 'watertight meshes are solid: the interior counts').conflicts('surface'))
    .option('--surface', 'meshes are surfaces: only triangles count, containment is free');
}

/** Of meshes that are named on the command line; those of robots and scenes have a scale of their own. */
export function addScaleOption(command: Command): Command {
  return command.option('--scale <factors>', 'multiply mesh vertices: one number, or sx,sy,sz (negative mirrors)');
}

export function addMeshOptions(command: Command): Command {
  return addMeshReading(addMeshModes(addScaleOption(command)));
}

export function meshMode(options: MeshArguments): MeshMode | undefined {
  return options.solid ? 'solid' : options.surface ? 'surface' : undefined;
}

export function parseScale(text: string | undefined): Triple | undefined {
  if (text === undefined) return undefined;
  const numbers = splitNumbers(text);
  if ((numbers.length !== 1 && numbers.length !== 3) || numbers.some((n) => !Number.isFinite(n) || n === 0))
    throw new UsageError(`--scale "${text}": expected one number or sx,sy,sz, none of them 0`);
  return numbers.length === 1 ? [numbers[0], numbers[0], numbers[0]] : [numbers[0], numbers[1], numbers[2]];
}

/**
 * What was read; throws where it could not be, or where something is missing in it, which an answer would not show. What was altered
 * or guessed is added to `assumed`, for the answers.
 */
export function takeWhole<T>(file: string, { value, issues }: Parsed<T>, assumed: Assumption[]): T {
  if (value === null) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  for (const issue of issues) report(issue);
  if (issues.some(({ severity, assumes }) => severity === 'error' || assumes === 'dropped'))
    throw new UsageError(`${file}: not all of it was read, so an answer could be wrong; correct what is said above`);
  assumed.push(...assumptionsOfIssues(issues));
  return value;
}

/** Loads a mesh file with unit, up axis and scale applied; issues go to standard error, a file that is not whole throws. */
export async function readMesh(file: string, options: MeshArguments, assumed: Assumption[]): Promise<TriangleMesh> {
  const { upAxis, unit, weld, fillHoles } = options;
  const value = takeWhole(file, await loadMesh(file, { upAxis, unit, weld, fillHoles }), assumed);
  const scale = parseScale(options.scale);
  return scale ? applyScale(value, scale) : value;
}

export async function loadMeshArgument(file: string, options: MeshArguments, assumed: Assumption[]): Promise<Shape> {
  return { type: 'mesh', mesh: await readMesh(file, options, assumed), mode: meshMode(options) };
}

export async function loadConvexArgument(file: string, options: MeshArguments, assumed: Assumption[]): Promise<Shape> {
  return { type: 'convex', points: (await readMesh(file, options, assumed)).vertices };
}
