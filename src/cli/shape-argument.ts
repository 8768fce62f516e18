/** Shape arguments: `sphere:0.1`, `box:1,2,3`, `convex:part.stl`, or a mesh file. */
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { NUMERIC_SHAPES } from '../geometry/shapes/index.js';
import type { ShapeField } from '../geometry/shapes/operations.js';
import type { HalfSpace, Shape, Triple } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { validateShape } from '../geometry/validate-shape.js';
import { isOctomapFile } from '../io/cloud/cloud-file.js';
import { parseShapeDescription } from '../io/scene-file.js';
import { suggestionText } from '../math/suggest-name.js';
import { loadCloud, loadOctree, loadPointCloud } from '../node/load-cloud.js';
import type { Assumption, ShapeDescription } from '../scene/description.js';
import { type CloudContent, createShapeResolver, listFileShapes } from '../scene/resolve-shape.js';
import { UsageError } from './exit.js';
import { requireReadable } from './json-lines.js';
import type { MeshArguments } from './mesh-arguments.js';
import { loadConvexArgument, loadMeshArgument, meshMode, parseScale, readMesh, takeWhole } from './mesh-arguments.js';
import { splitNumbers } from './number-arguments.js';

interface ShapeForm {
  readonly count: number;
  readonly form: string;
  readonly build: (numbers: readonly number[]) => Shape;
}

/** `box:x,y,z`: the numbers of a shape that is numbers only, in the order of its fields. */
function createForm(type: string, fields: Readonly<Record<string, ShapeField>>): ShapeForm {
  const names = Object.keys(fields);
  const letters = names.map((name) => fields[name].letters).join(',');
  return {
    count: letters.split(',').length,
    form: `${type}:${letters}`,
    build: (numbers) => {
      let at = 0;
      const take = (name: string): number | readonly number[] => {
        const count = fields[name].letters.split(',').length;
        at += count;
        return count === 1 ? numbers[at - 1] : numbers.slice(at - count, at);
      };
      const shape = { type, ...Object.fromEntries(names.map((name) => [name, take(name)])) } as Shape;
      return shape.type === 'halfspace' ? normalizePlane(shape) : shape;
    },
  };
}

function normalizePlane({ normal: [x, y, z], offset }: HalfSpace): HalfSpace {
  const n = Math.sqrt(x * x + y * y + z * z);
  if (n === 0) throw new UsageError('halfspace: the normal is zero, expected a direction');
  return { type: 'halfspace', normal: [x / n, y / n, z / n], offset: offset / n };
}

const forms: ReadonlyMap<string, ShapeForm> = new Map(
  Object.entries(NUMERIC_SHAPES).map(([type, fields]) => [type, createForm(type, fields)]),
);

function checkShape(text: string, shape: Shape): Shape {
  try {
    validateShape(shape);
  } catch (error) {
    throw new UsageError(`shape "${text}": ${(error as Error).message.replace(/^\w+: /, '')}`);
  }
  return shape;
}

/** What reading the files of a shape altered or guessed is added to `assumed`. */
export async function parseShapeArgument(text: string, options: MeshArguments, assumed: Assumption[]): Promise<Shape> {
  const colon = text.indexOf(':');
  const head = colon > 0 ? text.slice(0, colon) : '';
  if (head === 'convex') return loadConvexArgument(text.slice(colon + 1), options, assumed);
  if (head === 'octree') return loadOctreeArgument(text, assumed);
  if (head === 'points') return loadPointsArgument(text, assumed);
  const form = forms.get(head);
  if (form && !existsSync(text)) {
    const numbers = splitNumbers(text.slice(colon + 1));
    if (numbers.length !== form.count || numbers.some((n) => !Number.isFinite(n)))
      throw new UsageError(`shape "${text}": expected ${form.form} with ${form.count} finite numbers`);
    return checkShape(text, form.build(numbers));
  }
  if (!existsSync(text)) throw new UsageError(describeUnknown(text, head));
  requireReadable(text);
  const extension = extname(text).toLowerCase();
  if (extension === '.json') return loadShapeFile(text, options, assumed);
  if (isOctomapFile(text)) return loadOctreeArgument(`octree:${text}`, assumed);
  if (['.urdf', '.xacro'].includes(extension))
    throw new UsageError(`shape "${text}": a robot, expected a shape; robots are asked by "check" and "distance"`);
  return loadMeshArgument(text, options, assumed);
}

