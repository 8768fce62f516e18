import { describe, expect, it } from 'vitest';
import { addUrdf, boxLink, planarArm, revolute } from '../../../test/scene-fixtures.js';
import { createRandom, type Random } from '../../math/random.js';
import { attachObject } from '../attach.js';
import { isSceneFree, nearestPair } from '../queries/check.js';
import { setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene } from '../scene.js';
import type { Scene, SceneRobot } from '../types.js';
import { type ConfigurationCurve, certifyCurve, createCurveCertifier } from './certify-curve.js';

/** q_i = middle_i + width_i sin(rate_i t + phase_i) */
function waves(random: Random, n: number): ConfigurationCurve {
  const draw = (low: number, high: number): number[] => Array.from({ length: n }, () => random.uniform(low, high));
  const [middle, width, rate, phase] = [draw(-1, 1), draw(0, 1.2), draw(0.5, 2), draw(0, 6)];
  return {
    duration: 2,
    evaluate({ q: out }, t) {
      for (let i = 0; i < n; i++) out[i] = middle[i] + width[i] * Math.sin(rate[i] * t + phase[i]);
    },
    speedBound(out) {
      for (let i = 0; i < n; i++) out[i] = width[i] * rate[i];
      return out;
    },
  };
}

function scatter(scene: Scene, random: Random, count: number): void {
  for (let i = 0; i < count; i++) {
    const shape =
      i % 2 === 0
        ? ({ type: 'sphere', radius: random.uniform(0.02, 0.12) } as const)
        : ({ type: 'box', size: [random.uniform(0.02, 0.2), random.uniform(0.02, 0.2), 0.3] } as const);
    const pose = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.1, 0.1), 0, 0, 0, 1] as const;
    addObject(scene, { name: `object ${i}`, shape, pose });
  }
}

function at(robot: SceneRobot, curve: ConfigurationCurve, time: number): Float64Array {
  const { nq, nv } = robot.model;
  const point = { q: new Float64Array(nq), v: new Float64Array(nv), a: new Float64Array(nv) };
  curve.evaluate(point, time);
  return point.q;
}

function densest(scene: Scene, robot: SceneRobot, curve: ConfigurationCurve, steps: number) {
  let gap = Infinity;
  let free = true;
  for (let k = 0; k <= steps; k++) {
    setConfiguration(robot, at(robot, curve, (curve.duration * k) / steps));
    free &&= isSceneFree(scene);
    gap = Math.min(gap, nearestPair(scene)?.distance ?? Infinity);
  }
  return { free, gap };
}

