/**
 * Polygons of an SVG drawing: `path`, `polygon`, `rect`, `circle` and `ellipse`, in groups too.
 *
 * Curves become chords within a width; y is turned up. Rings of one element are combined by even-odd. What is not read is an error that says so:
 * transforms, other elements that draw (text, images, uses, open lines), percentages and units. Presentation is not looked at, but for
 * `display="none"`, which hides. Tested by svg.test.ts.
 */
import { requireOptions, requirePositiveNumber, requireText } from '../../math/arguments.js';
import type { Polygon } from '../../plane/polygon.js';
import type { Issue, Parsed } from '../issue.js';
import { childElements, parseXml, type XmlElement } from '../xml/xml.js';
import { parseSvgPath } from './svg-path.js';

export interface SvgOptions {
  /** How far chords may be from curves, in the drawing's units; 0.01 unless said otherwise. */
  readonly width?: number;
}

const containers = ['svg', 'g', 'a'];
/** They draw nothing by themselves. */
const silent = ['title', 'desc', 'metadata', 'defs', 'style', 'sodipodi:namedview'];

export function parseSvg(text: string, options: SvgOptions = {}): Parsed<readonly Polygon[]> {
  requireText('parseSvg', 'text', text);
  requireOptions('parseSvg', options, { width: requirePositiveNumber });
  const { value: root, issues: faults } = parseXml(text);
  if (root === null) return { value: null, issues: faults };
  const issues: Issue[] = [...faults];
  if (root.name !== 'svg') {
    issues.push({ severity: 'error', code: 'no-svg', message: `the root is <${root.name}>, expected <svg>` });
    return { value: null, issues };
  }
  const polygons: Polygon[] = [];
  visit(root, { width: options.width ?? 0.01, issues, polygons });
  const hasFailed = polygons.length === 0 && issues.some(({ severity }) => severity === 'error');
  return { value: hasFailed ? null : polygons, issues };
}

interface Reading {
  readonly width: number;
  readonly issues: Issue[];
  readonly polygons: Polygon[];
}

function visit(root: XmlElement, reading: Reading): void {
  const stack = [root];
  while (stack.length > 0) {
    const element = stack.pop()!;
    const { name, attributes } = element;
    if (silent.includes(name) || attributes.get('display') === 'none') continue;
    const drop = (message: string): void => {
      const { line } = element;
      reading.issues.push({
        severity: 'error',
        code: 'svg-element',
        line,
        element: `<${name}>`,
        message,
        assumes: 'dropped',
      });
    };
    if (attributes.has('transform')) {
      drop('a transform is not applied: flatten the drawing first; left out');
      continue;
    }
    if (containers.includes(name)) {
      stack.push(...childElements(element).reverse());
      continue;
    }
    const path = toPath(element);
    if (path === null) {
      drop('it is no path, polygon, rect, circle or ellipse with plain numbers; left out');
      continue;
    }
    const { value, issues } = parseSvgPath(path, { width: reading.width });
    for (const issue of issues) reading.issues.push({ ...issue, line: element.line });
    reading.polygons.push(...(value ?? []));
  }
}

/** The data of the path that draws the same; null where it is not known. */
function toPath({ name, attributes }: XmlElement): string | null {
  const numbers = (...names: string[]): number[] | null => {
    const values = names.map((key) => (attributes.get(key) ?? '0').trim());
    return values.every((value) => value !== '' && Number.isFinite(Number(value))) ? values.map(Number) : null;
  };
  if (name === 'path') return attributes.get('d') ?? null;
  if (name === 'polygon') return attributes.has('points') ? `M${attributes.get('points')}Z` : null;
  if (name === 'rect') {
    const found = attributes.has('rx') || attributes.has('ry') ? null : numbers('x', 'y', 'width', 'height');
    if (found === null) return null;
    const [x, y, w, h] = found;
    return `M${x} ${y}H${x + w}V${y + h}H${x}Z`;
  }
  if (name !== 'circle' && name !== 'ellipse') return null;
  const found = name === 'circle' ? numbers('cx', 'cy', 'r', 'r') : numbers('cx', 'cy', 'rx', 'ry');
  if (found === null) return null;
  const [x, y, rx, ry] = found;
  return `M${x - rx} ${y}A${rx} ${ry} 0 0 0 ${x + rx} ${y}A${rx} ${ry} 0 0 0 ${x - rx} ${y}Z`;
}
