/**
 * Scene files (JSON, version 1): objects with shapes and poses, placed robots, attached objects.
 *
 * Structure is validated first; then names, references and directions. Quaternions and normals are scaled to length
 * 1 with a warning when they are off by more than 1e-6. Files are named as written: node/ resolves them.
 * Metres, radians, quaternions x y z w. Test: scene-file.test.ts.
 */

import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Triple } from '../geometry/shapes.js';
import { hypot } from '../math/scalar.js';
import type { Pose } from '../math/transform.js';
import type {
  AttachedDescription,
  CompoundDescription,
  ObjectDescription,
  PlacedRobotDescription,
  SceneDescription,
  ShapeDescription,
} from '../scene/description.js';
import { isOctomapFile } from './cloud-file.js';
import type { Issue, Parsed } from './issue.js';

const MAX_LENGTH = 64 * 1024 * 1024;
const MAX_ISSUES = 100;
/** Of lists and objects in each other: twenty compounds. */
const MAX_NESTING = 64;
/** Longer files get issues without line numbers. */
const MAX_LOCATED_LENGTH = 1024 * 1024;
const IDENTITY: Pose = [0, 0, 0, 0, 0, 0, 1];

type ObjectSchema = <T extends z.ZodRawShape>(shape: T) => z.ZodObject<T>;

const number = z.number();
const positive = z.number().positive();
const name = z.string().min(1);
const triple = z.tuple([number, number, number]);
const pose = z.tuple([number, number, number, number, number, number, number]);

/** Schemas of the shapes that hold no others. */
function createSimpleShapes(object: ObjectSchema) {
  const factor = number.refine((x) => x !== 0, 'expected a factor other than 0');
  const scale = z.union([factor, z.tuple([factor, factor, factor])]);
  const round = { radius: positive, length: positive };
  const cell = z.int32();
  return [
    object({ type: z.literal('box'), size: z.tuple([positive, positive, positive]) }),
    object({ type: z.literal('sphere'), radius: positive }),
    object({ type: z.literal('capsule'), radius: positive, length: z.number().nonnegative() }),
    object({ type: z.literal('cylinder'), ...round }),
    object({ type: z.literal('cone'), ...round }),
    object({ type: z.literal('ellipsoid'), semiAxes: z.tuple([positive, positive, positive]) }),
    object({ type: z.literal('halfspace'), normal: triple, offset: number }),
    object({
      type: z.literal('mesh'),
      file: name,
      scale: scale.optional(),
      mode: z.enum(['solid', 'surface']).optional(),
    }),
    object({
      type: z.literal('convex'),
      file: name.optional(),
      points: z.array(triple).min(1).optional(),
      scale: scale.optional(),
    }),
    object({
      type: z.literal('octree'),
      file: name.optional(),
      resolution: positive.optional(),
      cells: z
        .array(z.tuple([cell, cell, cell, cell.positive()]))
        .min(1)
        .optional(),
    }),
    object({
      type: z.literal('points'),
      file: name.optional(),
      points: z.array(triple).min(1).optional(),
      radius: positive,
    }),
    object({
      type: z.literal('heightfield'),
      heights: z.array(z.array(number).min(2)).min(2),
      spacing: z.tuple([positive, positive]),
      floor: number.optional(),
    }),
  ] as const;
}

type ShapeInput =
  | z.infer<ReturnType<typeof createSimpleShapes>[number]>
  | { type: 'compound'; children: { shape: ShapeInput; pose?: z.infer<typeof pose> | undefined }[] };

/** One schema per way to treat unknown keys: refused (to report them) or dropped (to read on). */
function createSchemas(keys: 'refuse' | 'drop') {
  const object: ObjectSchema = <T extends z.ZodRawShape>(shape: T) =>
    (keys === 'refuse' ? z.strictObject(shape) : z.object(shape)) as z.ZodObject<T>;
  const child = object({ shape: z.lazy((): z.ZodType<ShapeInput> => shape), pose: pose.optional() });
  const shape: z.ZodType<ShapeInput> = z.discriminatedUnion('type', [
    ...createSimpleShapes(object),
    object({ type: z.literal('compound'), children: z.array(child).min(1) }),
  ]);
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
    attached: z.array(object({ object: name, link: name, touchLinks: z.array(name).optional() })).optional(),
  });
  return { shape, scene };
}

const strict = createSchemas('refuse');
const lenient = createSchemas('drop');

