/**
 * Program files (JSON) of programmed motions, format `clearance.motion/1`: what `MotionProgram` says, field by field (docs/motions.md).
 * A field that nothing reads is an error, and so is another format. Names are looked up where the program is planned.
 * Tested by motion-file.test.ts.
 */
import { z } from 'zod';
import { MOTION_FORMAT, type MotionProgram } from '../control/motions/program.js';
import { requireSource } from './io-door.js';
import type { Issue, Parsed } from './issue.js';
import { describeRepeatedKey } from './json-scan.js';
import { describeFaults } from './schema-words.js';

const MOST_CHARACTERS = 64 * 1024 * 1024;
const number = z.number();
const positive = number.positive();
const share = number.positive().max(1);
const name = z.string().min(1);
const triple = z.tuple([number, number, number], 'expected three numbers [x, y, z]');
const pose = z.array(number).length(7, 'expected seven numbers [x, y, z, qx, qy, qz, qw]');
const place = z
  .array(number)
  .refine(({ length }) => length === 3 || length === 7, 'expected seven numbers of a pose, or three of a position');
const joints = z.union([z.array(number), z.record(name, number)]);

const parts = z.strictObject({
  pose: place.optional(),
  at: name.optional(),
  joints: joints.optional(),
  in: name.optional(),
  shift: triple.optional(),
  toolShift: triple.optional(),
});
const point = z.union([place, parts]);
const target = z.union([name, place, parts]);

const settings = {
  speed: positive.optional(),
  turnSpeed: positive.optional(),
  acceleration: positive.optional(),
  jointSpeed: share.optional(),
  jointAcceleration: share.optional(),
  radius: number.nonnegative().optional(),
  orientation: z.enum(['interpolate', 'fixed', 'tangent']).optional(),
  singularities: z.enum(['slow', 'refuse']).optional(),
};

const move = z.discriminatedUnion('move', [
  z.strictObject({ move: z.literal('ptp'), name: name.optional(), to: target, ...settings }),
  z.strictObject({ move: z.literal('lin'), name: name.optional(), to: target, ...settings }),
  z.strictObject({
    move: z.literal('circ'),
    name: name.optional(),
    to: target,
    via: target.optional(),
    center: triple.optional(),
    angle: positive.optional(),
    ...settings,
  }),
  z.strictObject({ move: z.literal('spline'), name: name.optional(), through: z.array(target).min(1), ...settings }),
  z.strictObject({
    move: z.literal('seam'),
    name: name.optional(),
    along: z.array(target).min(2),
    shape: z.enum(['lin', 'spline']).optional(),
    free: z.enum(['x', 'y', 'z']),
    range: z.tuple([number, number], 'expected [least, largest]').optional(),
    samples: z.int().min(2).max(10_000).optional(),
    ...settings,
  }),
  z.strictObject({ move: z.literal('wait'), name: name.optional(), seconds: number.nonnegative() }),
]);

const schema = z.strictObject({
  format: z.literal(MOTION_FORMAT),
  name: name.optional(),
  tool: z.strictObject({ frame: name, offset: pose.optional() }),
  frames: z.record(name, pose).optional(),
  points: z.record(name, point).optional(),
  start: joints.optional(),
  defaults: z.strictObject(settings).optional(),
  moves: z.array(move),
});

/** A program, or issues that name the element: `moves[2].to: got ..., expected ...`. Never throws on content. */
export function parseMotionFile(text: string, options: { readonly file?: string } = {}): Parsed<MotionProgram> {
  requireSource('parseMotionFile', text, options);
  const { file } = options;
  const error = (code: string, message: string, element?: string): Issue => ({
    severity: 'error',
    code,
    file,
    element,
    message,
  });
  const fail = (...issues: Issue[]): Parsed<MotionProgram> => ({ value: null, issues });
  if (text.length > MOST_CHARACTERS) return fail(error('too-large', 'the file is too large to be a program'));
  const source = text.replace(/^\uFEFF/, '');
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch (fault) {
    return fail(error('not-json', `not JSON: ${(fault as Error).message}`));
  }
  const repeated = describeRepeatedKey(source);
  if (repeated) return fail(error('duplicate-key', repeated));
  const read = schema.safeParse(data);
  if (read.success) return { value: read.data, issues: [] };
  return fail(
    ...describeFaults(read.error, data).map(({ path, message }) => {
      const element = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
      return error('bad-program', message, element.replace(/^\./, ''));
    }),
  );
}
