import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toPose, toQuat } from '../../src/math/components.js';
import { poseToTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { configurationFromNamed } from '../../src/model/named-configuration.js';
import { joint, robot } from '../models.js';

/** A quarter turn as tools print it: five digits. */
const PRINTED = Number('0.70711');

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('quaternion order', () => {
  it('U112: a quarter turn about z by named components maps x to y', () => {
    const orientation = { x: 0, y: 0, z: PRINTED, w: PRINTED };
    const pose = toPose({ position: { x: 1, y: 2, z: 3 }, orientation });
    const X = poseToTransform(new Float64Array(12), pose);
    // The first column is where the x axis goes.
    [X[0], X[3], X[6]].forEach((value, i) => {
      expect(value).toBeCloseTo([0, 1, 0][i], 15);
    });
    expect([...pose.slice(0, 3)]).toEqual([1, 2, 3]);
    // The order in which the fields are written does not matter, and rounding is taken out.
    expect(toQuat({ w: PRINTED, z: PRINTED, y: 0, x: 0 })).toEqual(toQuat(orientation));
    const { model } = buildModel(robot([joint('ball', 'spherical', 'base', 'tip')]));
    expect([...configurationFromNamed(model, { ball: [...toQuat(orientation)] })]).toEqual([...toQuat(orientation)]);
    expect(() => toQuat({ x: 0, y: 0, z: 0, w: 0 })).toThrow('toQuat: components, got zeros only, expected');
    expect(() => toPose({ position: { x: Number.NaN, y: 0, z: 0 }, orientation })).toThrow(
      'toPose: components.position.x, got NaN',
    );
  });

  it('U114: no doc and no comment prints another order', () => {
    const files = ['README.md', 'docs', 'src', 'examples'].flatMap((name) => listText(join(root, name)));
    expect(files.length).toBeGreaterThan(10);
    const wrong = files.filter((file) => /\bq?x,?\s+q?y,?\s+q?w,?\s+q?z\b/i.test(readFileSync(file, 'utf8')));
    expect(wrong).toEqual([]);
    // And where the four are listed at all, the scalar is last.
    const scalarFirst = files.filter((file) => /\[\s*q?w,\s*q?x,\s*q?y,\s*q?z\s*\]/i.test(readFileSync(file, 'utf8')));
    expect(scalarFirst).toEqual([]);
  });
});

function listText(path: string): string[] {
  if (!existsSync(path)) return [];
  if (/\.(ts|md|mjs)$/.test(path)) return [path];
  if (/\.[a-z]+$/.test(path) || /(node_modules|dist|generated)$/.test(path)) return [];
  return readdirSync(path).flatMap((name) => listText(join(path, name)));
}
