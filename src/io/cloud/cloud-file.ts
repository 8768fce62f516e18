/** Occupancy maps and point clouds by their file's extension: OctoMap .bt, PCD, and PLY for its vertices. */
import { requireText } from '../../math/arguments.js';
import type { CloudContent } from '../../scene/resolve-shape.js';
import { requireNamedContent } from '../io-door.js';
import type { Issue, Parsed } from '../issue.js';
import { parsePly } from '../mesh/ply.js';
import { octomapShape, parseOctomap } from './octomap.js';
import { parsePcd } from './pcd.js';

export interface CloudReadOptions {
  /** Named in issues. */
  readonly file: string;
  /** Largest content in bytes of memory. */
  readonly maximumBytes?: number;
}

const POINT_FILE = /\.(pcd|ply)$/i;

/** Whether the name is that of an occupancy map, which has cells and a resolution of its own. */
export function isOctomapFile(file: string): boolean {
  requireText('isOctomapFile', 'file', file);
  return /\.bt$/i.test(file);
}

/** The points of a .pcd file, or the vertices of a .ply file, 3 numbers each. */
export function parsePoints(bytes: Uint8Array, options: CloudReadOptions): Parsed<Float64Array> {
  requireNamedContent('parsePoints', bytes, options);
  const { file } = options;
  if (!POINT_FILE.test(file))
    return refuse(file, 'unknown-cloud-format', 'the extension is none of .pcd .ply: convert the points');
  if (/pcd$/i.test(file)) {
    const { value, issues } = parsePcd(bytes, options);
    return requirePoints(file, value?.points ?? null, issues);
  }
  const { value, issues } = parsePly(bytes, options);
  // A cloud has no triangles: nothing to warn about.
  return requirePoints(
    file,
    value?.mesh.vertices ?? null,
    issues.filter(({ code }) => code !== 'no-triangles'),
  );
}

/** Occupied cubes of a map, or points: what octree and points shapes are made of. */
export function parseCloud(bytes: Uint8Array, options: CloudReadOptions): Parsed<CloudContent> {
  requireNamedContent('parseCloud', bytes, options);
  if (!isOctomapFile(options.file)) return parsePoints(bytes, options);
  const { value, issues } = parseOctomap(bytes, { file: options.file });
  const shape = value && octomapShape(value);
  if (value && !shape) return refuse(options.file, 'empty-map', 'nothing in the map is occupied', issues);
  return { value: shape, issues };
}

function requirePoints(file: string, points: Float64Array | null, issues: readonly Issue[]): Parsed<Float64Array> {
  if (points && points.length === 0) return refuse(file, 'no-points', 'the file holds no points', issues);
  return { value: points, issues };
}

function refuse<T>(file: string, code: string, message: string, issues: readonly Issue[] = []): Parsed<T> {
  return { value: null, issues: [...issues, { severity: 'error', code, file, message }] };
}
