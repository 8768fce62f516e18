import { describe, expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { buildModel } from './build-model.js';
import { configurationFromNamed, configurationToNamed, describeProblem } from './named-configuration.js';

const description = robot([
  joint('cart', 'planar', 'world', 'cart'),
  joint('ball', 'spherical', 'cart', 'head'),
  joint('turn', 'continuous', 'head', 'a'),
  joint('follow', 'revolute', 'a', 'b', { mimic: { joint: 'drive', multiplier: -2, offset: 0.1 } }),
  joint('drive', 'prismatic', 'b', 'c'),
  joint('glued', 'fixed', 'c', 'd'),
]);
const { model } = buildModel(description, { continuous: 'cos-sin' });

describe('configurations by name', () => {
  it('joints left out are neutral, or as in the base', () => {
    expect([...configurationFromNamed(model, {})]).toEqual([0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0]);
    const base = configurationFromNamed(model, { drive: 0.7 });
    expect(configurationFromNamed(model, { cart: [1, 2, 1, 0] }, base)).toEqual(
      configurationFromNamed(model, { cart: [1, 2, 1, 0], drive: 0.7 }),
    );
  });

  it('angles stand for cosine and sine; quaternions by component', () => {
    const q = configurationFromNamed(model, {
      turn: Math.PI / 2,
      cart: [1, 2, Math.PI],
      ball: { w: 0, x: 0, y: 1, z: 0 },
    });
    expect([...q].map((x) => Math.round(x * 1e12) / 1e12)).toEqual([1, 2, -1, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it('round trip', () => {
    const named = { cart: [1, 2, 0.6, 0.8], ball: [0, 0.6, 0, 0.8], turn: [0.8, -0.6], drive: 0.25 };
    expect(configurationToNamed(model, configurationFromNamed(model, named))).toEqual(named);
  });

  it('a mimic joint may be named when it agrees with its driver', () => {
    expect(configurationFromNamed(model, { follow: -0.9, drive: 0.5 })[10]).toBe(0.5);
    expect(configurationFromNamed(model, { follow: 0.1 })[10]).toBe(0);
    expect(() => configurationFromNamed(model, { follow: -0.9000001, drive: 0.5 })).toThrow(
      /joint "follow" mimics "drive", got -0.9000001, expected -0.9 /,
    );
    expect(() => configurationFromNamed(model, { follow: -0.9 })).toThrow('expected 0.1');
  });

  it('errors name the joint, what was got and what was expected', () => {
    expect(() => configurationFromNamed(model, { trun: 1 })).toThrow(
      'joint "trun" does not exist; joints are cart, ball, turn, follow, drive',
    );
    expect(() => configurationFromNamed(model, { glued: 1 })).toThrow('joint "glued" is fixed and takes no value');
    expect(() => configurationFromNamed(model, { drive: [1, 2] })).toThrow('joint "drive", got 2 numbers, expected 1');
    expect(() => configurationFromNamed(model, { drive: Number.NaN })).toThrow('joint "drive", got NaN');
    expect(() => configurationFromNamed(model, { ball: [1, 1, 0, 0] })).toThrow(
      'joint "ball", got quaternion (x, y, z, w) [1,1,0,0], expected length 1',
    );
    expect(describeProblem(model, [1, 2])).toContain('got 2 numbers, expected 11 (cart:4 ball:4 turn:2 drive)');
    expect(describeProblem(model, configurationFromNamed(model, {}))).toBeNull();
  });
});
