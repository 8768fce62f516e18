/**
 * What a command's answers rest on: whatever a reader dropped, altered or guessed on the way to them.
 *
 * An error, or something dropped, ends the command with exit status 2, since a verdict could be wrong; with --allow-missing it
 * goes on and every answer says so. What was altered or guessed stands in the answers either way.
 */
import type { Issue } from '../io/issue.js';
import { assumptionsOfIssues, formatAssumption } from '../scene/assumptions.js';
import type { Assumption } from '../scene/description.js';
import { UsageError } from './exit.js';

/** Longer lists only repeat themselves. */
const MAX_LISTED = 20;

/** Fields of an answer: none where nothing was assumed. */
export type GroundFields = { readonly complete?: boolean; readonly assumed?: readonly string[] };

export interface GroundArguments {
  readonly allowMissing?: boolean;
}

/** Throws where a verdict over the file could be wrong; `missing` are links whose meshes could not be loaded. */
export function requireSound(
  file: string,
  issues: readonly Issue[],
  { allowMissing }: GroundArguments,
  missing: readonly string[] = [],
): void {
  if (allowMissing) return;
  if (missing.length > 0) {
    const links = [...new Set(missing)].join(', ');
    throw new UsageError(
      `${file}: ${missing.length} ${missing.length === 1 ? 'mesh' : 'meshes'} could not be loaded (links ${links}), so a verdict could be wrong; ` +
        'see the messages above, name packages with --package NAME=DIR, or go on without them with --allow-missing',
    );
  }
  const dropped = issues.filter(({ severity, assumes }) => severity === 'error' || assumes === 'dropped').length;
  if (dropped === 0) return;
  const count = dropped === 1 ? 'an error' : `${dropped} errors`;
  throw new UsageError(
    `${file}: ${count} in what was read, so a verdict could be wrong; correct what the messages above say, or go on with --allow-missing`,
  );
}

/** What was assumed while a robot was read; throws where something is missing that an answer would not show. */
export function modelMissing(file: string, issues: readonly Issue[], args: GroundArguments): Assumption[] {
  requireSound(file, issues, args);
  return assumptionsOfIssues(issues);
}

/** What each answer over these grounds says. */
export function toGroundFields(assumed: readonly Assumption[]): GroundFields {
  if (assumed.length === 0) return {};
  const texts = [...new Set(assumed.map(formatAssumption))];
  const more = texts.length - MAX_LISTED;
  return {
    complete: assumed.every(({ kind }) => kind !== 'dropped'),
    assumed: more > 0 ? [...texts.slice(0, MAX_LISTED), `and ${more} more`] : texts,
  };
}

/** What rests on both. */
export function joinGrounds(a: GroundFields, b: GroundFields): GroundFields {
  if (!a.assumed || !b.assumed) return a.assumed ? a : b;
  return {
    complete: a.complete !== false && b.complete !== false,
    assumed: [...new Set([...a.assumed, ...b.assumed])],
  };
}

/** For people, after an answer or a summary. */
export function groundText({ complete, assumed }: GroundFields): string {
  if (!assumed) return '';
  const count = assumed.length === 1 ? 'an assumption' : `${assumed.length} assumptions`;
  return complete === false ? ` (incomplete: ${count}, see above)` : ` (under ${count}, see above)`;
}
