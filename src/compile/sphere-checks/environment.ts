/**
 * Obstacles as data of a compiled check: writes the records and lists that its functions read.
 *
 * Method: a sphere, a box, a capsule, a cylinder, a cone, an ellipsoid and a half-space are records of their own; rounded boxes and cylinders
 * are those with a margin; meshes, hulls, height fields, octrees and clouds are records that point to a block (tree-blocks.ts); a
 * compound is its children. Per link the obstacles that its ball can reach at any configuration, nearest to the joint that it turns about first.
 * Rounding: a margin grows by 16 u (|position| + size + reach), which covers the rounding of the record's numbers and of the distance:
 * each of these is a sum of at most nine products of numbers no larger than that sum, and 16 u is more than their count of roundings.
 * Records with a frame of their own have three times as many.
 * So a sphere that is told apart is apart. A mesh so small that rounding is as large as a twentieth of its grid's cells stands in its box.
 * Fails: a shape without bounds (a support function) is refused by its name. Tested by compile-sphere-checks.test.ts.
 */

import { boundShape } from '../../geometry/aabb.js';
import type { Box, Cone, Ellipsoid, Shape } from '../../geometry/shapes.js';
import { MisuseError } from '../../math/misuse.js';
import { createTransform, multiplyTransform, poseToTransform, setIdentityTransform } from '../../math/transform.js';
import { GRID_NEAR } from './inside-grid.js';
import {
  FIRST_WORD,
  GROUP_BYTES,
  RECORD_BYTES,
  RecordKind,
  type RecordKindName,
  ROW_BYTES,
} from './obstacle-records.js';
import { UNIT } from './rounding.js';
import type { CheckedLink } from './sphere-robot.js';
import { blockOf, type RadiusRange, type TreeBlock, type TreeShape } from './tree-blocks.js';

export interface SphereObstacle {
  readonly shape: Shape;
  /** X_WO, 12 numbers. Default identity. */
  readonly placement?: ArrayLike<number>;
  /** Nearer than this counts as touching. Metres, 0 or more, default 0. */
  readonly margin?: number;
  /** Links, or what is carried, that it is compared with. Default all. */
  readonly links?: ReadonlySet<string>;
}

/** A record before it is known what it is compared with. */
type PlainRecord = Omit<Record, 'links'>;

interface Record {
  readonly kind: RecordKindName;
  readonly numbers: readonly number[];
  readonly margin: number;
  readonly links: ReadonlySet<string> | null;
  /** Box in W of the record without its margin. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** What it points to. */
  readonly block?: TreeBlock;
}

/** Rounding of a record's numbers and of a distance to it, per metre of their size. */
const ROUNDING = 16 * UNIT;
const FRAMED_ROUNDING = 48 * UNIT;
const FRAMED: readonly RecordKindName[] = ['cone', 'ellipsoid', 'triangles', 'cubes', 'points'];
const KIND_OF = { triangle: 'triangles', cube: 'cubes', point: 'points' } as const;

export interface EnvironmentAddresses {
  /** Rows of the links, one behind the other, then those of clusters. */
  readonly rows: number;
  /** Indices of links whose lists together are a row. */
  readonly clusters: readonly (readonly number[])[];
  readonly start: number;
  readonly end: number;
}

/** Writes the environment; the memory's bytes beyond its part stay. */
export function writeEnvironment(
  call: string,
  memory: WebAssembly.Memory,
  at: EnvironmentAddresses,
  links: readonly CheckedLink[],
  obstacles: readonly SphereObstacle[],
): void {
  const reach = links.reduce((most, { reach }) => Math.max(most, measureReach(reach)), 0);
  const radii = rangeOfRadii(links);
  let records = obstacles.flatMap((obstacle) => toRecords(call, obstacle, reach, radii));
  const ofLinks = links.map((link) => selectReachable(link, records));
  const ofClusters = at.clusters.map((members) => [...new Set(members.flatMap((k) => ofLinks[k]))]);
  const reachable = [...ofLinks, ...ofClusters];
  const groups = reachable.reduce((sum, list) => sum + Math.ceil(list.length / 4), 0);
  const ownBytes = records.length * RECORD_BYTES + groups * GROUP_BYTES;
  let { places, bytes } = placeBlocks(records, at.end, ownBytes);
  if (bytes > at.end - at.start) {
    // Lists of clouds only save time.
    records = records.map((record) => (record.block?.bare ? { ...record, block: record.block.bare } : record));
    ({ places, bytes } = placeBlocks(records, at.end, ownBytes));
  }
  if (bytes > at.end - at.start) {
    throw new MisuseError(
      `${call}: obstacles, got ${bytes} bytes of them, expected at most the ${at.end - at.start} of environmentBytes`,
    );
  }
  const view = new DataView(memory.buffer);
  for (const [block, address] of places) new Uint8Array(memory.buffer, address, block.bytes.length).set(block.bytes);
  const errors = records.map((record) => boundRounding(record, reach));
  records.forEach((record, i) => {
    const place = record.block ? (places.get(record.block) as number) : 0;
    writeRecord(view, at.start + RECORD_BYTES * i, record, errors[i], place);
  });
  let end = at.start + RECORD_BYTES * records.length;
  reachable.forEach((list, k) => {
    view.setInt32(at.rows + ROW_BYTES * k, end, true);
    view.setInt32(at.rows + ROW_BYTES * k + 4, Math.ceil(list.length / 4), true);
    for (let i = 0; i < list.length; i += 4, end += GROUP_BYTES) {
      for (let lane = 0; lane < 4; lane++) {
        writeLane(view, end, lane, records[list[i + lane]], errors[list[i + lane]]);
        view.setInt32(end + 96 + 4 * lane, at.start + RECORD_BYTES * (list[i + lane] ?? 0), true);
      }
    }
  });
}