/** What an argument may be besides a mesh file. */
export const SHAPE_FORMS: readonly string[] = [
  ...[...forms.values()].map(({ form }) => form),
  'convex:FILE',
  'octree:FILE[,resolution]',
  'points:FILE,radius',
];

function describeUnknown(text: string, head: string): string {
  const names = SHAPE_FORMS.map((form) => form.split(':')[0]);
  const known = SHAPE_FORMS.join(', ');
  // A word before a colon is meant as a kind of shape, unless it names a drive or a folder.
  if (/^[a-z][\w-]+$/i.test(head))
    return `shape "${text}": got the kind "${head}"${suggestionText(head, names)}, expected a mesh file or one of ${known}`;
  return `shape "${text}": no such file${extname(text) ? '' : `, and not one of ${known}`}`;
}

/** A shape as scene files write it, such as the compound that `decompose` writes. */
async function loadShapeFile(file: string, options: MeshArguments, assumed: Assumption[]): Promise<Shape> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`${file}: not JSON: ${(error as Error).message}`);
  }
  return loadShapeDescription(requireShape(content, file), options, assumed);
}

/** Checks a shape as scene files write it. */
export function requireShape(content: unknown, name: string): ShapeDescription {
  const { value, issues } = parseShapeDescription(content);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (value && errors.length === 0) return value;
  throw new UsageError(
    `shape "${name}": ${errors.map(({ element, message }) => (element ? `${element}: ${message}` : message)).join('; ')}`,
  );
}

/** `FILE,number` after the colon; the number is undefined when there is none. */
function splitFileNumber(text: string): { readonly file: string; readonly number: number | undefined } {
  const rest = text.slice(text.indexOf(':') + 1);
  const comma = rest.lastIndexOf(',');
  if (comma < 0) return { file: rest, number: undefined };
  const number = Number(rest.slice(comma + 1));
  if (!(Number.isFinite(number) && number > 0))
    throw new UsageError(`shape "${text}": expected a positive number after the comma`);
  return { file: rest.slice(0, comma), number };
}

async function loadOctreeArgument(text: string, assumed: Assumption[]): Promise<Shape> {
  const { file, number } = splitFileNumber(text);
  return takeWhole(file, await loadOctree(file, { resolution: number }), assumed);
}

async function loadPointsArgument(text: string, assumed: Assumption[]): Promise<Shape> {
  const { file, number } = splitFileNumber(text);
  if (number === undefined) throw new UsageError(`shape "${text}": expected points:FILE,radius`);
  return takeWhole(file, await loadPointCloud(file, number), assumed);
}

/** The shape of a description in an input line; files are found from the working folder. */
export async function loadShapeDescription(
  shape: ShapeDescription,
  args: MeshArguments,
  assumed: Assumption[],
): Promise<Shape> {
  const meshes = new Map<string, TriangleMesh>();
  const clouds = new Map<string, CloudContent>();
  for (const { type, file } of listFileShapes(shape)) {
    if (type === 'octree' || type === 'points') clouds.set(file, takeWhole(file, await loadCloud(file), assumed));
    else meshes.set(file, await readMesh(file, { ...args, scale: undefined }, assumed));
  }
  const resolved = createShapeResolver(meshes, meshMode(args), clouds).resolve(
    withScale(shape, parseScale(args.scale)),
  );
  if (!resolved) throw new UsageError(`shape ${JSON.stringify(shape)}: a file of it holds nothing of this type`);
  return resolved;
}

/** --scale is for meshes that say no scale of their own. */
function withScale(shape: ShapeDescription, scale: Triple | undefined): ShapeDescription {
  if (!scale) return shape;
  if (shape.type === 'compound')
    return { ...shape, children: shape.children.map((child) => ({ ...child, shape: withScale(child.shape, scale) })) };
  return shape.type === 'mesh' || (shape.type === 'convex' && shape.file)
    ? { ...shape, scale: shape.scale ?? scale }
    : shape;
}
