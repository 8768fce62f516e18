/**
 * Optimisation problems as JSON, for `clearance optimise`:
 * `{"schema":"clearance.optimisation/1","start"?:q,"goal":q,"initial"?:[[q,...],...],"method"?:"trajopt"|"chomp","segments"?:n,"clearance"?:m,
 * "resolution"?:rad,"seeds"?:n,"seed"?:n,"maxIterations"?:n,"all"?:bool,"limits"?:{"step":s,"velocity"?,"acceleration"?}}`, q in any of the ways
 * of the command line. A field that nothing reads is an error. Tested by optimisation-file.test.ts.
 */
import { z } from 'zod';
import type { OptimisationDescription } from '../../control/paths/description.js';
import { requireText } from '../../math/arguments.js';
import type { Parsed } from '../issue.js';
import { parseJsonBySchema } from '../json-by-schema.js';
import { describeRepeatedKey } from '../json-scan.js';

const positive = z.number().positive();
const count = z.number().int().positive();
const configuration = z.union([
  z.string().min(1),
  z.array(z.number()),
  z.record(z.string(), z.union([z.number(), z.array(z.number())])),
]);
const limit = z.union([positive, z.array(positive)]);

const schema = z.strictObject({
  schema: z.literal('clearance.optimisation/1'),
  start: configuration.optional(),
  goal: configuration,
  initial: z.array(z.array(configuration).min(2)).optional(),
  method: z.enum(['trajopt', 'chomp']).optional(),
  segments: z.number().int().min(2).max(10_000).optional(),
  clearance: positive.optional(),
  resolution: positive.optional(),
  seeds: count.optional(),
  seed: z.number().int().nonnegative().optional(),
  maxIterations: count.optional(),
  all: z.boolean().optional(),
  limits: z.strictObject({ step: positive, velocity: limit.optional(), acceleration: limit.optional() }).optional(),
});

/** A problem, or the first thing that is wrong with it. */
export function parseOptimisationFile(text: string): Parsed<OptimisationDescription> {
  requireText('parseOptimisationFile', 'text', text);
  const read = parseJsonBySchema<OptimisationDescription>(text, schema, 'optimisation problem');
  const repeated = read.value ? describeRepeatedKey(text.replace(/^\uFEFF/, '')) : null;
  if (repeated === null) return read;
  return { value: null, issues: [{ severity: 'error', code: 'duplicate-key', message: repeated }] };
}