function boundRounding(record: Omit<Record, 'links'>, reach: number): number {
  return (FRAMED.includes(record.kind) ? FRAMED_ROUNDING : ROUNDING) * (measureSize(record) + reach);
}

/** Blocks from the end of the room down. */
function placeBlocks(
  records: readonly Record[],
  end: number,
  ownBytes: number,
): { places: Map<TreeBlock, number>; bytes: number } {
  const places = new Map<TreeBlock, number>();
  let at = end;
  for (const { block } of records) {
    if (!block || places.has(block)) continue;
    at = 16 * Math.floor((at - block.bytes.length) / 16);
    places.set(block, at);
  }
  return { places, bytes: ownBytes + end - at };
}

/** Of the spheres, with their errors: what lists of clouds are made for. */
function rangeOfRadii(links: readonly CheckedLink[]): RadiusRange | null {
  let smallest = Infinity;
  let largest = 0;
  for (const { spheres, errors } of links)
    errors.forEach((error, i) => {
      smallest = Math.min(smallest, spheres[4 * i + 3]);
      largest = Math.max(largest, spheres[4 * i + 3] + error);
    });
  return largest > 0 ? { smallest, largest: largest * (1 + 1e-6), slack: 0 } : null;
}

function writeRecord(view: DataView, at: number, record: Record, error: number, place: number): void {
  view.setInt32(at, RecordKind[record.kind], true);
  view.setFloat32(at + 4, (record.margin + error) * (1 + 2 * UNIT), true);
  record.numbers.forEach((x, i) => {
    view.setFloat32(at + 8 + 4 * i, x, true);
  });
  if (!record.block) return;
  const { nodesEnd, inside, lists } = record.block;
  const put = (k: number, word: number): void => view.setInt32(at + 8 + 4 * (FIRST_WORD + k), word, true);
  put(0, place);
  put(1, place + nodesEnd);
  if (record.kind === 'triangles') {
    [inside.kind, place + inside.place, inside.count].forEach((word, k) => {
      put(2 + k, word);
    });
  }
  if (record.kind === 'points') {
    put(2, place + (lists?.place ?? 0));
    put(3, place + (lists ? lists.place + lists.entries : 0));
    put(4, lists?.levels ?? 0);
    view.setFloat32(at + 8 + 4 * (FIRST_WORD + 5), lists?.largest ?? 0, true);
  }
}

/** A lane without a record meets nothing. */
function writeLane(view: DataView, at: number, lane: number, record: Record | undefined, error: number): void {
  for (let i = 0; i < 3; i++) {
    const grown = record ? record.margin + 2 * error : 0;
    view.setFloat32(at + 16 * i + 4 * lane, record ? record.lower[i] - grown : Infinity, true);
    view.setFloat32(at + 48 + 16 * i + 4 * lane, record ? record.upper[i] + grown : -Infinity, true);
  }
}

const measureReach = ([x, y, z, r]: readonly number[]): number => Math.sqrt(x * x + y * y + z * z) + r;

/** Largest distance of a record's points from the origin; that of a half-space's plane. */
function measureSize({ kind, numbers, lower, upper }: Omit<Record, 'links'>): number {
  if (kind === 'halfspace') return Math.abs(numbers[3]);
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += Math.max(Math.abs(lower[i]), Math.abs(upper[i])) ** 2;
  return Math.sqrt(sum) * 2;
}

