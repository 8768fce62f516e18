/**
 * What a schema found wrong in JSON, in the project's words: `got X, expected Y`.
 *
 * Of a value that fits none of several forms the nearest form's fault is told (the one found deepest in the value), else
 * what each form expects. Tested by schema-words.test.ts.
 */
import type { z } from 'zod';

export interface SchemaFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Keys that no schema knows; the fault is no other one then. */
  readonly keys?: readonly string[];
}

type ZodIssue = z.core.$ZodIssue;
/** How a schema's own messages begin. */
const OWN_WORDS = 'expected ';

/** Everything wrong in `content`, in the order found. */
export function describeFaults(error: z.ZodError, content: unknown): SchemaFault[] {
  return error.issues.map((issue) => describeFault(issue, content));
}

/** The first of them with its place, as one text. */
export function describeFirstFault(error: z.ZodError, content: unknown): string {
  const [{ path, message }] = describeFaults(error, content);
  return path.length === 0 ? message : `${formatPath(path)}: ${message}`;
}

/** `objects[2].pose` */
function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) text += typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${String(key)}`;
  return text;
}

function describeFault(issue: ZodIssue, content: unknown): SchemaFault {
  const { path } = issue;
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = findNearest(issue.errors);
    if (nearest) return describeFault({ ...nearest, path: [...path, ...nearest.path] } as ZodIssue, content);
  }
  const got = valueAt(content, path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${key}"`).join(', ');
    return { path, keys: issue.keys, message: `got ${names}, which is not known here` };
  }
  return { path, message: `got ${describeValue(got)}, expected ${expectation(issue)}` };
}

/** The fault found deepest in the value, where one form's lies deeper than the others'. */
function findNearest(forms: readonly (readonly ZodIssue[])[]): ZodIssue | null {
  const depths = forms.map((faults) => Math.max(...faults.map(({ path }) => path.length)));
  const deepest = Math.max(...depths);
  if (deepest === 0 || depths.filter((depth) => depth === deepest).length > 1) return null;
  return forms[depths.indexOf(deepest)].find(({ path }) => path.length === deepest) ?? null;
}

function expectation(issue: ZodIssue): string {
  // A schema's own words, where it has some.
  if (issue.message.startsWith(OWN_WORDS)) return issue.message.slice(OWN_WORDS.length);
  switch (issue.code) {
    case 'invalid_type':
      return nameType(issue.expected);
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return boundText('at least', 'more than', issue.minimum, issue.inclusive, issue.origin);
    case 'too_big':
      return boundText('at most', 'less than', issue.maximum, issue.inclusive, issue.origin);
    case 'invalid_union':
      return describeForms(issue);
    default:
      return issue.message;
  }
}

function describeForms(issue: Extract<ZodIssue, { code: 'invalid_union' }>): string {
  // A union told apart by a key of it: the key's values.
  const { options, discriminator } = issue as { options?: readonly unknown[]; discriminator?: string };
  if (options) return `one of ${options.map((value) => JSON.stringify(value)).join(', ')}`;
  if (discriminator !== undefined) return `another "${discriminator}"`;
  const forms = issue.errors.map((faults) => expectation(faults[0]));
  return [...new Set(forms)].join(', or ');
}

function boundText(
  inclusive: string,
  exclusive: string,
  bound: number | bigint,
  isInclusive: boolean | undefined,
  origin: string,
): string {
  const words = `${isInclusive === false ? exclusive : inclusive} ${bound}`;
  if (origin === 'array') return `a list of ${words} entries`;
  if (origin === 'string') return bound === 1 ? 'a text that is not empty' : `a text of ${words} characters`;
  return origin === 'number' && !isInclusive && bound === 0 ? 'a number above 0' : `a number of ${words}`;
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  tuple: 'a list',
  string: 'a text',
  number: 'a finite number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
};

const nameType = (type: string): string => TYPES[type] ?? type;

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  let at = content;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

/** Short, and recognisable in the file. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if ((typeof value === 'number' && !Number.isFinite(value)) || typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length <= 60 ? text : `${text.slice(0, 56)} ...`;
}
