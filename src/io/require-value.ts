/** The value of a file that is to be used as it is: the short way for programs that do not go on after a fault. */
import { requireObject } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { formatIssue, type Parsed, requireIssues } from './issue.js';

/**
 * The value of what a reader or loader gave. Throws when there is none, or when an issue is an error, with every error in the
 * message: an answer that ignores them could be wrong. Warnings pass.
 */
export function requireValue<T>(parsed: Parsed<T>): T {
  requireObject('requireValue', 'parsed', parsed, 'what a reader returned: an object with value and issues');
  requireIssues('requireValue', 'parsed.issues', parsed.issues);
  const errors = parsed.issues.filter(({ severity }) => severity === 'error');
  if (parsed.value !== null && errors.length === 0) return parsed.value;
  const lines = errors.map((issue) => `\n  ${formatIssue(issue)}`).join('') || ' nothing';
  throw new MisuseError(`requireValue: file, got${lines}\nexpected one without errors`);
}
