/**
 * Scene files (JSON, version 1): objects with shapes and poses, placed robots, attached objects.
 *
 * Structure is validated first; then names, references and directions. Quaternions follow math/unit-quaternion; normals are
 * scaled to length 1. Files are named as written: node/ resolves them.
 * Metres, radians, quaternions x y z w. Test: scene-file.test.ts.
 */

import { z } from 'zod';
import { coverImplicitSolid, type ImplicitCover } from '../geometry/implicit-cover.js';
import { NUMERIC_SHAPES } from '../geometry/shapes/index.js';
import type { FieldKind, NumericShape } from '../geometry/shapes/operations.js';
import type { Triple } from '../geometry/shapes.js';
import { normalizeQuat } from '../math/quat.js';
import { hypot } from '../math/scalar.js';
import { suggestName } from '../math/suggest-name.js';
import type { Pose } from '../math/transform.js';
import { describeQuaternion, describeScaling } from '../math/unit-quaternion.js';
import type {
  AttachedDescription,
  CompoundDescription,
  ObjectDescription,
  PlacedRobotDescription,
  SceneDescription,
  ShapeDescription,
} from '../scene/description.js';
import { isOctomapFile } from './cloud/cloud-file.js';
import { describeWrongContent } from './file-kind.js';
import { requireSource } from './io-door.js';
import { type Issue, type Parsed, toAssumptions } from './issue.js';
import { type JsonFault, scanJson } from './json-scan.js';
import { parseImplicit } from './plane/implicit-text.js';
import { describeFaults } from './schema-words.js';

const MAX_LENGTH = 64 * 1024 * 1024;
const MAX_ISSUES = 100;
/** Of lists and objects in each other: twenty compounds. */
const MAX_NESTING = 64;
const IDENTITY: Pose = [0, 0, 0, 0, 0, 0, 1];

type ObjectSchema = <T extends z.ZodRawShape>(shape: T) => z.ZodObject<T>;

const number = z.number();
const positive = z.number().positive();
const name = z.string().min(1);
const triple = z.tuple([number, number, number], 'expected three numbers [x, y, z]');
const pose = z.tuple(
  [number, number, number, number, number, number, number],
  'expected seven numbers [x, y, z, qx, qy, qz, qw]',
);
const pair = z.tuple([name, name], 'expected two names ["a", "b"]');

const size = z.tuple([positive, positive, positive], 'expected three sizes above 0 [x, y, z]');
const FIELD_SCHEMAS: Readonly<Record<FieldKind, z.ZodType>> = {
  size: positive,
  length: z.number().nonnegative(),
  number,
  sizes: size,
  vector: triple,
};

/** Schemas of the shapes that are numbers only: those of their fields. */
function createNumericShapes() {
  return Object.entries(NUMERIC_SHAPES).map(([type, fields]) =>
    z.strictObject({
      type: z.literal(type),
      ...Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, FIELD_SCHEMAS[kind]])),
    }),
  );
}

/** Schemas of the shapes that files and lists make, and that hold no others; a kind that is missing does not compile. */
function createListShapes(object: ObjectSchema) {
  const factor = number.refine((x) => x !== 0, 'expected a factor other than 0');
  const scale = z.union([factor, z.tuple([factor, factor, factor], 'expected three factors [sx, sy, sz]')]);
  const cell = z.int32();
  return {
    mesh: object({
      type: z.literal('mesh'),
      file: name,
      scale: scale.optional(),
      mode: z.enum(['solid', 'surface']).optional(),
    }),
    convex: object({
      type: z.literal('convex'),
      file: name.optional(),
      points: z.array(triple).min(1).optional(),
      scale: scale.optional(),
    }),
    octree: object({
      type: z.literal('octree'),
      file: name.optional(),
      resolution: positive.optional(),
      cells: z
        .array(z.tuple([cell, cell, cell, cell.positive()]))
        .min(1)
        .optional(),
    }),
    points: object({
      type: z.literal('points'),
      file: name.optional(),
      points: z.array(triple).min(1).optional(),
      radius: positive,
    }),
    heightfield: object({
      type: z.literal('heightfield'),
      heights: z.array(z.array(number).min(2)).min(2),
      spacing: z.tuple([positive, positive]),
      floor: number.optional(),
    }),
    implicit: object({ type: z.literal('implicit'), where: name, low: triple, high: triple, resolution: positive }),
  } satisfies Record<Exclude<ShapeDescription, NumericShape | CompoundDescription>['type'] | 'implicit', z.ZodObject>;
}

