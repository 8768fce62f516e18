/**
 * Arguments that were given to a file which has none of their names: a misspelled one would leave the default in its place
 * without a word.
 *
 * A robot and its semantic description get the same arguments: one that either has is known.
 * Test: arguments.test.ts.
 */
import type { Issue } from '../../issue.js';

const CODE = 'xacro-unknown-argument';

/** A warning for each argument that is none of `known`; null: the file is no xacro file. */
export function unknownArguments(
  { file, args = {} }: { readonly file?: string; readonly args?: Readonly<Record<string, string>> },
  known: readonly string[] | null,
): Issue[] {
  const has =
    known === null
      ? 'the file is no xacro file, so nothing takes it'
      : `the file has no argument of that name${known.length === 0 ? '' : `, it has ${known.join(', ')}`}`;
  return Object.keys(args)
    .filter((name) => !known?.includes(name))
    .map((name) => ({ severity: 'warning', code: CODE, file, element: `argument "${name}"`, message: has }));
}

/** Of the issues of `files` files that got the same arguments: an argument that one of them has is no fault. */
export function joinArgumentIssues(issues: readonly Issue[], files: number): Issue[] {
  const counts = new Map<string | undefined, number>();
  for (const { code, element } of issues) if (code === CODE) counts.set(element, (counts.get(element) ?? 0) + 1);
  const told = new Set<string | undefined>();
  return issues.filter(({ code, element }) => {
    if (code !== CODE) return true;
    const isFirst = !told.has(element);
    told.add(element);
    return isFirst && (counts.get(element) ?? 0) >= files;
  });
}