/** Records that the link's ball reaches, nearest first. */
function selectReachable({ name, reach, bound }: CheckedLink, records: readonly Record[]): number[] {
  const gaps = records.map(({ kind, numbers, lower, upper, margin }) => {
    if (kind === 'halfspace') {
      const [x, y, z, offset] = numbers;
      return x * reach[0] + y * reach[1] + z * reach[2] - offset - margin;
    }
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += Math.max(lower[i] - reach[i], reach[i] - upper[i], 0) ** 2;
    return Math.sqrt(sum) - margin;
  });
  const most = (reach[3] + bound[3]) * (1 + 1e-5) + 1e-4;
  return records
    .map((_, i) => i)
    .filter((i) => gaps[i] <= most && records[i].links?.has(name) !== false)
    .sort((a, b) => gaps[a] - gaps[b] || a - b);
}

function toRecords(
  call: string,
  { shape, placement, margin = 0, links }: SphereObstacle,
  reach: number,
  radii: RadiusRange | null,
): Record[] {
  const X = placement === undefined ? setIdentityTransform(createTransform()) : Float64Array.from(placement);
  if (X.length !== 12 || !X.every(Number.isFinite))
    throw new MisuseError(`${call}: placement, got ${X.length} numbers, expected 12 finite ones`);
  if (!(margin >= 0 && margin < Infinity))
    throw new MisuseError(`${call}: margin, got ${margin}, expected a finite number, 0 or more`);
  return readShape(call, shape, X, { margin, reach, radii }).map((record) => ({ ...record, links: links ?? null }));
}

interface ReadRequest {
  readonly margin: number;
  /** Largest distance of a sphere from the origin. */
  readonly reach: number;
  readonly radii: RadiusRange | null;
}

function readShape(call: string, shape: Shape, X: Float64Array, request: ReadRequest): PlainRecord[] {
  const { margin } = request;
  const p = [X[9], X[10], X[11]];
  const axis = [X[2], X[5], X[8]];
  switch (shape.type) {
    case 'sphere':
      return [{ kind: 'sphere', numbers: p, margin: margin + shape.radius, lower: p, upper: p }];
    case 'box':
      return [readBox(shape, X, margin)];
    case 'rounded-box': {
      const core = shape.size.map((x) => x - 2 * shape.radius) as unknown as Box['size'];
      return [readBox({ type: 'box', size: core }, X, margin + shape.radius)];
    }
    case 'capsule': {
      const start = p.map((x, i) => x - 0.5 * shape.length * axis[i]);
      const end = p.map((x, i) => x + 0.5 * shape.length * axis[i]);
      return [
        {
          kind: 'capsule',
          numbers: [...start, ...axis, shape.length],
          margin: margin + shape.radius,
          lower: start.map((x, i) => Math.min(x, end[i])),
          upper: start.map((x, i) => Math.max(x, end[i])),
        },
      ];
    }
    case 'cylinder':
      return [readCylinder(p, axis, shape.length, shape.radius, margin)];
    case 'rounded-cylinder': {
      const { edge } = shape;
      return [readCylinder(p, axis, shape.length - 2 * edge, shape.radius - edge, margin + edge)];
    }
    case 'halfspace': {
      const n = shape.normal;
      const world = [0, 1, 2].map((r) => X[3 * r] * n[0] + X[3 * r + 1] * n[1] + X[3 * r + 2] * n[2]);
      const offset = shape.offset + world[0] * p[0] + world[1] * p[1] + world[2] * p[2];
      const everywhere = Infinity;
      return [
        {
          kind: 'halfspace',
          numbers: [...world, offset],
          margin,
          lower: [-everywhere, -everywhere, -everywhere],
          upper: [everywhere, everywhere, everywhere],
        },
      ];
    }
    case 'compound':
      return shape.children.flatMap((child) => {
        const Y = createTransform();
        if (child.pose) poseToTransform(Y, child.pose);
        else setIdentityTransform(Y);
        return readShape(call, child.shape, multiplyTransform(Y, X, Y), request);
      });
    case 'support':
      throw new MisuseError(`${call}: obstacle, got a support shape, which has no bounds to stand in for it`);
    case 'cone':
      return [readCone(shape, X, margin)];
    case 'ellipsoid':
      return [readEllipsoid(shape, X, margin)];
    case 'convex':
    case 'mesh':
    case 'heightfield':
    case 'octree':
    case 'points':
      return [readParts(shape, X, request)];
  }
}

function readCone({ radius, length }: Cone, X: Float64Array, margin: number): PlainRecord {
  const p = [X[9], X[10], X[11]];
  const axis = [X[2], X[5], X[8]];
  const { lower, upper } = readCylinder(p, axis, length, radius, margin);
  const side = Math.sqrt(radius * radius + length * length);
  return {
    kind: 'cone',
    numbers: [...p, ...axis, 0.5 * length, radius, -radius / side, length / side, side],
    margin,
    lower,
    upper,
  };
}

