import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { parseMotionFile } from './motion-file.js';

const program = {
  format: 'clearance.motion/1',
  tool: { frame: 'tool', offset: [0, 0, 0.1, 0, 0, 0, 1] },
  frames: { table: [0, 0, 0, 0, 0, 0, 1] },
  points: { pick: { pose: [0, 0, 0, 0, 0, 0, 1], in: 'table' } },
  start: { joint_1: 0.5 },
  defaults: { speed: 0.2, radius: 0.01 },
  moves: [
    { move: 'ptp', to: { joints: [0, 1] }, jointSpeed: 0.5 },
    { move: 'lin', to: 'pick' },
    { move: 'circ', via: [0, 0, 0], to: { at: 'pick', toolShift: [0, 0, 1] }, angle: 6 },
    { move: 'spline', through: ['pick', [0, 0, 0]], orientation: 'tangent' },
    { move: 'seam', along: ['pick', 'pick'], free: 'z', range: [-1, 1] },
    { move: 'wait', seconds: 0 },
  ],
};

describe('parseMotionFile', () => {
  it('reads every kind of move', () => {
    expect(parseMotionFile(JSON.stringify(program))).toEqual({ value: program, issues: [] });
  });

  it.each<[unknown, string, string]>([
    [{ ...program, format: 'clearance.motion/2' }, 'format', 'expected "clearance.motion/1"'],
    [{ ...program, moves: [{ move: 'lin', to: 'a', sped: 1 }] }, 'moves[0]', 'got "sped", which is not known here'],
    [
      {
        ...program,
        moves: [
          { move: 'lin', to: 'a' },
          { move: 'lin', to: 'a', speed: -1 },
        ],
      },
      'moves[1].speed',
      'expected a number above 0',
    ],
    [{ ...program, moves: [{ move: 'line', to: 'a' }] }, 'moves[0].move', 'ptp'],
    [{ ...program, moves: [{ move: 'lin' }] }, 'moves[0].to', 'got nothing'],
    [{ ...program, tool: {} }, 'tool.frame', 'expected a text'],
    [{ ...program, frames: { a: [1, 2] } }, 'frames.a', 'expected seven numbers'],
  ])('names the element of what is wrong (%#)', (content, element, message) => {
    const { value, issues } = parseMotionFile(JSON.stringify(content), { file: 'p.json' });
    expect(value).toBeNull();
    expect(issues[0]).toMatchObject({ severity: 'error', file: 'p.json', element });
    expect(issues[0].message).toContain(message);
  });

  it('never throws on broken text', () => {
    const random = createRandom(5);
    const text = JSON.stringify(program);
    for (let n = 0; n < 300; n++) {
      const at = Math.floor(random.uniform(0, text.length));
      const broken =
        text.slice(0, at) + String.fromCharCode(32 + Math.floor(random.uniform(0, 95))) + text.slice(at + 1);
      expect(parseMotionFile(broken).issues).toBeDefined();
    }
    expect(parseMotionFile('').issues[0].code).toBe('not-json');
  });
});
