import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { polygonArea } from '../../plane/polygon.js';
import { parseSvg } from './svg.js';

const svg = (inner: string): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inner}</svg>`;
const areas = (inner: string, width?: number): number[] =>
  parseSvg(svg(inner), { width }).value!.map((polygon) => polygonArea(polygon));

describe('SVG drawings', () => {
  it('give their shapes in order, in groups too', () => {
    const drawing =
      '<title>a</title><g><rect x="1" y="1" width="2" height="3"/><path d="M0 0H4V4H0ZM1 1h2v2h-2z"/></g><polygon points="0,0 4,0 0,4"/>';
    expect(areas(drawing)).toEqual([6, 12, 8]);
    expect(parseSvg(svg(drawing)).issues).toEqual([]);
    expect(parseSvg(svg('<rect x="0" y="0" width="1" height="2"/>')).value![0].outer).toContainEqual([1, -2]);
    const [disc, ellipse] = areas('<circle cx="3" cy="3" r="2"/><ellipse cx="1" cy="2" rx="2" ry="1"/>', 1e-4);
    expect(disc).toBeCloseTo(4 * Math.PI, 2);
    expect(ellipse).toBeCloseTo(2 * Math.PI, 2);
    expect(areas('<g display="none"><rect width="1" height="1"/></g>')).toEqual([]);
  });

  it('say what they hold that is not read', () => {
    const codes = (text: string) => parseSvg(text).issues.map(({ code, assumes }) => `${code} ${assumes ?? ''}`.trim());
    for (const one of [
      '<rect width="1" height="1" transform="scale(2)"/>',
      '<rect width="1cm" height="1"/>',
      '<rect width="4" height="4" rx="1"/>',
      '<text>a</text>',
      '<use href="#a"/>',
    ])
      expect(codes(svg(one)), one).toEqual(['svg-element dropped']);
    expect(codes('<html/>')).toEqual(['no-svg']);
    expect(parseSvg('<svg').value).toBeNull();
    expect(codes(svg('<path d="M0 0L1"/>'))[0]).toMatch(/^bad-path/);
  });

  it('never throw on random content', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('path d', 'rect width', 'circle r', 'g transform', 'polygon points'),
        (text, tag) => {
          const [name, key] = tag.split(' ');
          parseSvg(svg(`<${name} ${key}="${text.replace(/[<&"]/g, '')}"/>`));
          parseSvg(text);
        },
      ),
      { numRuns: 300, seed: 2 },
    );
  });
});