type ListSchemas = ReturnType<typeof createListShapes>;
type ShapeInput =
  | NumericShape
  | z.infer<ListSchemas[keyof ListSchemas]>
  | { type: 'compound'; children: { shape: ShapeInput; pose?: z.infer<typeof pose> | undefined }[] };

/** Unknown keys are refused: a misspelt one would leave its default in its place. */
const SIMPLE_SHAPES: readonly z.ZodObject<{ type: z.ZodLiteral<string> }>[] = [
  ...(createNumericShapes() as never[]),
  ...(Object.values(createListShapes((shape) => z.strictObject(shape) as never)) as never[]),
];

function createSchemas() {
  const object: ObjectSchema = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape) as z.ZodObject<T>;
  const child = object({ shape: z.lazy((): z.ZodType<ShapeInput> => shape), pose: pose.optional() });
  const shape = z.discriminatedUnion('type', [
    ...createNumericShapes(),
    ...Object.values(createListShapes(object)),
    object({ type: z.literal('compound'), children: z.array(child).min(1) }),
  ] as never) as unknown as z.ZodType<ShapeInput>;
  const scene = object({
    version: z.literal(1),
    objects: z.array(object({ name, shape, pose: pose.optional(), margin: number.optional() })).optional(),
    robots: z
      .array(
        object({
          name,
          file: name,
          srdf: name.optional(),
          pose: pose.optional(),
          q: z.union([z.array(number), z.record(z.string(), number), z.string()]).optional(),
        }),
      )
      .optional(),
    attached: z
      .array(
        object({
          object: name,
          link: name,
          touchLinks: z.array(name).optional(),
          pose: pose.optional(),
          mass: positive.optional(),
        }),
      )
      .optional(),
    allowed: z.array(z.union([pair, object({ pair, reason: name.optional() })])).optional(),
  });
  return { shape, scene };
}

const schemas = createSchemas();

/** What is often written for another key. */
const ALIASES: Readonly<Record<string, string>> = {
  position: 'pose',
  translation: 'pose',
  rotation: 'pose',
  orientation: 'pose',
  transform: 'pose',
  origin: 'pose',
  xyz: 'pose',
  geometry: 'shape',
  filename: 'file',
  path: 'file',
  uri: 'file',
  url: 'file',
  urdf: 'file',
  mesh: 'file',
  dimensions: 'size',
  extents: 'size',
  height: 'length',
  padding: 'margin',
  joints: 'q',
  configuration: 'q',
  state: 'q',
  touch_links: 'touchLinks',
  obstacles: 'objects',
};

/** Reads a scene file; `value` is null when anything in it cannot be used as written. */
export function parseSceneFile(text: string, options: { readonly file?: string } = {}): Parsed<SceneDescription> {
  requireSource('parseSceneFile', text, options);
  const { file } = options;
  const { issues, report, locate } = createReporter(file);
  if (text.length > MAX_LENGTH) {
    report(
      'error',
      'scene-too-large',
      `${text.length} characters, at most ${MAX_LENGTH} are read; split the scene`,
      [],
    );
    return { value: null, issues };
  }
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const { fault, repeated } = scanJson(source, { maximumDepth: MAX_NESTING });
  if (fault) return { value: null, issues: [describeFault(source, fault, file)] };
  for (const { key, line } of repeated) {
    const message = `the key "${key}" comes twice in one object; keep one of them`;
    issues.push({ severity: 'error', code: 'duplicate-key', file, line, message });
  }
  const value = readScene(JSON.parse(source), report);
  locate(source);
  if (value === null || issues.some(({ severity }) => severity === 'error')) return { value: null, issues };
  const assumed = toAssumptions(issues);
  return { value: assumed.length === 0 ? value : { ...value, assumed }, issues };
}

/** A fault of the text, or what the file is instead of a scene. */
function describeFault(text: string, { kind, line, column, message }: JsonFault, file: string | undefined): Issue {
  if (kind === 'depth') {
    return {
      severity: 'error',
      code: 'nested-too-deep',
      file,
      line,
      message: `${message} (column ${column}); put compounds side by side`,
    };
  }
  const other = describeWrongContent(new TextEncoder().encode(text.slice(0, 1000)), 'json');
  return {
    severity: 'error',
    code: 'bad-json',
    file,
    line,
    message:
      other === null
        ? `not valid JSON: ${message} (column ${column}); correct the punctuation there`
        : `not a scene; it seems to be ${other}`,
  };
}

