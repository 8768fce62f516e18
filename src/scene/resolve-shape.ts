/** Turns shape descriptions (file names) into shapes (loaded files), sharing one copy per file and what is made of it. */

import { voxelizePoints } from '../geometry/octree.js';
import { applyScale } from '../geometry/scale-mesh.js';
import type { NumericShape } from '../geometry/shapes/operations.js';
import type { Compound, MeshMode, Octree, Shape, Triple } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireList, requireMap, requireObject, requireOneOf } from '../math/arguments.js';
import type {
  CompoundDescription,
  ConvexFile,
  HeightRows,
  MeshFile,
  OctreeFile,
  PointsFile,
  ShapeDescription,
} from './description.js';

export interface ShapeResolver {
  /** Undefined when a file of the shape is not loaded (it was missing or broken), or holds points where a map is asked for. */
  resolve(shape: ShapeDescription): Shape | undefined;
}

/** What octree and points shapes name: an occupancy map, or points, 3 numbers each. */
export type CloudContent = Octree | Float64Array;

export type FileShape = (MeshFile | ConvexFile | OctreeFile | PointsFile) & { readonly file: string };

/** The shapes that name a file: the shape itself, or those in a compound. */
export function listFileShapes(shape: ShapeDescription): FileShape[] {
  requireObject('listFileShapes', 'shape', shape, 'a shape');
  if (shape.type === 'compound') requireList('listFileShapes', 'shape.children', shape.children);
  if (shape.type === 'compound') return shape.children.flatMap((child) => listFileShapes(child.shape));
  return 'file' in shape && shape.file !== undefined ? [shape as FileShape] : [];
}

/**
 * `meshes` and `clouds` map file names, as written in the descriptions, to what was loaded; `mode` overrides every mesh's
 * mode, `solid` that of watertight ones.
 */
export function createShapeResolver(
  meshes: ReadonlyMap<string, TriangleMesh>,
  mode?: MeshMode,
  clouds: ReadonlyMap<string, CloudContent> = new Map(),
): ShapeResolver {
  requireMap('createShapeResolver', 'meshes', meshes);
  if (mode !== undefined) requireOneOf('createShapeResolver', 'mode', mode, ['surface', 'solid']);
  requireMap('createShapeResolver', 'clouds', clouds);
  const shapes = new Map<string, Shape>();
  const scaledMesh = (file: string, scale: Triple | undefined): TriangleMesh | undefined => {
    const mesh = meshes.get(file);
    return mesh && scale ? applyScale(mesh, scale) : mesh;
  };
  const resolveFile = (key: string, build: () => Shape | undefined): Shape | undefined => {
    const known = shapes.get(key);
    if (known) return known;
    const shape = build();
    if (shape) shapes.set(key, shape);
    return shape;
  };
  const resolveMesh = ({ file, scale, mode: own }: MeshFile): Shape | undefined => {
    // Left to the mesh, "solid" means: where it is watertight.
    const wanted = mode === 'solid' ? undefined : (mode ?? own);
    return resolveFile(`mesh ${wanted} ${scale ?? ''} ${file}`, () => {
      const mesh = scaledMesh(file, scale);
      return mesh && { type: 'mesh', mesh, mode: wanted };
    });
  };
  const resolveConvex = ({ file, points, scale }: ConvexFile): Shape | undefined => {
    if (points) return { type: 'convex', points: Float64Array.from(points.flat()) };
    if (!file) return undefined;
    return resolveFile(`convex ${scale ?? ''} ${file}`, () => {
      const mesh = scaledMesh(file, scale);
      return mesh && { type: 'convex', points: mesh.vertices };
    });
  };
  const resolveOctree = ({ file, resolution, cells }: OctreeFile): Shape | undefined => {
    if (cells && resolution !== undefined) return { type: 'octree', resolution, cells: Int32Array.from(cells.flat()) };
    if (!file) return undefined;
    return resolveFile(`octree ${resolution} ${file}`, () => {
      const content = clouds.get(file);
      if (!(content instanceof Float64Array)) return content;
      return resolution === undefined ? undefined : voxelizePoints(content, resolution);
    });
  };
  const resolvePoints = ({ file, points, radius }: PointsFile): Shape | undefined => {
    if (points) return { type: 'points', points: Float64Array.from(points.flat()), radius };
    if (!file) return undefined;
    return resolveFile(`points ${radius} ${file}`, () => {
      const content = clouds.get(file);
      return content instanceof Float64Array ? { type: 'points', points: content, radius } : undefined;
    });
  };
  const resolveCompound = ({ children }: CompoundDescription): Shape | undefined => {
    const resolved: Compound['children'][number][] = [];
    for (const { shape, pose } of children) {
      const own = resolve(shape);
      if (!own) return undefined;
      resolved.push({ shape: own, pose });
    }
    return { type: 'compound', children: resolved };
  };
  const resolve = (shape: ShapeDescription): Shape | undefined => {
    switch (shape.type) {
      case 'mesh':
        return resolveMesh(shape);
      case 'convex':
        return resolveConvex(shape);
      case 'octree':
        return resolveOctree(shape);
      case 'points':
        return resolvePoints(shape);
      case 'heightfield':
        return resolveHeights(shape);
      case 'compound':
        return resolveCompound(shape);
      default:
        return shape satisfies NumericShape;
    }
  };
  return { resolve };
}

function resolveHeights({ heights, spacing, floor }: HeightRows): Shape {
  return {
    type: 'heightfield',
    rows: heights.length,
    columns: heights[0]?.length ?? 0,
    heights: Float64Array.from(heights.flat()),
    spacing,
    floor,
  };
}
