import { requireList, requireObject, requireOneOf, requireText } from '../math/arguments.js';
import type { Assumption } from '../scene/description.js';

/** What a reader found wrong in a file: readers never throw for content, they return issues. */
export interface Issue {
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable kebab-case identifier, for programs. */
  readonly code: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** Name of the element, e.g. `joint "elbow"`. */
  readonly element?: string;
  /** What is wrong and what to do about it. */
  readonly message: string;
  /** Set where an answer can depend on it: something was left out, changed or guessed. */
  readonly assumes?: Assumption['kind'];
}

/** What of these an answer built on the value has to say (`complete`, `assumed`). */
export function toAssumptions(issues: readonly Issue[]): Assumption[] {
  requireIssues('toAssumptions', 'issues', issues);
  return issues.flatMap(({ assumes, element, file, line, message }) =>
    assumes === undefined
      ? []
      : [
          {
            kind: assumes,
            element: element ?? [file ?? 'file', ...(line === undefined ? [] : [line])].join(':'),
            message,
          },
        ],
  );
}

/** `value` is null when an error left nothing usable. */
export interface Parsed<T> {
  readonly value: T | null;
  readonly issues: readonly Issue[];
}

/** One line for people: `file:line: severity: message (element) [code]`. */
export function formatIssue(issue: Issue): string {
  requireIssue('formatIssue', 'issue', issue);
  const place = issue.file
    ? `${issue.file}${issue.line ? `:${issue.line}` : ''}: `
    : issue.line
      ? `line ${issue.line}: `
      : '';
  const element = issue.element ? ` (${issue.element})` : '';
  return `${place}${issue.severity}: ${issue.message}${element} [${issue.code}]`;
}

/** Of an issue, what messages are made of. */
export function requireIssue(call: string, what: string, issue: Issue): void {
  requireObject(call, what, issue, 'an issue: an object with severity, code and message');
  requireOneOf(call, `${what}.severity`, issue.severity, ['error', 'warning', 'info']);
  requireText(call, `${what}.code`, issue.code);
  requireText(call, `${what}.message`, issue.message);
}

export function requireIssues(call: string, what: string, issues: unknown): void {
  requireList(call, what, issues, 'a list of issues');
  (issues as Issue[]).forEach((issue, i) => {
    requireIssue(call, `${what}[${i}]`, issue);
  });
}