function readScene(content: unknown, report: Report): SceneDescription | null {
  const valid = validate(content, schemas.scene, report);
  if (!valid) return null;
  const objects: ObjectDescription[] = [];
  const objectNames = new Set<string>();
  for (const [i, { name, shape, pose, margin }] of (valid.objects ?? []).entries()) {
    const path = ['objects', i];
    const element = `object "${name}"`;
    const finished = finishShape(shape, [...path, 'shape'], element, report);
    const placed = finishPose(pose, path, element, report);
    if (objectNames.has(name)) {
      report('error', 'duplicate-object', `a second object "${name}"; rename one of them`, path, element);
    }
    objectNames.add(name);
    if (finished && placed)
      objects.push({ name, shape: finished, pose: placed, ...(margin !== undefined && { margin }) });
  }
  const robots: PlacedRobotDescription[] = [];
  const robotNames = new Set<string>();
  for (const [i, robot] of (valid.robots ?? []).entries()) {
    const path = ['robots', i];
    const element = `robot "${robot.name}"`;
    const placed = finishPose(robot.pose, path, element, report);
    if (robotNames.has(robot.name)) {
      report('error', 'duplicate-robot', `a second robot "${robot.name}"; rename one of them`, path, element);
    }
    robotNames.add(robot.name);
    if (placed) robots.push({ ...robot, pose: placed });
  }
  const attached: AttachedDescription[] = [];
  const held = new Set<string>();
  for (const [i, { object, link, touchLinks = [], pose, mass }] of (valid.attached ?? []).entries()) {
    const path = ['attached', i];
    const element = `attached[${i}]`;
    if (!objectNames.has(object)) {
      const message = `there is no object "${object}"; add it to objects or correct the name`;
      report('error', 'unknown-object', message, path, element);
    } else if (held.has(object)) {
      report('error', 'attached-twice', `object "${object}" is attached twice; keep one`, path, element);
    }
    held.add(object);
    const placed = pose && finishPose(pose, path, element, report);
    attached.push({ object, link, touchLinks, ...(placed && { pose: placed }), ...(mass !== undefined && { mass }) });
  }
  const allowed = valid.allowed?.map((entry) => {
    const { pair, reason } = Array.isArray(entry) ? { pair: entry, reason: undefined } : entry;
    return { a: pair[0], b: pair[1], ...(reason !== undefined && { note: reason }) };
  });
  return { version: 1, objects, robots, attached, ...(allowed && { allowed }) };
}

/** Checks one shape as scene files write it, given as parsed JSON. */
export function parseShapeDescription(content: unknown): Parsed<ShapeDescription> {
  const { issues, report } = createReporter(undefined);
  if (!checkNesting(content, report)) return { value: null, issues };
  const valid = validate(content, schemas.shape, report);
  const value = valid ? finishShape(valid, [], undefined, report) : null;
  return { value: value ?? null, issues };
}

type Report = (
  severity: Issue['severity'],
  code: string,
  message: string,
  path: readonly PropertyKey[],
  element?: string,
  assumes?: Issue['assumes'],
) => void;

/** Issues so far; `locate` writes the lines of their paths into them, in one pass over the text. */
function createReporter(file: string | undefined): {
  readonly issues: Issue[];
  readonly report: Report;
  readonly locate: (text: string) => void;
} {
  const issues: Issue[] = [];
  const open: { readonly at: number; readonly path: readonly PropertyKey[] }[] = [];
  return {
    issues,
    report: (severity, code, message, path, element, assumes) => {
      if (issues.length >= MAX_ISSUES) return;
      if (path.length > 0) open.push({ at: issues.length, path });
      issues.push({
        severity,
        code,
        ...(file !== undefined && { file }),
        element,
        message,
        ...(assumes && { assumes }),
      });
    },
    locate: (text) => {
      if (open.length === 0) return;
      const { lines } = scanJson(text, { maximumDepth: MAX_NESTING, paths: open.map(({ path }) => path) });
      for (const [i, { at }] of open.entries()) issues[at] = { ...issues[at], line: lines[i] };
    },
  };
}

