/**
 * Chain files (JSON): links in a row with a shape each, as scene files write shapes, and a joint between each two.
 *
 *   { "links": [{ "shape": { "type": "sphere", "radius": 1 }, "pose"?: [x, y, z, qx, qy, qz, qw] }, ...],
 *     "joints": [{ "type": "revolute", "origin": pose, "axis"?: [x, y, z] }, ...],   one fewer than links
 *     "exclusion"?: n }
 *
 * Joint types: revolute, prismatic, spherical, fixed. Beside the shapes of scene files a link may be
 * { "type": "balls", "centers": [x, y, z, ...], "radii": [r, ...] }. Shapes that name a file are refused: a chain file
 * stands alone. What the numbers must satisfy is createChain's to check. Test: chain-file.test.ts.
 */

import { z } from 'zod';
import type { ChainDescription, ChainLink } from '../chain/chain.js';
import { createShapeResolver } from '../scene/resolve-shape.js';
import { FileIssues } from './file-issues.js';
import { requireSource } from './io-door.js';
import type { Parsed } from './issue.js';
import { parseShapeDescription } from './scene-file.js';

const MAX_LENGTH = 256 * 1024 * 1024;

const number = z.number();
const pose = z.tuple([number, number, number, number, number, number, number]);
const balls = z.strictObject({ type: z.literal('balls'), centers: z.array(number), radii: z.array(number) });
const schema = z.strictObject({
  links: z.array(z.strictObject({ shape: z.looseObject({ type: z.string() }), pose: pose.optional() })).min(1),
  joints: z.array(
    z.strictObject({
      type: z.enum(['revolute', 'prismatic', 'spherical', 'fixed']),
      origin: pose,
      axis: z.tuple([number, number, number]).optional(),
    }),
  ),
  exclusion: number.optional(),
});

/** Reads a chain file; `value` is null when anything in it cannot be used as written. */
export function parseChainFile(text: string, options: { readonly file?: string } = {}): Parsed<ChainDescription> {
  requireSource('parseChainFile', text, options);
  const issues = new FileIssues(options.file);
  const refuse = (code: string, message: string, element?: string): void => {
    issues.add('error', code, message, { element });
  };
  if (text.length > MAX_LENGTH) {
    refuse('chain-too-large', `${text.length} characters, at most ${MAX_LENGTH} are read`);
    return { value: null, issues: issues.list };
  }
  let content: unknown;
  try {
    content = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    refuse('bad-json', `not valid JSON: ${(error as SyntaxError).message}; correct the punctuation there`);
    return { value: null, issues: issues.list };
  }
  const checked = schema.safeParse(content);
  if (!checked.success) {
    for (const { path, message } of checked.error.issues) refuse('bad-chain', message, path.join('.') || undefined);
    return { value: null, issues: issues.list };
  }
  const { links, joints, exclusion } = checked.data;
  if (joints.length !== links.length - 1) {
    refuse('bad-chain', `${joints.length} joints for ${links.length} links, expected one fewer than links`, 'joints');
  }
  const resolver = createShapeResolver(new Map());
  const toShape = (shape: { type: string }, element: string): ChainLink['shape'] | undefined => {
    if (shape.type === 'balls') {
      const cluster = balls.safeParse(shape);
      if (cluster.success) {
        const { centers, radii } = cluster.data;
        if (centers.length !== 3 * radii.length) {
          const message = `${centers.length} numbers of centers for ${radii.length} radii, expected three each`;
          refuse('bad-chain', message, `${element}.centers`);
        }
        return { type: 'balls', centers: Float64Array.from(centers), radii: Float64Array.from(radii) };
      }
      for (const { path, message } of cluster.error.issues)
        refuse('bad-chain', message, `${element}.${path.join('.')}`);
      return undefined;
    }
    const { value, issues: found } = parseShapeDescription(shape);
    for (const { severity, code, message } of found) if (severity === 'error') refuse(code, message, element);
    if (!value) return undefined;
    const resolved = resolver.resolve(value);
    if (!resolved) refuse('file-in-chain', 'names a file; write the shape out, a chain file stands alone', element);
    return resolved;
  };
  const made = links.map(({ shape, pose: own }, i) => ({ shape: toShape(shape, `links.${i}.shape`), pose: own }));
  if (issues.list.length > 0) return { value: null, issues: issues.list };
  return { value: { links: made as ChainLink[], joints, exclusion }, issues: issues.list };
}