/** Reads a scene file; `value` is null when anything in it cannot be used as written. */
export function parseSceneFile(text: string, options: { readonly file?: string } = {}): Parsed<SceneDescription> {
  const { file } = options;
  const issues: Issue[] = [];
  const locate = createLocator(text);
  const report: Report = (severity, code, message, path, element) => {
    if (issues.length < MAX_ISSUES) issues.push({ severity, code, file, line: locate(path), element, message });
  };
  if (text.length > MAX_LENGTH) {
    report(
      'error',
      'scene-too-large',
      `${text.length} characters, at most ${MAX_LENGTH} are read; split the scene`,
      [],
    );
    return { value: null, issues };
  }
  let content: unknown;
  try {
    content = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    const message = `not valid JSON: ${(error as SyntaxError).message}; correct the punctuation there`;
    report('error', 'bad-json', message, 'syntax error');
    return { value: null, issues };
  }
  if (!checkNesting(content, report)) return { value: null, issues };
  const valid = validate(content, strict.scene, lenient.scene, report);
  if (!valid) return { value: null, issues };

  const objects: ObjectDescription[] = [];
  for (const [i, { name, shape, pose, margin }] of (valid.objects ?? []).entries()) {
    const path = ['objects', i];
    const element = `object "${name}"`;
    const finished = finishShape(shape, [...path, 'shape'], element, report);
    const placed = finishPose(pose, path, element, report);
    if (objects.some((other) => other.name === name)) {
      report('error', 'duplicate-object', `a second object "${name}"; rename one of them`, path, element);
    }
    if (finished && placed)
      objects.push({ name, shape: finished, pose: placed, ...(margin !== undefined && { margin }) });
  }
  const robots: PlacedRobotDescription[] = [];
  for (const [i, robot] of (valid.robots ?? []).entries()) {
    const path = ['robots', i];
    const element = `robot "${robot.name}"`;
    const placed = finishPose(robot.pose, path, element, report);
    if (robots.some((other) => other.name === robot.name)) {
      report('error', 'duplicate-robot', `a second robot "${robot.name}"; rename one of them`, path, element);
    }
    if (placed) robots.push({ ...robot, pose: placed });
  }
  const attached: AttachedDescription[] = [];
  for (const [i, { object, link, touchLinks = [] }] of (valid.attached ?? []).entries()) {
    const path = ['attached', i];
    const element = `attached[${i}]`;
    if (!(valid.objects ?? []).some(({ name }) => name === object)) {
      const message = `there is no object "${object}"; add it to objects or correct the name`;
      report('error', 'unknown-object', message, path, element);
    } else if (attached.some((other) => other.object === object)) {
      report('error', 'attached-twice', `object "${object}" is attached twice; keep one`, path, element);
    }
    attached.push({ object, link, touchLinks });
  }
  if (issues.some(({ severity }) => severity === 'error')) return { value: null, issues };
  return { value: { version: 1, objects, robots, attached }, issues };
}

/** Checks one shape as scene files write it, given as parsed JSON. */
export function parseShapeDescription(content: unknown): Parsed<ShapeDescription> {
  const issues: Issue[] = [];
  const report: Report = (severity, code, message, _path, element) => {
    issues.push({ severity, code, element, message });
  };
  if (!checkNesting(content, report)) return { value: null, issues };
  const valid = validate(content, strict.shape, lenient.shape, report);
  const value = valid ? finishShape(valid, [], undefined, report) : null;
  return { value: value ?? null, issues };
}

type Report = (
  severity: Issue['severity'],
  code: string,
  message: string,
  path: readonly PropertyKey[] | 'syntax error',
  element?: string,
) => void;

function validate<T>(content: unknown, strictSchema: z.ZodType<T>, schema: z.ZodType<T>, report: Report): T | null {
  const checked = strictSchema.safeParse(content);
  if (checked.success) return checked.data;
  for (const issue of checked.error.issues) {
    const element = pathText(issue.path, content);
    if (issue.code === 'unrecognized_keys') {
      report(
        'warning',
        'unknown-key',
        `${quote(issue.keys)} is not known and is ignored; check its spelling`,
        issue.path,
        element,
      );
    } else {
      const found = issue.code === 'invalid_union' && issue.discriminator ? ` "${issue.discriminator}"` : '';
      report(
        'error',
        'bad-scene',
        `${issue.message}${found}; correct it as the scene file format says`,
        issue.path,
        element,
      );
    }
  }
  const read = schema.safeParse(content);
  return read.success ? read.data : null;
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
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
    case 'compound':
      return finishCompound(shape, path, element, report);
    default:
      return shape;
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
  const [x, y, z, qx, qy, qz, qw] = pose;
  const norm = hypot(qx, qy, qz, qw);
  if (norm < 1e-9) {
    report('error', 'bad-pose', 'the quaternion is zero; write 0, 0, 0, 1 for no rotation (x, y, z, w)', path, element);
    return undefined;
  }
  if (Math.abs(norm - 1) <= 1e-6) return pose;
  report('warning', 'bad-pose', `the quaternion has length ${norm}, scaled to 1; order is x, y, z, w`, path, element);
  return [x, y, z, qx / norm, qy / norm, qz / norm, qw / norm];
}

/**
 * Lines in the JSON text by path (`objects`, 2, `pose`; the deepest part that exists counts), or of its first syntax
 * error. Only a broken file pays for reading it a second time, with a parser that keeps positions.
 */
function createLocator(text: string): (path: readonly PropertyKey[] | 'syntax error') => number | undefined {
  if (text.length > MAX_LOCATED_LENGTH) return () => undefined;
  let parsed: { document: Document; lines: LineCounter } | undefined;
  return (path) => {
    if (path.length === 0) return undefined;
    if (!parsed) {
      const lines = new LineCounter();
      parsed = { document: parseDocument(text, { lineCounter: lines }), lines };
    }
    const { document, lines } = parsed;
    if (path === 'syntax error') return document.errors[0]?.linePos?.[0].line;
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
}