function validate<T>(content: unknown, schema: z.ZodType<T>, report: Report): T | null {
  const checked = schema.safeParse(content);
  if (checked.success) return checked.data;
  for (const { path, message, keys = [] } of describeFaults(checked.error, content)) {
    const element = pathText(path, content);
    if (keys.length === 0)
      report('error', 'bad-scene', `${message}; correct it as the scene file format says`, path, element);
    for (const key of keys) {
      const known = knownKeys(path, content);
      const close = known.includes(ALIASES[key]) ? ALIASES[key] : suggestName(key, known);
      const hint = close === null ? `known are ${known.join(', ')}` : `did you mean "${close}"?`;
      report('error', 'unknown-key', `"${key.slice(0, 60)}" is not known; ${hint}`, [...path, key], element);
    }
  }
  return null;
}

/** Keys of the object at a path: a shape has those of its type, all else those of the list or key that it stands in. */
function knownKeys(path: readonly PropertyKey[], content: unknown): readonly string[] {
  const role = path.filter((key) => typeof key === 'string').at(-1) ?? '';
  const { scene } = schemas;
  const lists: Readonly<Record<string, z.ZodOptional<z.ZodArray<z.ZodObject>>>> = {
    objects: scene.shape.objects,
    robots: scene.shape.robots,
    attached: scene.shape.attached,
  };
  if (Object.hasOwn(lists, role)) return Object.keys(lists[role as string].unwrap().element.shape);
  if (role === 'children') return ['shape', 'pose'];
  const { type } = (valueAt(content, path) ?? {}) as { type?: unknown };
  const own = SIMPLE_SHAPES.find(({ shape }) => shape.type.value === type);
  if (own) return Object.keys(own.shape);
  return type === 'compound' ? ['type', 'children'] : Object.keys(scene.shape);
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  let at = content;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

/** `objects[2] "table" .shape.size`: the path in the file, with the name of the entry it lies in. */
function pathText(path: readonly PropertyKey[], content: unknown): string | undefined {
  if (path.length === 0) return undefined;
  let text = '';
  let at: unknown = content;
  for (const key of path) {
    text += typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${String(key)}`;
    at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
    const name = (at as { name?: unknown } | null | undefined)?.name;
    if (typeof key === 'number' && typeof name === 'string') text += ` "${name}" `;
  }
  return text.trim();
}

/** Compounds hold shapes, so reading follows the nesting: it is bounded before anything does. */
function checkNesting(content: unknown, report: Report): boolean {
  const open: { readonly value: unknown; readonly level: number }[] = [{ value: content, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    if (value === null || typeof value !== 'object') continue;
    if (level >= MAX_NESTING) {
      const message = `lists and objects lie in each other more than ${MAX_NESTING} deep; put compounds side by side`;
      report('error', 'nested-too-deep', message, []);
      return false;
    }
    // Numbers in lists are the bulk of a file, and hold nothing.
    for (const inner of Object.values(value))
      if (typeof inner === 'object') open.push({ value: inner, level: level + 1 });
  }
  return true;
}

function finishShape(
  shape: ShapeInput,
  path: readonly PropertyKey[],
  element: string | undefined,
  report: Report,
): ShapeDescription | undefined {
  const fail = (message: string): undefined => {
    report('error', 'bad-shape', message, path, element);
  };
  switch (shape.type) {
    case 'halfspace': {
      const [x, y, z] = shape.normal;
      const norm = hypot(x, y, z);
      if (norm > 0) return { type: 'halfspace', normal: [x / norm, y / norm, z / norm], offset: shape.offset / norm };
      return fail('the normal of the half-space is zero; write its direction');
    }
    case 'mesh':
      return { ...shape, scale: tripleScale(shape.scale) };
    case 'convex': {
      if ((shape.file === undefined) === (shape.points === undefined))
        return fail('a convex shape needs either "file" or "points"; write one of them');
      const scale = tripleScale(shape.scale);
      if (!shape.points) return { ...shape, scale };
      const [x, y, z] = scale ?? [1, 1, 1];
      return { type: 'convex', points: shape.points.map(([a, b, c]) => [a * x, b * y, c * z] as const) };
    }
    case 'octree': {
      const { file, resolution, cells } = shape;
      if ((file === undefined) === (cells === undefined))
        return fail('an octree needs either "file" or "cells"; write one of them');
      const isMap = file !== undefined && isOctomapFile(file);
      if (isMap && resolution !== undefined)
        return fail('an occupancy map has its own resolution; leave "resolution" out');
      if (!isMap && resolution === undefined)
        return fail('cells and points need the edge of a cell; write "resolution", such as 0.05');
      return shape;
    }
    case 'points':
      if ((shape.file === undefined) === (shape.points === undefined))
        return fail('a point cloud needs either "file" or "points"; write one of them');
      if (shape.file !== undefined && isOctomapFile(shape.file))
        return fail('an occupancy map holds no points; write "type": "octree"');
      return shape;
    case 'heightfield':
      return finishHeights(shape, fail);
    case 'implicit':
      return finishImplicit(shape, fail, (message) =>
        report('info', 'implicit-shape', message, path, element, 'altered'),
      );
    case 'compound':
      return finishCompound(shape, path, element, report);
    default:
      return shape satisfies NumericShape;
  }
}

type HeightInput = Extract<ShapeInput, { type: 'heightfield' }>;

function finishHeights(shape: HeightInput, fail: (message: string) => undefined): ShapeDescription | undefined {
  const { heights, floor } = shape;
  const columns = heights[0].length;
  const ragged = heights.findIndex((row) => row.length !== columns);
  if (ragged >= 0)
    return fail(`row ${ragged} of the heights has ${heights[ragged].length} numbers, the first ${columns}; fill it up`);
  const below = floor === undefined ? undefined : heights.flat().find((height) => height < floor);
  if (below !== undefined) return fail(`a height of ${below} is below the floor ${floor}; lower the floor`);
  return shape;
}

/** The cubes that may meet the region: nothing of it is left out, so a wrong "free" cannot come of it. */
function finishImplicit(
  { where, low, high, resolution }: Extract<ShapeInput, { type: 'implicit' }>,
  fail: (message: string) => undefined,
  tell: (message: string) => void,
): ShapeDescription | undefined {
  const { value, issues } = parseImplicit(where, 3);
  if (value === null) return fail(`in "where" ${issues[0].message}`);
  let cover: ImplicitCover;
  try {
    cover = coverImplicitSolid(value, low, high, resolution);
  } catch (error) {
    return fail((error as Error).message.replace(/^coverImplicitSolid: /, ''));
  }
  if (cover.outer === null) return fail('the region has no point between "low" and "high"');
  if (cover.width > 0)
    tell(`taken as cubes that contain it, with an edge of ${resolution} along its border: distances are lower bounds`);
  const cells = Array.from(
    { length: cover.outer.cells.length / 4 },
    (_, i) =>
      [...cover.outer!.cells.subarray(4 * i, 4 * i + 4)] as unknown as readonly [number, number, number, number],
  );
  return { type: 'octree', resolution, cells };
}

function finishCompound(
  { children }: Extract<ShapeInput, { type: 'compound' }>,
  path: readonly PropertyKey[],
  element: string | undefined,
  report: Report,
): ShapeDescription | undefined {
  const finished: CompoundDescription['children'][number][] = [];
  for (const [i, child] of children.entries()) {
    const own = [...path, 'children', i];
    if (child.shape.type === 'halfspace')
      report('error', 'bad-shape', 'a compound holds no half-space; put it beside the compound', own, element);
    const shape = finishShape(child.shape, [...own, 'shape'], element, report);
    const placed = finishPose(child.pose, own, element, report);
    if (shape && placed) finished.push({ shape, pose: placed });
  }
  return finished.length === children.length ? { type: 'compound', children: finished } : undefined;
}

function tripleScale(scale: number | Triple | undefined): Triple | undefined {
  return typeof scale === 'number' ? [scale, scale, scale] : scale;
}

function finishPose(
  pose: Pose | undefined,
  owner: readonly PropertyKey[],
  element: string | undefined,
  report: Report,
): Pose | undefined {
  if (!pose) return IDENTITY;
  const path = [...owner, 'pose'];
  const problem = describeQuaternion(pose, 3);
  if (problem !== null) {
    report('error', 'bad-pose', `${problem}; write 0, 0, 0, 1 for no rotation`, path, element);
    return undefined;
  }
  const scaling = describeScaling(pose, 3);
  if (scaling === null) return pose;
  report('warning', 'bad-pose', `${scaling}; order is x, y, z, w`, path, element, 'altered');
  const [x, y, z] = pose;
  const [qx, qy, qz, qw] = normalizeQuat(new Float64Array(4), pose.slice(3));
  return [x, y, z, qx, qy, qz, qw];
}
