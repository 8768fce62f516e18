import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSceneFile, parseShapeDescription } from './scene-file.js';

const SCENE = {
  version: 1,
  objects: [
    { name: 'table', shape: { type: 'box', size: [1, 2, 0.1] }, pose: [0, 0, 1, 0, 0, 0, 1], margin: 0.01 },
    { name: 'part', shape: { type: 'mesh', file: 'part.stl', scale: 0.001, mode: 'solid' } },
    { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 2], offset: 1 } },
    {
      name: 'hull',
      shape: {
        type: 'convex',
        points: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        scale: [2, 1, 1],
      },
    },
  ],
  robots: [{ name: 'arm', file: 'arm.urdf', srdf: 'arm.srdf', q: { elbow: 1 } }],
  attached: [{ object: 'part', link: 'arm/tip', touchLinks: ['arm/finger'] }],
};

const codes = (content: unknown): string[] => parseSceneFile(JSON.stringify(content)).issues.map(({ code }) => code);

describe('parseSceneFile', () => {
  it('reads objects, robots and attachments, with defaults', () => {
    const { value, issues } = parseSceneFile(JSON.stringify(SCENE));
    expect(issues).toEqual([]);
    expect(value).toEqual({
      version: 1,
      objects: [
        { name: 'table', shape: { type: 'box', size: [1, 2, 0.1] }, pose: [0, 0, 1, 0, 0, 0, 1], margin: 0.01 },
        {
          name: 'part',
          shape: { type: 'mesh', file: 'part.stl', scale: [0.001, 0.001, 0.001], mode: 'solid' },
          pose: [0, 0, 0, 0, 0, 0, 1],
        },
        { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0.5 }, pose: [0, 0, 0, 0, 0, 0, 1] },
        {
          name: 'hull',
          shape: {
            type: 'convex',
            points: [
              [0, 0, 0],
              [2, 0, 0],
              [0, 1, 0],
              [0, 0, 1],
            ],
          },
          pose: [0, 0, 0, 0, 0, 0, 1],
        },
      ],
      robots: [{ name: 'arm', file: 'arm.urdf', srdf: 'arm.srdf', q: { elbow: 1 }, pose: [0, 0, 0, 0, 0, 0, 1] }],
      attached: [{ object: 'part', link: 'arm/tip', touchLinks: ['arm/finger'] }],
    });
  });

  it('names the entry and the key at fault', () => {
    const scene = { version: 1, objects: [{ name: 'table', shape: { type: 'box', size: [1, '2', 3] } }] };
    const { value, issues } = parseSceneFile(JSON.stringify(scene, null, 1), { file: 's.json' });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'bad-scene', file: 's.json', line: 10 }]);
    expect(issues[0].element).toContain('objects[0] "table"');
    expect(issues[0].element).toContain('size[1]');
  });

  it('names the line of a JSON syntax error', () => {
    const { issues } = parseSceneFile('{\n"version": 1,\n"objects": [,]\n}');
    expect(issues).toMatchObject([{ severity: 'error', code: 'bad-json', line: 3 }]);
  });

  it('refuses other versions, sizes that are not positive, zero scales and zero quaternions', () => {
    const object = (extra: object): unknown => ({ version: 1, objects: [{ name: 'a', ...extra }] });
    expect(codes({ version: 2 })).toEqual(['bad-scene']);
    expect(codes(object({ shape: { type: 'sphere', radius: 0 } }))).toEqual(['bad-scene']);
    expect(codes(object({ shape: { type: 'cube' } }))).toEqual(['bad-scene']);
    expect(codes(object({ shape: { type: 'mesh', file: 'a.stl', scale: [1, 0, 1] } }))).toEqual(['bad-scene']);
    expect(codes(object({ shape: { type: 'sphere', radius: 1 }, pose: [0, 0, 0, 0, 0, 0, 0] }))).toEqual(['bad-pose']);
    expect(codes(object({ shape: { type: 'convex' } }))).toEqual(['bad-shape']);
    expect(codes(object({ shape: { type: 'halfspace', normal: [0, 0, 0], offset: 0 } }))).toEqual(['bad-shape']);
  });

  it('warns about a quaternion that is not of length 1 and about unknown keys, and reads on', () => {
    const scene = {
      version: 1,
      objects: [{ name: 'a', shape: { type: 'sphere', radius: 1 }, pose: [0, 0, 0, 0, 0, 0, 2], colour: 'red' }],
    };
    const { value, issues } = parseSceneFile(JSON.stringify(scene));
    expect(issues.map(({ severity, code }) => [severity, code])).toEqual([
      ['warning', 'unknown-key'],
      ['warning', 'bad-pose'],
    ]);
    expect(value!.objects[0].pose).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });

  it('refuses names used twice and attachments of unknown objects', () => {
    const sphere = { name: 'a', shape: { type: 'sphere', radius: 1 } };
    expect(codes({ version: 1, objects: [sphere, sphere] })).toEqual(['duplicate-object']);
    expect(codes({ version: 1, attached: [{ object: 'b', link: 'l' }] })).toEqual(['unknown-object']);
    const twice = [
      { object: 'a', link: 'l' },
      { object: 'a', link: 'm' },
    ];
    expect(codes({ version: 1, objects: [sphere], attached: twice })).toEqual(['attached-twice']);
  });

  it('never throws, whatever JSON it is given', () => {
    fc.assert(fc.property(fc.json(), (text) => void parseSceneFile(text)));
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('objects', 'robots', 'attached'), (content, key) => {
        parseSceneFile(JSON.stringify({ version: 1, [key]: [content] }));
        parseShapeDescription(content);
      }),
    );
  });
});
