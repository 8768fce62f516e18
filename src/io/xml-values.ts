/** Typed reading of attributes, with issues that name the element, the place and the remedy. */
import type { Issue } from './issue.js';
import { childElements, describeElement, type XmlElement } from './xml.js';

/** Beyond this a broken file only repeats itself. */
const MAX_ISSUES = 1000;

/** Collects issues in the order found. */
export class IssueList {
  readonly issues: Issue[] = [];

  constructor(readonly file?: string) {}

  error(code: string, element: XmlElement | undefined, message: string): void {
    this.add('error', code, element, message);
  }

  warn(code: string, element: XmlElement | undefined, message: string): void {
    this.add('warning', code, element, message);
  }

  info(code: string, element: XmlElement | undefined, message: string): void {
    this.add('info', code, element, message);
  }

  append(issues: readonly Issue[]): void {
    for (const issue of issues) this.push(issue);
  }

  private add(severity: Issue['severity'], code: string, element: XmlElement | undefined, message: string): void {
    this.push({
      severity,
      code,
      file: element?.file ?? this.file,
      line: element && element.line > 0 ? element.line : undefined,
      element: element && describeElement(element),
      message,
    });
  }

  private push(issue: Issue): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push(issue);
    else if (this.issues.length === MAX_ISSUES) {
      const message = `more than ${MAX_ISSUES} issues; the rest is left out, correct the first ones and read again`;
      this.issues.push({ severity: 'warning', code: 'too-many-issues', file: this.file, message });
    }
  }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A finite decimal number, or null: no hex, no units, no trailing text. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** The attribute's value, or undefined and an error when it is absent or blank. */
export function requireAttribute(element: XmlElement, name: string, issues: IssueList): string | undefined {
  const value = element.attributes.get(name);
  if (value !== undefined && value.trim() !== '') return value;
  issues.error('missing-attribute', element, `attribute "${name}" is missing; write ${name}="..."`);
  return undefined;
}

/** One number; undefined when absent, or when it is not a number (then with an error). */
export function readNumber(element: XmlElement, name: string, issues: IssueList): number | undefined {
  const text = element.attributes.get(name);
  if (text === undefined) return undefined;
  const value = parseNumber(text);
  if (value !== null) return value;
  issues.error('bad-number', element, `${name}="${clip(text)}" is not a number; write one such as ${name}="0.5"`);
  return undefined;
}

/** Exactly `count` numbers separated by blanks; undefined when absent or wrong (then with an error). */
export function readNumbers(element: XmlElement, name: string, count: number, issues: IssueList): number[] | undefined {
  const text = element.attributes.get(name);
  if (text === undefined) return undefined;
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/, count + 1);
  if (words.length !== count) {
    const found = words.length > count ? `more than ${count}` : `${words.length}`;
    issues.error('bad-number-count', element, `${name}="${clip(text)}" has ${found} numbers; write ${count}`);
    return undefined;
  }
  const values: number[] = [];
  for (const word of words) {
    const value = parseNumber(word);
    if (value === null) {
      const hint = word.includes(',') ? '; separate numbers by blanks, not commas' : '; write finite decimal numbers';
      issues.error('bad-number', element, `${name}="${clip(text)}": "${clip(word)}" is not a number${hint}`);
      return undefined;
    }
    values.push(value);
  }
  return values;
}

/** The only child of a name; a second one is reported and ignored. */
export function onlyChild(element: XmlElement, name: string, issues: IssueList): XmlElement | undefined {
  const found = childElements(element, name);
  if (found.length > 1) {
    const owner = describeElement(element);
    issues.warn(
      'repeated-element',
      found[1],
      `${owner} has ${found.length} <${name}>; the first counts, delete the rest`,
    );
  }
  return found[0];
}

/** Shortens file content for a message. */
export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
