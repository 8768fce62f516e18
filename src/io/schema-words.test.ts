import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSceneFile } from './scene-file.js';

const messages = (scene: unknown): string[] =>
  parseSceneFile(JSON.stringify(scene)).issues.map(({ message }) => message);
const object = (fields: object): unknown => ({
  version: 1,
  objects: [{ name: 'a', shape: { type: 'sphere', radius: 1 }, ...fields }],
});

describe('what a schema found wrong', () => {
  it.each<[unknown, RegExp]>([
    [[], /^got \[\], expected an object;/],
    [{ version: 2 }, /^got 2, expected 1;/],
    [{}, /^got nothing, expected 1;/],
    [{ version: 1, objects: {} }, /^got \{\}, expected a list;/],
    [object({ name: '' }), /^got "", expected a text that is not empty;/],
    [object({ name: 7 }), /^got 7, expected a text;/],
    [object({ shape: { type: 'ball' } }), /^got "ball", expected one of "sphere", "box", .*"compound";/],
    [object({ shape: {} }), /^got nothing, expected one of "sphere"/],
    [object({ shape: { type: 'sphere', radius: -1 } }), /^got -1, expected a number above 0;/],
    [object({ shape: { type: 'sphere', radius: '1' } }), /^got "1", expected a finite number;/],
    [object({ shape: { type: 'sphere' } }), /^got nothing, expected a finite number;/],
    [object({ shape: { type: 'box', size: 1 } }), /^got 1, expected three sizes above 0 \[x, y, z\];/],
    [object({ shape: { type: 'box', size: [1, 2] } }), /^got \[1,2\], expected three sizes above 0/],
    [object({ shape: { type: 'mesh', file: 'a.stl', mode: 'shell' } }), /^got "shell", expected "solid" or "surface";/],
    [object({ shape: { type: 'mesh', file: 'a.stl', scale: [1, 0, 1] } }), /^got 0, expected a factor other than 0;/],
    [
      object({ shape: { type: 'mesh', file: 'a.stl', scale: 'big' } }),
      /^got "big", expected a finite number, or three/,
    ],
    [object({ pose: [0, 0, 0] }), /^got \[0,0,0\], expected seven numbers \[x, y, z, qx, qy, qz, qw\];/],
    [object({ pose: [0, 0, 0, 0, 0, 0, null] }), /^got null, expected a finite number;/],
    [object({ position: [0, 0, 0] }), /^"position" is not known; did you mean "pose"\?/],
    [object({ marign: 1 }), /^"marign" is not known; did you mean "margin"\?/],
    [object({ colour: 'red' }), /^"colour" is not known; known are name/],
    [
      { version: 1, robots: [{ name: 'r', file: 'r.urdf', q: 5 }] },
      /^got 5, expected a list, or an object, or a text;/,
    ],
    [{ version: 1, robots: [{ name: 'r', file: 'r.urdf', q: [0, 'x'] }] }, /^got "x", expected a finite number;/],
    [{ version: 1, attached: [{ object: 'a', link: 'l', pose: 1 }] }, /^got 1, expected seven numbers/],
  ])('%j', (scene, message) => {
    expect(messages(scene)[0]).toMatch(message);
  });

  it('never speaks in the words of the schema library, whatever the file holds', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, true, -1, 0, 1, 1e300, '', 'box', 'mesh', 'sphere', [0, 0, 0, 0, 0, 0, 1]),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'version',
            'objects',
            'robots',
            'attached',
            'name',
            'shape',
            'type',
            'pose',
            'scale',
            'children',
          ),
          tie('any'),
          { maxKeys: 5 },
        ),
      ),
    })).any;
    fc.assert(
      fc.property(value, (content) => {
        for (const message of messages(content)) expect(message).not.toMatch(/Invalid input|Too (small|big)|Unrecogni/);
      }),
      { seed: 3, numRuns: 2000 },
    );
  });
});
