import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import type { PathCertificate } from '../../scene/motion/certify-path.js';
import { parsePathCertificates, writePathCertificates } from './path-certificate.js';

function draw(seed: number): PathCertificate {
  const random = createRandom(seed);
  const state = () => Array.from({ length: 3 }, () => random.uniform(-3, 3));
  const segments = Array.from({ length: 1 + random.integer(4) }, () => ({
    from: state(),
    to: state(),
    intervals: Array.from({ length: random.integer(5) }, (): [number, number] => [random.next(), random.next()]),
    clearance: random.integer(2) === 0 ? null : random.next(),
  }));
  return { version: 1, margin: random.integer(2) * random.next(), segments };
}

describe('files of certificates', () => {
  it('come back to the same bits, one or several, with those that are missing', () => {
    for (let seed = 1; seed < 40; seed++) {
      const one = [draw(seed)];
      expect(parsePathCertificates(writePathCertificates(one))).toEqual({ value: one, issues: [] });
      const several = [draw(seed), null, draw(seed + 100)];
      expect(parsePathCertificates(writePathCertificates(several))).toEqual({ value: several, issues: [] });
    }
  });

  it.each([
    ['{', 'json', /no JSON/],
    ['{"version":2}', 'structure', /version/],
    ['[null, 3]', 'structure', /3/],
    ['{"version":1,"margin":-1,"segments":[]}', 'structure', /margin/],
    [
      '{"version":1,"margin":0,"segments":[{"from":[0],"to":[0],"intervals":[[0]],"clearance":null}]}',
      'structure',
      /intervals/,
    ],
  ])('%s is refused: %s', (text, code, message) => {
    const { value, issues } = parsePathCertificates(text);
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code, message: expect.stringMatching(message) }]);
  });
});
