import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSpheres, writeSpheresJson, writeSpheresYaml } from './sphere-file.js';

const spheres = new Map([
  ['base link', [{ center: [0.1, -2e-7, 1 / 3] as [number, number, number], radius: 0.05 }]],
  ['hand', []],
]);

describe('sphere files', () => {
  it('give back what was written, as JSON and as YAML', () => {
    expect(parseSpheres(writeSpheresJson(spheres)).value).toEqual(spheres);
    expect(parseSpheres(writeSpheresYaml(spheres), { file: 'a.yml' }).value).toEqual(spheres);
  });

  it('are found where motion generators keep them, without their placeholders', () => {
    const text = `robot_cfg:
  kinematics:
    collision_spheres:
      panda_link0:
        - "center": [0.0, 0.0, 0.05]
          "radius": 0.08
      attached_object:
        - {center: [0, 0, 0], radius: -10.0}
`;
    const { value, issues } = parseSpheres(text, { file: 'franka.yml' });
    expect(value!.get('panda_link0')).toEqual([{ center: [0, 0, 0.05], radius: 0.08 }]);
    expect(value!.get('attached_object')).toEqual([]);
    expect(issues.map(({ code }) => code)).toEqual(['no-radius']);
  });

  it('may be what the command prints', () => {
    const { value } = parseSpheres('{"links":[{"link":"a","spheres":[[1,2,3,4]],"excess":0.1}],"ms":3}');
    expect(value).toEqual(new Map([['a', [{ center: [1, 2, 3], radius: 4 }]]]));
  });

  it('are refused whole where a sphere cannot be read: fewer would contain less', () => {
    for (const text of ['[]', '{"a":[[0,0,0]]}', '{"a":[[0,0,0,-1]]}', '{"a":[[0,0,0,"1"]]}', '{"a":3}', '{', 'null']) {
      const { value, issues } = parseSpheres(text);
      expect(value).toBeNull();
      expect(issues.at(-1)!.severity).toBe('error');
    }
    expect(parseSpheres('a: [1\n', { file: 'a.yaml' }).value).toBeNull();
  });

  it('never make the reader throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom('a.json', 'a.yml'), (text, file) => {
        const { value, issues } = parseSpheres(text, { file });
        expect(value !== null || issues.length > 0).toBe(true);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
