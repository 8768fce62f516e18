/** Robots of 20,000 joints in a row, and of as many mimics that follow each other: linear in time and memory. */
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { buildModel } from '../../src/model/build-model.js';
import { resolveMimics } from '../../src/model/resolve-mimic.js';

const COUNT = 20_000;

function robot(joint: (i: number) => string): string {
  const links = Array.from({ length: COUNT + 1 }, (_, i) => `<link name="l${i}"/>`).join('');
  return `<robot name="r">${links}${Array.from({ length: COUNT }, (_, i) => joint(i)).join('')}</robot>`;
}

describe('long robots', () => {
  it('joints in a row build, with the joints above each at hand', () => {
    const text = robot(
      (i) => `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/></joint>`,
    );
    const { value, issues } = parseUrdf(text);
    expect(issues).toEqual([]);
    const { model } = buildModel(value!.model);
    expect(model.nq).toBe(COUNT);
    // All together they would be 200 million numbers.
    expect([...model.supports[3]]).toEqual([1, 2, 3]);
    expect(model.supports[COUNT]).toHaveLength(COUNT);
    expect(model.supports[COUNT]).toBe(model.supports[COUNT]);
    expect(model.supports).toHaveLength(COUNT + 1);
  });

  it('mimics in a row end at the joint that drives them all', () => {
    const mimic = (i: number): string => (i === 0 ? '' : `<mimic joint="j${i - 1}" multiplier="-1" offset="1"/>`);
    const text = robot(
      (i) => `<joint name="j${i}" type="continuous"><parent link="l0"/><child link="l${i + 1}"/>${mimic(i)}</joint>`,
    );
    const { value, issues } = parseUrdf(text);
    expect(issues).toEqual([]);
    const { model } = buildModel(value!.model);
    expect(model.nq).toBe(1);
    const resolved = resolveMimics([...value!.model.joints].reverse(), []);
    expect(resolved.get('j1')).toEqual({ driver: 'j0', multiplier: -1, offset: 1 });
    expect(resolved.get('j2')).toEqual({ driver: 'j0', multiplier: 1, offset: 0 });
    expect(resolved.get(`j${COUNT - 1}`)).toEqual({ driver: 'j0', multiplier: -1, offset: 1 });
  });

  it('as many joints to links that do not exist are told without comparing each with all names', () => {
    const { value, issues } = parseUrdf(
      robot((i) => `<joint name="j${i}" type="fixed"><parent link="m${i}"/><child link="l${i + 1}"/></joint>`),
    );
    expect(value!.model.joints).toEqual([]);
    expect(issues.length).toBe(1001);
    expect(issues[1000]).toMatchObject({ severity: 'error', code: 'too-many-issues', assumes: 'dropped' });
  });
});
