/** What a structure's answers rest on, from the issues of its file. */
import type { Structure } from '../../molecule/structure.js';
import { type Parsed, toAssumptions } from '../issue.js';

/** Notes at the structure itself what its reader dropped, altered or guessed; how many more there were goes into the words. */
export function noteAssumptions({ value, issues }: Parsed<Structure>): Parsed<Structure> {
  if (!value) return { value, issues };
  const more = new Map(
    issues.filter(({ severity }) => severity === 'info').map(({ code, message }) => [code, message]),
  );
  const told = issues.map((issue) =>
    issue.assumes !== undefined && more.has(issue.code)
      ? { ...issue, message: `${issue.message}; ${more.get(issue.code)}` }
      : issue,
  );
  const assumed = toAssumptions(told);
  return { value: assumed.length > 0 ? { ...value, assumed } : value, issues };
}
