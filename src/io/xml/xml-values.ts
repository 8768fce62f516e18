/** Typed reading of attributes, with issues that name the element, the place and the remedy. */
import { FileIssues } from '../file-issues.js';
import type { Issue } from '../issue.js';
import { childElements, describeElement, type XmlElement } from './xml.js';

/** What a fault does to an answer; null where no answer depends on it. */
export type Effect = Issue['assumes'] | null;

/** The issues of an XML file, which name the element they are about and whose it is. */
export class XmlIssues {
  private readonly file: FileIssues;
  /** The link or joint being read: messages about nameless elements in it name it. */
  owner: XmlElement | undefined;
  /** What an error does to an answer when it is not said: null while something is read that no answer depends on. */
  effect: Effect = 'dropped';
  /** What becomes of that which is being read when it has an error; ends the message. */
  loss = '';
  /** Prefixes that the document declares: their elements and attributes are other programs'. */
  readonly namespaces = new Set<string>();

  constructor(file?: string) {
    this.file = new FileIssues(file);
  }

  get issues(): readonly Issue[] {
    return this.file.list;
  }

  /** Where `effect` is null an error matters to no answer, and is a warning. */
  error(code: string, element: XmlElement | undefined, message: string, effect = this.effect): void {
    const text = this.loss === '' ? message : `${message}; ${this.loss}`;
    if (this.effect === null || effect === null) this.add('warning', code, element, text, null);
    else this.add('error', code, element, text, effect);
  }

  warn(code: string, element: XmlElement | undefined, message: string, effect: Effect = null): void {
    this.add('warning', code, element, message, this.effect && effect);
  }

  info(code: string, element: XmlElement | undefined, message: string): void {
    this.add('info', code, element, message, null);
  }

  declareNamespaces(root: XmlElement): void {
    for (const name of root.attributes.keys()) if (name.startsWith('xmlns:')) this.namespaces.add(name.slice(6));
  }

  /** Whether the name has a prefix that the document declares. */
  isForeign(name: string): boolean {
    const colon = name.indexOf(':');
    return colon > 0 && this.namespaces.has(name.slice(0, colon));
  }

  append(issues: readonly Issue[]): void {
    for (const issue of issues) this.file.push(issue);
  }

  private add(
    severity: Issue['severity'],
    code: string,
    element: XmlElement | undefined,
    message: string,
    effect: Effect,
  ): void {
    this.file.add(severity, code, message, {
      file: element?.file,
      line: element && element.line > 0 ? element.line : undefined,
      element: element && this.describe(element),
      assumes: effect ?? undefined,
    });
  }

  private describe(element: XmlElement): string {
    const { owner } = this;
    const own = describeElement(element);
    return owner === undefined || owner === element ? own : `${own} of ${describeElement(owner)}`;
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
export function requireAttribute(element: XmlElement, name: string, issues: XmlIssues): string | undefined {
  const value = element.attributes.get(name);
  if (value !== undefined && value.trim() !== '') return value;
  issues.error('missing-attribute', element, `attribute "${name}" is missing; write ${name}="..."`);
  return undefined;
}

/** One number; undefined when absent, or when it is not a number (then with an error). */
export function readNumber(element: XmlElement, name: string, issues: XmlIssues): number | undefined {
  const text = element.attributes.get(name);
  if (text === undefined) return undefined;
  const value = parseNumber(text);
  if (value !== null) return value;
  issues.error('bad-number', element, `${name}="${clip(text)}" is not a number; write one such as ${name}="0.5"`);
  return undefined;
}

/** Exactly `count` numbers separated by blanks; undefined when absent or wrong (then with an error). */
export function readNumbers(element: XmlElement, name: string, count: number, issues: XmlIssues): number[] | undefined {
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

/** The only child of a name; a second one is reported and ignored, with what its loss does to an answer. */
export function onlyChild(
  element: XmlElement,
  name: string,
  issues: XmlIssues,
  effect: Effect = 'guessed',
): XmlElement | undefined {
  const found = childElements(element, name);
  if (found.length > 1) {
    const owner = describeElement(element);
    const message = `${owner} has ${found.length} <${name}>; the first counts, delete the rest`;
    if (effect === 'dropped') issues.error('repeated-element', found[1], message);
    else issues.warn('repeated-element', found[1], message, effect);
  }
  return found[0];
}

/**
 * Attributes that the element does not have in its format: a misspelt one leaves a default in its place. False when one is
 * close to a known one, which is an error.
 */
export function reportUnknownAttributes(element: XmlElement, known: readonly string[], issues: XmlIssues): boolean {
  let sound = true;
  for (const name of element.attributes.keys()) {
    if (known.includes(name) || name.startsWith('xmlns')) continue;
    const close = closestName(
      name,
      known.filter((other) => !element.attributes.has(other)),
    );
    if (close === undefined && issues.isForeign(name)) continue;
    const message = `attribute "${clip(name)}" of <${element.name}> is not known and is ignored`;
    if (close === undefined)
      issues.warn('unknown-attribute', element, `${message}; known are ${known.join(', ')}`, 'guessed');
    else {
      issues.error('unknown-attribute', element, `${message}; did you mean "${close}"?`);
      sound = false;
    }
  }
  return sound;
}

/** Text among elements that looks like one without its bracket: names and remarks that people leave there are let be. */
const LOST_ELEMENT = /=\s*["']|\/>/;

export function reportLostElements(element: XmlElement, issues: XmlIssues): void {
  for (const child of element.children) {
    if (typeof child !== 'string' || !LOST_ELEMENT.test(child)) continue;
    const message = `text in ${describeElement(element)} looks like an element: "${clip(child.trim())}"; is a "<" missing?`;
    issues.error('stray-text', element, message);
  }
}

/**
 * A name that differs in case, dashes or underscores, or in one letter (from three on) or two (from five on), not in the
 * digits that it has.
 */
export function closestName(name: string, names: Iterable<string>): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_\s]/g, '');
  const digits = (text: string): string => text.replace(/\D+/g, ' ').trim();
  const wanted = plain(name);
  let best: string | undefined;
  let least = Math.min(3, Math.ceil(wanted.length / 2));
  for (const other of names) {
    const own = plain(other);
    if (own === wanted) return other;
    if (Math.abs(own.length - wanted.length) >= least || wanted.length > 64) continue;
    if (digits(own) !== '' && digits(own) !== digits(wanted)) continue;
    const distance = editDistance(wanted, own);
    if (distance >= least) continue;
    best = other;
    least = distance;
  }
  return best;
}

/** Letters to insert, delete or exchange (neighbours changing places count once). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
      }
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}

/** Shortens file content for a message. */
export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
