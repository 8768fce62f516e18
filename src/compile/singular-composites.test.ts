/** Composite joints that turn or shift one body in more ways than there are: singular, generic and compiled alike, everywhere. */
import { describe, expect, it } from 'vitest';
import { aba } from '../dynamics/aba.js';
import { crba } from '../dynamics/crba.js';
import { createDynamicsData } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import { createRandom } from '../math/random.js';
import { createTransform, setIdentityTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { createNeutralConfiguration, randomConfiguration } from '../model/configuration.js';
import type { InertialDescription, JointPartDescription } from '../model/description.js';
import type { Model } from '../model/model.js';
import { compileModel } from './compiled-model.js';

type Axis = readonly [number, number, number];
const origin = setIdentityTransform(createTransform());
const inertial: InertialDescription = { mass: 1, origin, inertia: [0.1, 0.01, 0, 0.2, 0, 0.15] };
const turn = (...axis: Axis): JointPartDescription => ({ type: 'revolute', axis });
const shift = (...axis: Axis): JointPartDescription => ({ type: 'prismatic', axis });
const X: Axis = [1, 0, 0];
const Y: Axis = [0, 1, 0];
const Z: Axis = [0, 0, 1];
const OBLIQUE: Axis = [2 / 7, -3 / 7, 6 / 7];

function create(parts: readonly JointPartDescription[]): Model {
  return buildModel({
    name: 'composite',
    links: [{ name: 'base' }, { name: 'body', inertial }],
    joints: [{ name: 'j', type: 'composite', parent: 'base', child: 'body', origin, axis: X, parts }],
  }).model;
}

/** Statuses of both at seeded states; where they are regular, accelerations that RNEA gives back. */
function listStatuses(model: Model, count: number): Set<string> {
  const random = createRandom(63);
  const compiled = compileModel(model);
  const data = compiled.createData();
  const generic = createDynamicsData(model);
  const seen = new Set<string>();
  const draw = () => Float64Array.from({ length: model.nv }, () => random.uniform(-1, 1));
  for (let n = 0; n < count; n++) {
    const q =
      n === 0 ? createNeutralConfiguration(model) : randomConfiguration(new Float64Array(model.nq), model, random);
    const [v, tau] = [draw(), draw()];
    const [a, b] = [aba(model, generic, q, v, tau), compiled.aba(data, q, v, tau)];
    expect([...generic.ddq, ...data.ddq].every(Number.isFinite)).toBe(true);
    seen.add(`${a} ${b}`);
    if (a !== 'ok') continue;
    const back = rnea(model, generic, q, v, generic.ddq.slice());
    const error = Math.max(...Array.from(back, (x, k) => Math.abs(x - tau[k])));
    // As far as the condition of M allows.
    const M = crba(model, generic, q);
    const largest = Math.max(...M, 1) * Math.max(...Array.from(generic.ddq, Math.abs), 1);
    expect(error).toBeLessThan(1e-9 * largest);
  }
  return seen;
}

describe('forward dynamics of composite joints', () => {
  it.each([
    ['two turns about z', [turn(...Z), turn(...Z)]],
    ['two shifts along x', [shift(...X), shift(...X)]],
    ['three shifts in a plane', [shift(...X), shift(...Y), shift(Math.SQRT1_2, Math.SQRT1_2, 0)]],
    ['a ball and a turn', [{ type: 'spherical' } as const, turn(...Z)]],
    ['four turns', [turn(...Z), turn(...X), turn(...Y), turn(...OBLIQUE)]],
    ['four shifts and turns', [shift(...X), turn(...OBLIQUE), turn(...OBLIQUE), shift(...Y)]],
    ['a free body that turns once more', [{ type: 'floating' } as const, turn(...OBLIQUE)]],
  ])('%s: singular at every state', (_title, parts) => {
    expect([...listStatuses(create(parts), 60)]).toEqual(['singular singular']);
  });

  it.each([
    ['x then y', [turn(...X), turn(...Y)]],
    ['turn, shift', [turn(...OBLIQUE), shift(...Y)]],
    ['shifts along x, y, z', [shift(...X), shift(...Y), shift(...Z)]],
    ['a ball and a shift', [shift(...X), { type: 'spherical' } as const]],
  ])('%s: regular at every state', (_title, parts) => {
    expect([...listStatuses(create(parts), 60)]).toEqual(['ok ok']);
  });

  it('turns about z, x and z: singular where they line up and nowhere else', () => {
    const model = create([turn(...Z), turn(...X), turn(...Z)]);
    const data = createDynamicsData(model);
    const zero = new Float64Array(3);
    expect(aba(model, data, zero, zero, zero)).toBe('singular');
    expect(aba(model, data, [0.3, 0, 0.4], zero, zero)).toBe('singular');
    expect(aba(model, data, [0.3, 1e-3, 0.4], zero, zero)).toBe('ok');
  });
});
