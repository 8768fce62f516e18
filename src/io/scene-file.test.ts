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

  it('warns about a quaternion that is not of length 1, and reads on', () => {
    const scene = {
      version: 1,
      objects: [{ name: 'a', shape: { type: 'sphere', radius: 1 }, pose: [0, 0, 0, 0, 0, 0, 1.0005] }],
    };
    const { value, issues } = parseSceneFile(JSON.stringify(scene));
    expect(issues).toMatchObject([{ severity: 'warning', code: 'bad-pose', assumes: 'altered' }]);
    expect(value!.objects[0].pose).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(value!.assumed).toMatchObject([{ kind: 'altered', element: 'object "a"' }]);
  });

  it.each([
    [{ position: [0, 0, 1] }, 'did you mean "pose"?'],
    [{ Pose: [0, 0, 1, 0, 0, 0, 1] }, 'did you mean "pose"?'],
    [{ marign: 1 }, 'did you mean "margin"?'],
    [{ colour: 'red' }, 'known are name, shape, pose, margin'],
    [{ shape: { type: 'sphere', radius: 1, radios: 2 } }, 'did you mean "radius"?'],
    [{ shape: { type: 'box', size: [1, 1, 1], dimensions: [1, 1, 1] } }, 'did you mean "size"?'],
    [{ shape: { type: 'mesh', file: 'a.stl', scael: 2 } }, 'did you mean "scale"?'],
    [{ shape: { type: 'compound', children: [{ shape: { type: 'sphere', radius: 1 }, position: [0] }] } }, '"pose"?'],
  ])('refuses unknown keys with a suggestion: %j', (extra, hint) => {
    const object = { name: 'a', shape: { type: 'sphere', radius: 1 }, ...extra };
    const text = JSON.stringify({ version: 1, objects: [object] }, null, 1);
    const { value, issues } = parseSceneFile(text, { file: 's.json' });
    expect(value).toBeNull();
    const issue = issues.find(({ code }) => code === 'unknown-key')!;
    expect(issue).toMatchObject({ severity: 'error', file: 's.json' });
    expect(issue.message).toContain(hint);
    expect(text.split('\n')[issue.line! - 1]).toContain(`"${/"(\w+)"/.exec(issue.message)![1]}"`);
  });

  it('suggests keys of the scene, its robots and what is attached', () => {
    const hint = (content: object): string =>
      parseSceneFile(JSON.stringify({ version: 1, ...content })).issues[0].message;
    expect(hint({ object: [] })).toContain('"objects"?');
    expect(hint({ robots: [{ name: 'r', file: 'r.urdf', configuration: [0] }] })).toContain('"q"?');
    expect(hint({ attached: [{ object: 'a', link: 'b', touch_links: [] }] })).toContain('"touchLinks"?');
  });

  it('refuses keys that come twice, of which JSON keeps the last', () => {
    const { value, issues } = parseSceneFile('{"version":1,\n"objects":[],\n"objects":[]}');
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'duplicate-key', line: 3 }]);
  });

  it('says what a file seems to be that is no scene', () => {
    expect(parseSceneFile('<robot name="a"/>').issues[0].message).toContain('a robot file');
    expect(parseSceneFile('version https://git-lfs.github.com/spec/v1').issues[0].message).toContain('git lfs pull');
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

  const object = (shape: object): unknown => ({ version: 1, objects: [{ name: 'a', shape }] });
  const cells = [[0, 0, 0, 1]];

  it('reads octrees, points, height fields and compounds as written', () => {
    const shapes = [
      { type: 'octree', file: 'room.bt' },
      { type: 'octree', file: 'scan.pcd', resolution: 0.05 },
      { type: 'octree', cells, resolution: 0.1 },
      { type: 'points', file: 'scan.ply', radius: 0.01 },
      { type: 'points', points: [[0, 0, 0]], radius: 0.01 },
      {
        type: 'heightfield',
        heights: [
          [0, 1, 2],
          [1, 0, 1],
        ],
        spacing: [0.5, 1],
        floor: -1,
      },
    ];
    for (const shape of shapes) expect(parseShapeDescription(shape)).toEqual({ value: shape, issues: [] });
    const where = 'x^2 + y^2 + z^2 <= 1 and z >= 0';
    const dome = parseShapeDescription({
      type: 'implicit',
      where,
      low: [-1, -1, 0],
      high: [1, 1, 1],
      resolution: 0.25,
    });
    expect(dome.value).toMatchObject({ type: 'octree', resolution: 0.25 });
    expect(dome.issues).toMatchObject([{ severity: 'info', code: 'implicit-shape', assumes: 'altered' }]);
    const child = { shape: { type: 'mesh', file: 'a.stl', scale: 2 }, pose: [0, 0, 1, 0, 0, 0, 1] };
    const inner = { type: 'compound', children: [{ shape: { type: 'sphere', radius: 1 } }] };
    const { value, issues } = parseShapeDescription({ type: 'compound', children: [child, { shape: inner }] });
    expect(issues).toEqual([]);
    expect(value).toEqual({
      type: 'compound',
      children: [
        { shape: { type: 'mesh', file: 'a.stl', scale: [2, 2, 2] }, pose: [0, 0, 1, 0, 0, 0, 1] },
        {
          shape: {
            type: 'compound',
            children: [{ shape: { type: 'sphere', radius: 1 }, pose: [0, 0, 0, 0, 0, 0, 1] }],
          },
          pose: [0, 0, 0, 0, 0, 0, 1],
        },
      ],
    });
  });

  it.each([
    [{ type: 'implicit', where: 'x <', low: [0, 0, 0], high: [1, 1, 1], resolution: 1 }, /in "where"/],
    [{ type: 'implicit', where: 'x <= 9', low: [0, 0, 0], high: [1, 0, 1], resolution: 1 }, /high\[1\]/],
    [{ type: 'implicit', where: 'x >= 9', low: [0, 0, 0], high: [1, 1, 1], resolution: 1 }, /no point between/],
    [{ type: 'octree' }, /either "file" or "cells"/],
    [{ type: 'octree', file: 'a.bt', cells }, /either "file" or "cells"/],
    [{ type: 'octree', file: 'a.bt', resolution: 0.1 }, /its own resolution; leave "resolution" out/],
    [{ type: 'octree', file: 'a.pcd' }, /write "resolution"/],
    [{ type: 'octree', cells }, /write "resolution"/],
    [{ type: 'octree', cells: [[0, 0, 0, 0]], resolution: 1 }, /correct it as the scene file format says/],
    [{ type: 'octree', cells: [[0.5, 0, 0, 1]], resolution: 1 }, /correct it as the scene file format says/],
    [{ type: 'points', radius: 1 }, /either "file" or "points"/],
    [{ type: 'points', file: 'a.bt', radius: 1 }, /write "type": "octree"/],
    [{ type: 'points', file: 'a.ply' }, /correct it as the scene file format says/],
    [{ type: 'heightfield', heights: [[0, 1]], spacing: [1, 1] }, /correct it as the scene file format says/],
    [
      {
        type: 'heightfield',
        heights: [
          [0, 1],
          [0, 1, 2],
        ],
        spacing: [1, 1],
      },
      /row 1 of the heights has 3 numbers, the first 2; fill it up/,
    ],
    [
      {
        type: 'heightfield',
        heights: [
          [0, 1],
          [0, 1],
        ],
        spacing: [1, 1],
        floor: 0.5,
      },
      /a height of 0 is below the floor 0.5; lower the floor/,
    ],
    [{ type: 'compound', children: [] }, /correct it as the scene file format says/],
    [
      { type: 'compound', children: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }] },
      /holds no half-space; put it beside/,
    ],
  ])('refuses %j and says what to write', (shape, message) => {
    const { value, issues } = parseSceneFile(JSON.stringify(object(shape), null, 1), { file: 's.json' });
    expect(value).toBeNull();
    expect(issues.map((issue) => issue.message).join()).toMatch(message);
    expect(issues[0]).toMatchObject({ severity: 'error', file: 's.json', line: expect.any(Number) });
    expect(issues[0].element).toContain('"a"');
  });

  it('names the child of a compound at fault', () => {
    const children = [
      { shape: { type: 'sphere', radius: 1 } },
      { shape: { type: 'convex' }, pose: [0, 0, 0, 0, 0, 0, 1] },
    ];
    const text = JSON.stringify(object({ type: 'compound', children }), null, 1);
    const { issues } = parseSceneFile(text);
    expect(issues.map(({ code }) => code)).toEqual(['bad-shape']);
    expect(text.split('\n')[issues[0].line! - 1]).toContain('"shape"');
    expect(issues[0].line).toBeGreaterThan(text.slice(0, text.indexOf('"sphere"')).split('\n').length);
    const zero = { shape: { type: 'sphere', radius: 1 }, pose: [0, 0, 0, 0, 0, 0, 0] };
    expect(codes(object({ type: 'compound', children: [zero] }))).toEqual(['bad-pose']);
  });

  it('refuses nesting before it follows it', () => {
    // The shorter one is within what is searched for line numbers.
    const texts = [100_000, 15_000].map((depth) => {
      const open = '{"type":"compound","children":[{"shape":'.repeat(depth);
      return `{"version":1,"objects":[{"name":"a","shape":${open}1${'}]}'.repeat(depth)}}]}`;
    });
    const nested = (levels: number): object =>
      levels === 0 ? { type: 'sphere', radius: 1 } : { type: 'compound', children: [{ shape: nested(levels - 1) }] };
    for (const text of texts) expect(parseSceneFile(text).issues.map(({ code }) => code)).toEqual(['nested-too-deep']);
    expect(codes(object(nested(22)))).toEqual(['nested-too-deep']);
    expect(codes(object(nested(20)))).toEqual([]);
    expect(parseShapeDescription(nested(40)).issues.map(({ code }) => code)).toEqual(['nested-too-deep']);
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
