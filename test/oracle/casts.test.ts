/** First contact times of moving pairs against stepped references and against an independent conservative advancement. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import { parsePly } from '../../src/io/ply.js';
import { slerpQuat } from '../../src/math/quat.js';
import { createTransform, type Pose, poseToTransform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { needsShared, sharedPath } from '../shared.js';

const folder = sharedPath('oracles', 'proximity');

interface Row {
  readonly A: Shape;
  readonly B: Shape;
  readonly a0: Pose;
  readonly b0: Pose;
  readonly b1: Pose;
  readonly hit?: boolean;
  readonly time?: number;
  readonly fcl_naive?: { readonly hit: boolean; readonly time: number };
  readonly fcl_ca?: { readonly hit: boolean; readonly time: number };
}

const read = (name: string): Row[] =>
  readFileSync(`${folder}/${name}.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const pose = (p: Pose): Float64Array => poseToTransform(createTransform(), p);
const still: Pose = [0, 0, 0, 0, 0, 0, 1];

function moved(from: Pose, to: Pose, t: number): Float64Array {
  const q = slerpQuat([0, 0, 0, 1], from.slice(3), to.slice(3), t);
  const p = [0, 1, 2].map((i) => from[i] + t * (to[i] - from[i]));
  return pose([p[0], p[1], p[2], q[0], q[1], q[2], q[3]]);
}

describe.skipIf(!folder)(`casts${needsShared('oracles', 'proximity')}`, () => {
  it('set a: every verdict, times within 1e-4, claimed hits are contacts', () => {
    const mesh = (file: string): Collider =>
      createCollider({ type: 'mesh', mesh: parsePly(readFileSync(`${folder}/${file}`)).value!.mesh, mode: 'surface' });
    const [env, rob] = [mesh('a_env.ply'), mesh('a_rob.ply')];
    const result = createCastResult();
    const near = createDistanceResult();
    let limits = 0;
    read('cast_a').forEach(({ b0, b1, hit, time }, i) => {
      const motion = { a0: pose(still), a1: pose(still), b0: pose(b0), b1: pose(b1) };
      castPair(result, env, rob, motion);
      expect({ i, hit: result.hit }).toEqual({ i, hit });
      if (result.status !== 'ok') limits++;
      if (!hit) return;
      expect(Math.abs(result.time - time!)).toBeLessThanOrEqual(1e-4);
      expect(distance(near, env, pose(still), rob, moved(b0, b1, result.time)).distance).toBeLessThanOrEqual(2e-3);
    });
    expect(limits).toBe(0);
  });

  it.each(['box_box', 'cone_cylinder', 'cylinder_box', 'sphere_capsule'])(
    '%s: every hit of the references is found',
    (kind) => {
      const result = createCastResult();
      const near = createDistanceResult();
      read(`cast_${kind}`).forEach(({ A, B, a0, b0, b1, fcl_naive: naive, fcl_ca: advanced }, i) => {
        const [a, b] = [createCollider(A), createCollider(B)];
        castPair(result, a, b, { a0: pose(a0), a1: pose(a0), b0: pose(b0), b1: pose(b1) });
        expect({ i, status: result.status }).toEqual({ i, status: 'ok' });
        if (naive?.hit || advanced?.hit) expect({ i, hit: result.hit }).toEqual({ i, hit: true });
        if (result.hit)
          expect(distance(near, a, pose(a0), b, moved(b0, b1, result.time)).distance).toBeLessThanOrEqual(1e-6);
        // The stepped reference is late by at most one of its hundred steps.
        if (naive?.hit) expect(Math.abs(naive.time - result.time)).toBeLessThanOrEqual(0.011);
      });
    },
  );
});
