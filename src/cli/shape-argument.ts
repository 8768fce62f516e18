/** Shape arguments: `sphere:0.1`, `box:1,2,3`, `convex:part.stl`, or a mesh file. */

import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { Shape, Triple } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { validateShape } from '../geometry/validate-shape.js';
import { isOctomapFile } from '../io/cloud-file.js';
import { formatIssue, type Parsed } from '../io/issue.js';
import { hypot } from '../math/scalar.js';
import { loadCloud, loadOctree, loadPointCloud } from '../node/load-cloud.js';
import type { ShapeDescription } from '../scene/description.js';
import { type CloudContent, createShapeResolver, listFileShapes } from '../scene/resolve-shape.js';
import { UsageError } from './exit.js';
import type { MeshArguments } from './mesh-arguments.js';
import { loadConvexArgument, loadMeshArgument, meshMode, parseScale, readMesh } from './mesh-arguments.js';
import { report } from './messages.js';
import { splitNumbers } from './number-arguments.js';

const forms: Record<string, { readonly count: number; readonly form: string; readonly build: (n: number[]) => Shape }> =
  {
    sphere: { count: 1, form: 'sphere:r', build: ([radius]) => ({ type: 'sphere', radius }) },
    box: { count: 3, form: 'box:x,y,z', build: (n) => ({ type: 'box', size: n as unknown as Triple }) },
    capsule: { count: 2, form: 'capsule:r,length', build: ([radius, length]) => ({ type: 'capsule', radius, length }) },
    cylinder: {
      count: 2,
      form: 'cylinder:r,length',
      build: ([radius, length]) => ({ type: 'cylinder', radius, length }),
    },
    cone: { count: 2, form: 'cone:r,length', build: ([radius, length]) => ({ type: 'cone', radius, length }) },
    ellipsoid: {
      count: 3,
      form: 'ellipsoid:a,b,c',
      build: (n) => ({ type: 'ellipsoid', semiAxes: n as unknown as Triple }),
    },
    halfspace: {
      count: 4,
      form: 'halfspace:nx,ny,nz,d',
      build: ([x, y, z, offset]) => {
        const n = hypot(x, y, z);
        if (n === 0) throw new UsageError('halfspace: the normal is zero, expected a direction');
        return { type: 'halfspace', normal: [x / n, y / n, z / n], offset: offset / n };
      },
    },
  };

function checkShape(text: string, shape: Shape): Shape {
  try {
    validateShape(shape);
  } catch (error) {
    throw new UsageError(`shape "${text}": ${(error as Error).message.replace(/^\w+: /, '')}`);
  }
  return shape;
}

export async function parseShapeArgument(text: string, options: MeshArguments): Promise<Shape> {
  const colon = text.indexOf(':');
  const head = colon > 0 ? text.slice(0, colon) : '';
  if (head === 'convex') return loadConvexArgument(text.slice(colon + 1), options);
  if (head === 'octree') return loadOctreeArgument(text);
  if (head === 'points') return loadPointsArgument(text);
  const form = forms[head];
  if (form && !existsSync(text)) {
    const numbers = splitNumbers(text.slice(colon + 1));
    if (numbers.length !== form.count || numbers.some((n) => !Number.isFinite(n)))
      throw new UsageError(`shape "${text}": expected ${form.form} with ${form.count} finite numbers`);
    return checkShape(text, form.build(numbers));
  }
  if (!existsSync(text)) {
    const known = Object.values(forms)
      .map(({ form }) => form)
      .join(', ');
    throw new UsageError(
      `shape "${text}": no such file${extname(text) ? '' : `, and not one of ${known}, convex:FILE, octree:FILE[,resolution], points:FILE,radius`}`,
    );
  }
  if (isOctomapFile(text)) return loadOctreeArgument(`octree:${text}`);
  return loadMeshArgument(text, options);
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

function takeValue<T>({ value, issues }: Parsed<T>): T {
  for (const issue of issues) if (value || issue.severity !== 'error') report(issue);
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n'));
  return value;
}

async function loadOctreeArgument(text: string): Promise<Shape> {
  const { file, number } = splitFileNumber(text);
  return takeValue(await loadOctree(file, { resolution: number }));
}

async function loadPointsArgument(text: string): Promise<Shape> {
  const { file, number } = splitFileNumber(text);
  if (number === undefined) throw new UsageError(`shape "${text}": expected points:FILE,radius`);
  return takeValue(await loadPointCloud(file, number));
}

/** The shape of a description in an input line; files are found from the working folder. */
export async function loadShapeDescription(shape: ShapeDescription, args: MeshArguments): Promise<Shape> {
  const meshes = new Map<string, TriangleMesh>();
  const clouds = new Map<string, CloudContent>();
  for (const { type, file } of listFileShapes(shape)) {
    if (type === 'octree' || type === 'points') clouds.set(file, takeValue(await loadCloud(file)));
    else meshes.set(file, await readMesh(file, { ...args, scale: undefined }));
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
