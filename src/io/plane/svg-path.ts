/**
 * Rings of SVG path data (the `d` attribute): lines, Bezier curves and arcs, curves as chords within a width.
 *
 * All commands of SVG 2, section 9.3, absolute and relative; numbers may follow each other without a blank. Subpaths are closed as
 * filling closes them. y points down in SVG: `flip` (the default) turns it up. Which rings are holes is the drawing's fill rule; here rings
 * are combined by even-odd, so a ring within a ring is a hole. Tested by svg-path.test.ts.
 */
import { requireFlag, requireOptions, requirePositiveNumber, requireText } from '../../math/arguments.js';
import { flattenArc, flattenCubic, flattenQuadratic } from '../../plane/curves.js';
import { isPlaneCoordinate, type PlanePoint, type Polygon, validatePolygon } from '../../plane/polygon.js';
import { combinePolygons } from '../../plane/region.js';
import type { Issue, Parsed } from '../issue.js';

export interface SvgPathOptions {
  /** How far chords may be from curves, in the path's units; 0.01 unless said otherwise. */
  readonly width?: number;
  /** y up; true unless said otherwise. */
  readonly flip?: boolean;
}

/** Numbers that a command takes at a time. */
const counts: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

export function parseSvgPath(text: string, options: SvgPathOptions = {}): Parsed<readonly Polygon[]> {
  requireText('parseSvgPath', 'text', text);
  requireOptions('parseSvgPath', options, {
    width: requirePositiveNumber,
    flip: requireFlag,
  });
  const issues: Issue[] = [];
  const rings = new PathReader(text, options.width ?? 0.01, issues).read();
  const up = options.flip === false ? 1 : -1;
  let polygons: readonly Polygon[] = [];
  for (const [i, ring] of rings.entries()) {
    const element = `subpath ${i + 1}`;
    const points = ring.map(([x, y]): PlanePoint => [x, up * y]);
    if (!points.every((point) => point.every(isPlaneCoordinate))) {
      issues.push({
        severity: 'error',
        code: 'out-of-range',
        element,
        message: 'coordinates beyond 1e15',
        assumes: 'dropped',
      });
      continue;
    }
    const [fault] =
      points.length < 3 ? [{ fault: 'too-few-points', message: 'it has no area' }] : validatePolygon({ outer: points });
    if (fault !== undefined) {
      issues.push({
        severity: 'error',
        code: fault.fault,
        element,
        message: `${fault.message}: left out`,
        assumes: 'dropped',
      });
      continue;
    }
    polygons =
      polygons.length === 0 ? [{ outer: points }] : combinePolygons('xor', polygons, [{ outer: points }]).polygons;
  }
  const hasFailed = polygons.length === 0 && issues.some(({ severity }) => severity === 'error');
  return { value: hasFailed ? null : polygons, issues };
}

class PathReader {
  private at = 0;
  private here: PlanePoint = [0, 0];
  private first: PlanePoint = [0, 0];
  /** Last control point of a curve of the same kind, which S and T reflect. */
  private control: PlanePoint | null = null;
  private last = '';
  private ring: PlanePoint[] = [];
  private readonly rings: PlanePoint[][] = [];

  constructor(
    private readonly text: string,
    private readonly width: number,
    private readonly issues: Issue[],
  ) {}

  read(): readonly PlanePoint[][] {
    let command = '';
    for (;;) {
      this.skip();
      if (this.at >= this.text.length) break;
      const letter = this.text[this.at];
      if (/[A-Za-z]/.test(letter)) {
        command = letter;
        this.at++;
      } else if (command === 'M') command = 'L';
      else if (command === 'm') command = 'l';
      const kind = command.toUpperCase();
      const numbers = Object.hasOwn(counts, kind) ? this.readNumbers(kind) : null;
      if (numbers === null || (this.last === '' && kind !== 'M') || (kind === 'Z' && letter !== command)) {
        this.issues.push({
          severity: 'error',
          code: 'bad-path',
          element: `character ${this.at + 1}`,
          message: `got ${JSON.stringify(this.text.slice(this.at, this.at + 12))}, expected a path command and its numbers; the rest was left out`,
          assumes: 'dropped',
        });
        break;
      }
      this.draw(kind, numbers, command !== kind ? this.here : [0, 0]);
    }
    this.close();
    return this.rings;
  }

  private skip(): void {
    while (this.at < this.text.length && /[\s,]/.test(this.text[this.at])) this.at++;
  }

  private readNumbers(kind: string): number[] | null {
    const numbers: number[] = [];
    for (let k = 0; k < counts[kind]; k++) {
      this.skip();
      // Flags of arcs are one digit, after which the next number may begin at once.
      const pattern = kind === 'A' && (k === 3 || k === 4) ? /[01]/y : /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
      pattern.lastIndex = this.at;
      const match = pattern.exec(this.text);
      if (match === null) return null;
      this.at = pattern.lastIndex;
      numbers.push(Number(match[0]));
    }
    return numbers;
  }

  private close(): void {
    const { ring } = this;
    const last = ring[ring.length - 1];
    if (ring.length > 1 && last[0] === ring[0][0] && last[1] === ring[0][1]) ring.pop();
    if (ring.length > 1) this.rings.push(ring);
    this.ring = [];
  }

  private draw(kind: string, n: readonly number[], [ox, oy]: PlanePoint): void {
    const point = (i: number): PlanePoint => [n[i] + ox, n[i + 1] + oy];
    const { here, width } = this;
    const reflected = (kinds: string): PlanePoint =>
      this.control !== null && kinds.includes(this.last)
        ? [2 * here[0] - this.control[0], 2 * here[1] - this.control[1]]
        : here;
    let control: PlanePoint | null = null;
    let points: PlanePoint[] = [];
    if (kind === 'M') {
      this.close();
      this.first = point(0);
      points = [this.first];
    } else if (kind === 'Z') {
      this.close();
      this.here = this.first;
      this.last = kind;
      return;
    } else {
      // After a closing the next subpath begins where the closed one began.
      if (this.ring.length === 0) this.ring.push(here);
      if (kind === 'L') points = [point(0)];
      if (kind === 'H') points = [[n[0] + ox, here[1]]];
      if (kind === 'V') points = [[here[0], n[0] + oy]];
      if (kind === 'C' || kind === 'S') {
        const begin = kind === 'C' ? point(0) : reflected('CS');
        const [middle, end] = kind === 'C' ? [point(2), point(4)] : [point(0), point(2)];
        control = middle;
        points = flattenCubic([here, begin, middle, end], width);
      }
      if (kind === 'Q' || kind === 'T') {
        control = kind === 'Q' ? point(0) : reflected('QT');
        points = flattenQuadratic([here, control, point(kind === 'Q' ? 2 : 0)], width);
      }
      if (kind === 'A') {
        const turn = (n[2] * Math.PI) / 180;
        const arc = {
          from: here,
          to: point(5),
          radii: [n[0], n[1]] as const,
          turn,
          isLarge: n[3] === 1,
          isPositive: n[4] === 1,
        };
        points = flattenArc(arc, width);
      }
    }
    for (const each of points) this.ring.push(each);
    this.here = points[points.length - 1];
    this.control = control;
    this.last = kind;
  }
}