const rowsOf = (X: Float64Array): number[] => [0, 1, 2].flatMap((i) => [X[i], X[3 + i], X[6 + i]]);

function readEllipsoid({ semiAxes }: Ellipsoid, X: Float64Array, margin: number): PlainRecord {
  const p = [X[9], X[10], X[11]];
  const half = [0, 1, 2].map((r) =>
    Math.sqrt([0, 1, 2].reduce((sum, i) => sum + (X[3 * r + i] * semiAxes[i]) ** 2, 0)),
  );
  return {
    kind: 'ellipsoid',
    numbers: [...p, ...rowsOf(X), ...semiAxes],
    margin,
    lower: p.map((x, i) => x - half[i]),
    upper: p.map((x, i) => x + half[i]),
  };
}

/** Margins in steps, so that obstacles with nearly the same share their lists. */
function rangeWithMargin(radii: RadiusRange, margin: number, slack: number): RadiusRange {
  const step = 0.25 * radii.largest;
  return { ...radii, largest: radii.largest + step * Math.ceil(margin / step) + slack, slack };
}

/** A block, its middle where it stands; its box where rounding is too large for its grid. */
function readParts(shape: TreeShape, X: Float64Array, { margin, reach, radii }: ReadRequest): PlainRecord {
  const isCloud = shape.type === 'points';
  const slack = 1e-5 * (reach + (radii?.largest ?? 0));
  const block = blockOf(shape, isCloud && radii ? rangeWithMargin(radii, margin, slack) : null);
  const { center, half } = block;
  const p = [0, 1, 2].map((r) => X[9 + r] + [0, 1, 2].reduce((sum, i) => sum + X[3 * r + i] * center[i], 0));
  const size = [0, 1, 2].map((r) => [0, 1, 2].reduce((sum, i) => sum + Math.abs(X[3 * r + i]) * half[i], 0));
  const record: PlainRecord = {
    kind: KIND_OF[block.primitive],
    numbers: [...p, ...rowsOf(X)],
    margin: margin + (isCloud ? shape.radius : 0),
    lower: p.map((x, i) => x - size[i]),
    upper: p.map((x, i) => x + size[i]),
    block,
  };
  const isRound = block.cell === 0 || boundRounding(record, reach) <= GRID_NEAR * block.cell;
  const isListed = block.lists === null || boundRounding(record, reach) <= slack;
  if (!isRound) return readBounds(shape, X, margin);
  return isListed ? record : { ...record, block: block.bare as TreeBlock };
}

/** The box of a shape in its own frame. */
function readBounds(shape: Shape, X: Float64Array, margin: number): PlainRecord {
  const bounds = boundShape(new Float64Array(6), shape, setIdentityTransform(createTransform()));
  const Y = Float64Array.from(X);
  const size: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < 3; i++) size[i] = (bounds[3 + i] - bounds[i]) * (1 + 1e-12);
  for (let r = 0; r < 3; r++) for (let i = 0; i < 3; i++) Y[9 + r] += X[3 * r + i] * 0.5 * (bounds[i] + bounds[3 + i]);
  return readBox({ type: 'box', size }, Y, margin);
}

function readBox({ size }: Box, X: Float64Array, margin: number): PlainRecord {
  const h = [0.5 * size[0], 0.5 * size[1], 0.5 * size[2]];
  const p = [X[9], X[10], X[11]];
  const half = [0, 1, 2].map(
    (r) => Math.abs(X[3 * r]) * h[0] + Math.abs(X[3 * r + 1]) * h[1] + Math.abs(X[3 * r + 2]) * h[2],
  );
  const lower = p.map((x, i) => x - half[i]);
  const upper = p.map((x, i) => x + half[i]);
  // Axes within 1e-9 of the world's: the box in W is the box, grown by less than rounding.
  const isAligned = X.subarray(0, 9).every((x) => Math.abs(x) < 1e-9 || Math.abs(Math.abs(x) - 1) < 1e-9);
  if (isAligned) return { kind: 'box', numbers: [...p, ...half], margin, lower, upper };
  const rows = [0, 1, 2].flatMap((i) => [X[i], X[3 + i], X[6 + i]]);
  return { kind: 'turned', numbers: [...p, ...h, ...rows], margin, lower, upper };
}

function readCylinder(
  p: readonly number[],
  axis: readonly number[],
  length: number,
  radius: number,
  margin: number,
): PlainRecord {
  const half = axis.map((u) => 0.5 * length * Math.abs(u) + radius * Math.sqrt(Math.max(1 - u * u, 0)));
  return {
    kind: 'cylinder',
    numbers: [...p, ...axis, 0.5 * length, radius],
    margin,
    lower: p.map((x, i) => x - half[i]),
    upper: p.map((x, i) => x + half[i]),
  };
}
