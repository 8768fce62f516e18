/** Occupancy maps and point clouds from disk: OctoMap .bt, PCD, and PLY files for their vertices. */

import { voxelizePoints } from '../geometry/octree.js';
import type { Octree, PointCloud } from '../geometry/shapes.js';
import { type CloudReadOptions, isOctomapFile, parseCloud, parsePoints } from '../io/cloud/cloud-file.js';
import { type OctomapContent, octomapShape, parseOctomap } from '../io/cloud/octomap.js';
import { requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { DEFAULT_MAXIMUM_MESH_BYTES } from '../io/mesh/mesh-content.js';
import { type Fields, oneOf, requireNotNegative, requirePositive } from '../math/arguments.js';
import type { CloudContent } from '../scene/resolve-shape.js';
import { readBytes } from './load-mesh.js';

export interface LoadCloudOptions {
  /** Largest file; default 1 GiB. */
  readonly maximumBytes?: number;
}

export interface LoadOctreeOptions extends LoadCloudOptions {
  /** Edge of a cell, for point files; an occupancy map has its own. */
  readonly resolution?: number;
  /** Whether space of an occupancy map that was never seen counts. Default 'free'. */
  readonly unknown?: 'free' | 'occupied';
}

const CLOUD_OPTIONS: Fields = { maximumBytes: requireNotNegative };
const OCTREE_OPTIONS: Fields = {
  ...CLOUD_OPTIONS,
  resolution: requirePositive,
  unknown: oneOf('free', 'occupied'),
};

/** The points of a .pcd file, or the vertices of a .ply file, 3 numbers each. */
export async function loadPoints(file: string, options: LoadCloudOptions = {}): Promise<Parsed<Float64Array>> {
  requireLoad('loadPoints', file, options, CLOUD_OPTIONS);
  return readCloud(file, options, parsePoints);
}

/** What the octree and points shapes of a scene name. */
export async function loadCloud(file: string, options: LoadCloudOptions = {}): Promise<Parsed<CloudContent>> {
  return readCloud(file, options, parseCloud);
}

async function readCloud<T>(
  file: string,
  { maximumBytes = DEFAULT_MAXIMUM_MESH_BYTES }: LoadCloudOptions,
  parse: (bytes: Uint8Array, options: CloudReadOptions) => Parsed<T>,
): Promise<Parsed<T>> {
  const read = await readBytes(file, maximumBytes);
  return read.value ? parse(read.value, { file, maximumBytes }) : { value: null, issues: read.issues };
}

/** An occupancy map with what is occupied, free and unknown. */
export async function loadOctomap(file: string, options: LoadCloudOptions = {}): Promise<Parsed<OctomapContent>> {
  requireLoad('loadOctomap', file, options, CLOUD_OPTIONS);
  const read = await readBytes(file, options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES);
  if (!read.value) return { value: null, issues: read.issues };
  return parseOctomap(read.value, { file });
}

/** Occupied cubes: of a .bt file, or of the cells that the points of a .pcd or .ply file lie in. */
export async function loadOctree(file: string, options: LoadOctreeOptions = {}): Promise<Parsed<Octree>> {
  requireLoad('loadOctree', file, options, OCTREE_OPTIONS);
  const { maximumBytes } = options;
  if (isOctomapFile(file)) {
    const { value, issues } = await loadOctomap(file, { maximumBytes });
    const shape = value && octomapShape(value, options.unknown);
    if (value && !shape) return refuse(file, 'empty-map', 'nothing in the map is occupied', issues);
    return { value: shape, issues };
  }
  const { resolution } = options;
  if (resolution === undefined)
    return refuse(file, 'no-resolution', 'points become cells of a resolution; give one, such as 0.05');
  const { value, issues } = await loadPoints(file, { maximumBytes });
  return { value: value && voxelizePoints(value, resolution), issues };
}

/** Balls of one radius about the points of a .pcd or .ply file. */
export async function loadPointCloud(
  file: string,
  radius: number,
  options: LoadCloudOptions = {},
): Promise<Parsed<PointCloud>> {
  requirePositive('loadPointCloud', 'radius', radius);
  requireLoad('loadPointCloud', file, options, CLOUD_OPTIONS);
  const { value: points, issues } = await loadPoints(file, options);
  return { value: points && { type: 'points', points, radius }, issues };
}

function refuse<T>(file: string, code: string, message: string, issues: readonly Issue[] = []): Parsed<T> {
  return { value: null, issues: [...issues, { severity: 'error', code, file, message }] };
}