describe('motions that are no straight lines', () => {
  it('free means free at every dense step with the clearance kept, blocked means a contact there', () => {
    const random = createRandom(11);
    const found = { free: 0, blocked: 0, undecided: 0 };
    for (let round = 0; round < 60; round++) {
      const scene = createScene();
      const robot = addUrdf(scene, planarArm('arm', 4, 0.3));
      scatter(scene, random, 6);
      const curve = waves(random, robot.model.nq);
      const verdict = certifyCurve(scene, robot, curve);
      found[verdict.status]++;
      const name = `seed 11, round ${round}: ${verdict.status} ${verdict.reason}`;
      if (verdict.status === 'free') {
        const dense = densest(scene, robot, curve, 400);
        expect(dense.free, name).toBe(true);
        expect(verdict.clearance, name).toBeLessThanOrEqual(dense.gap);
        expect(verdict.clearance, name).toBeGreaterThan(0);
      } else if (verdict.status === 'blocked') {
        setConfiguration(robot, at(robot, curve, verdict.time!));
        expect(isSceneFree(scene), name).toBe(false);
      }
      disposeScene(scene);
    }
    expect(found.free).toBeGreaterThan(5);
    expect(found.blocked).toBeGreaterThan(20);
    expect(found.undecided).toBe(0);
  }, 600_000);

  /** A link of half a metre turns about (0.5, 0); its far corner passes a ball at the given gap. */
  function passBall(gap: number) {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.5));
    const at = Math.sqrt(0.5 ** 2 + 0.025 ** 2) + 0.01 + gap;
    const pose = [0.5 + at * Math.cos(0.3), at * Math.sin(0.3), 0, 0, 0, 0, 1] as const;
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.01 }, pose });
    const curve: ConfigurationCurve = {
      duration: 1,
      evaluate({ q: out }, t) {
        out[0] = -1 + 2 * t * t;
      },
      speedBound: (out, _from, to) => out.fill(4 * to),
    };
    const before = Float64Array.from(robot.q);
    const verdict = createCurveCertifier(scene, robot).certify(curve);
    expect(robot.q).toEqual(before);
    disposeScene(scene);
    return verdict;
  }

  it('tells a contact of a thousandth of a second from a gap of a hundredth of a millimetre', () => {
    expect(passBall(-1e-6)).toMatchObject({ status: 'blocked', a: 'link1', b: 'ball' });
    const free = passBall(1e-5);
    expect(free).toMatchObject({ status: 'free', time: null, reason: '', complete: true, assumed: [] });
    expect(free.clearance).toBeLessThanOrEqual(1e-5);
    expect(free.clearance).toBeGreaterThan(1e-7);
    expect(passBall(5e-7)).toMatchObject({ status: 'undecided', a: 'link1', b: 'ball' });
  });

  it('looks at a part of the curve, keeps a margin, and ends at its limits', () => {
    const scene = createScene();
    const robot = addUrdf(
      scene,
      `<robot name="cart">${boxLink('base', '0.1 0.1 0.1')}${boxLink('cart', '0.1 0.1 0.1')}
      <joint name="slide" type="prismatic"><parent link="base"/><child link="cart"/><origin xyz="0 0 1"/><axis xyz="1 0 0"/>
      <limit lower="-9" upper="9"/></joint></robot>`,
    );
    addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.1, 1, 1] }, pose: [1, 0, 1, 0, 0, 0, 1] });
    const curve: ConfigurationCurve = {
      duration: 2,
      evaluate({ q: out }, t) {
        out[0] = t;
      },
      speedBound: (out) => out.fill(1),
    };
    expect(certifyCurve(scene, robot, curve)).toMatchObject({ status: 'blocked', a: 'cart', b: 'wall' });
    const free = certifyCurve(scene, robot, curve, { to: 0.8 });
    expect(free.status).toBe('free');
    expect(free.clearance).toBeLessThanOrEqual(0.1 + 1e-12);
    expect(free.clearance).toBeGreaterThan(0.005);
    expect(certifyCurve(scene, robot, curve, { to: 0.8, margin: 0.11 }).status).toBe('blocked');
    expect(certifyCurve(scene, robot, curve, { to: 0.8, margin: 0.09 }).status).toBe('free');
    expect(certifyCurve(scene, robot, curve, { to: 0.8999999, maxConfigurations: 3 })).toMatchObject({
      status: 'undecided',
      reason: expect.stringContaining('no verdict within 3 configurations'),
    });
    expect(certifyCurve(scene, robot, curve, { shouldStop: () => true })).toMatchObject({ status: 'undecided' });
    for (const options of [
      { from: -1 },
      { to: 3 },
      { from: 1, to: 0.5 },
      { tolerance: 0 },
      { margin: Number.NaN },
      { maxConfigurations: 0 },
    ])
      expect(() => certifyCurve(scene, robot, curve, options)).toThrow(/^certifyCurve: .* expected/);
    expect(() => certifyCurve(scene, robot, {} as ConfigurationCurve)).toThrow(/^certifyCurve: curve, got an object/);
    expect(() => certifyCurve(scene, robot, { ...curve, speedBound: (out) => out.fill(Number.NaN) })).toThrow(
      /^certifyCurve: curve.speedBound, got NaN/,
    );
    disposeScene(scene);
  });

  it('counts what hangs on the robot, sliding joints and followers', () => {
    const random = createRandom(5);
    const urdf = `<robot name="lift">${['base', 'mast', 'arm', 'tip'].map((name) => boxLink(name, '0.1 0.1 0.1')).join('')}
      <joint name="up" type="prismatic"><parent link="base"/><child link="mast"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/><limit lower="-2" upper="2"/></joint>
      ${revolute('turn', 'mast', 'arm', '0.3 0 0', '0 1 0')}
      <joint name="follow" type="prismatic"><parent link="arm"/><child link="tip"/><origin xyz="0.2 0 0"/><axis xyz="1 0 0"/><limit lower="-9" upper="9"/><mimic joint="up" multiplier="2"/></joint></robot>`;
    let blocked = 0;
    for (let round = 0; round < 40; round++) {
      const scene = createScene();
      const robot = addUrdf(scene, urdf, { allowed: [{ a: 'base', b: 'tip', reason: 'user' }] });
      scatter(scene, random, 8);
      const held = addObject(scene, { name: 'held', shape: { type: 'sphere', radius: 0.03 } });
      const placement = [0.2, 0, 0, 0, 0, 0, 1] as const;
      const X = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, placement[0], 0, 0);
      attachObject(scene, held, { robot, link: 'tip', placement: X });
      const curve = waves(random, robot.model.nq);
      const verdict = certifyCurve(scene, robot, curve);
      if (verdict.status === 'blocked') blocked++;
      else {
        const dense = densest(scene, robot, curve, 300);
        expect(dense.free, `seed 5, round ${round}`).toBe(true);
        expect(verdict.clearance).toBeLessThanOrEqual(dense.gap);
      }
      disposeScene(scene);
    }
    expect(blocked).toBeGreaterThan(3);
    expect(blocked).toBeLessThan(40);
  }, 600_000);
});
