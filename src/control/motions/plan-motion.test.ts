import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../../test/scene-fixtures.js';
import { addObject, createScene, disposeScene } from '../../scene/scene.js';
import type { Scene } from '../../scene/types.js';
import { createLimits } from '../../trajectory/limits.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { validateTrajectory } from '../../trajectory/validate-trajectory.js';
import {
  createSevenJointArm,
  createSixJointArm,
  lineThroughSingularity,
  poseAt,
  programOf,
  shifted,
} from './arms.test-support.js';
import { planMotion } from './plan-motion.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

describe('planMotion', () => {
  it('blends all kinds of moves into each other within their radii, every limit kept', () => {
    for (const arm of [createSixJointArm(), createSevenJointArm()]) {
      const here = poseAt(arm, arm.start);
      const corners = [
        shifted(here, 0, 0.15, 0),
        shifted(here, 0, 0.15, -0.15),
        shifted(here, 0, -0.05, -0.15),
        shifted(here, 0, -0.1, 0.05),
        shifted(here, -0.05, 0.05, 0.05),
      ];
      const plan = planMotion(
        arm.model,
        programOf(
          arm,
          [
            { move: 'lin', to: corners[0] },
            { move: 'ptp', to: corners[1] },
            { move: 'ptp', to: corners[2] },
            { move: 'spline', through: [shifted(here, 0, -0.1, -0.05), corners[3]] },
            { move: 'circ', via: shifted(here, -0.03, -0.05, 0.07), to: corners[4] },
          ],
          { radius: 0.03, speed: 0.5, acceleration: 3 },
        ),
        { limits: arm.limits },
      );
      expect(plan.status).toBe('solved');
      expect(validateTrajectory(plan.trajectory!, { limits: arm.limits })).toMatchObject({ valid: true });
      expect(plan.moves.map(({ blended }) => blended > 0.02)).toEqual([true, true, true, true, false]);
      const point = createTrajectoryPoint(arm.model);
      const nearest = corners.map(() => Infinity);
      let slowest = Infinity;
      for (let k = 1; k < 2000; k++) {
        plan.trajectory!.evaluate(point, (plan.duration * k) / 2000);
        const pose = poseAt(arm, point.q);
        corners.forEach((corner, i) => {
          nearest[i] = Math.min(nearest[i], Math.hypot(...[0, 1, 2].map((n) => pose[n] - corner[n])));
        });
        if (k > 50 && k < 1950) slowest = Math.min(slowest, Math.max(...point.v.map(Math.abs)));
      }
      // It passes each corner without a stop, near it but not through it.
      for (const away of nearest.slice(0, 4)) expect(away).toBeLessThan(0.03);
      for (const away of nearest.slice(0, 3)) expect(away).toBeGreaterThan(0.002);
      expect(slowest).toBeGreaterThan(0.01);
    }
  });

  it('stops at corners without a radius, and waits', () => {
    const arm = createSixJointArm();
    const here = poseAt(arm, arm.start);
    const { status, moves, trajectory, duration } = planMotion(
      arm.model,
      programOf(arm, [
        { move: 'lin', to: shifted(here, 0, 0.1, 0) },
        { move: 'lin', to: shifted(here, 0, 0.1, -0.1) },
        { move: 'wait', seconds: 0.5 },
        { move: 'ptp', to: { joints: Array.from(arm.start) } },
      ]),
      { limits: arm.limits },
    );
    expect(status).toBe('solved');
    const point = createTrajectoryPoint(arm.model);
    for (const { end } of moves) {
      trajectory?.evaluate(point, end);
      expect(Math.max(...point.v.map(Math.abs))).toBeLessThan(1e-4);
    }
    expect(moves[2].end - moves[2].begin).toBeCloseTo(0.5, 9);
    expect(moves[3].end).toBeCloseTo(duration, 6);
    expect([...trajectory!.evaluate(point, duration).q]).toEqual([...arm.start]);
  });

  it('slows down near a singularity and says where and by which joint, or refuses', () => {
    const arm = createSixJointArm();
    const { line, q } = lineThroughSingularity(arm, 2e-3);
    const program = (singularities: 'slow' | 'refuse') => ({
      ...programOf(arm, [{ move: 'lin', name: 'across', to: Array.from(line.end), speed: 0.4, singularities }]),
      start: Array.from(q),
    });
    const slow = planMotion(arm.model, program('slow'), { limits: arm.limits });
    expect(slow.status).toBe('solved');
    expect(validateTrajectory(slow.trajectory!, { limits: arm.limits }).valid).toBe(true);
    expect(slow.singularities).toHaveLength(1);
    expect(slow.singularities[0]).toMatchObject({ move: 0, name: 'across' });
    expect(slow.singularities[0].s).toBeCloseTo(0.1, 2);
    expect(slow.singularities[0].time).toBeGreaterThan(0);
    expect(slow.moves[0].slowest?.speed).toBeLessThan(0.05);
    expect(['j3', 'j5']).toContain(slow.moves[0].slowest?.joint);
    const refused = planMotion(arm.model, program('refuse'), { limits: arm.limits });
    expect(refused).toMatchObject({ status: 'singular', trajectory: null, duration: 0 });
    expect(refused.place?.s).toBeCloseTo(0.1, 2);
    expect(refused.place?.singularValues?.[5]).toBeLessThan(0.02);
  });

  it('says which move cannot run', () => {
    const arm = createSixJointArm();
    const here = poseAt(arm, arm.start);
    const run = (...moves: Parameters<typeof programOf>[1]) =>
      planMotion(arm.model, programOf(arm, moves), { limits: arm.limits });
    const step = { move: 'lin', to: shifted(here, 0, 0.1, 0) } as const;
    expect(run(step, { move: 'ptp', to: shifted(here, 3, 0, 0) })).toMatchObject({
      status: 'unreachable',
      place: { move: 1 },
    });
    const circ = { move: 'circ', via: shifted(here, 0, 0.2, 0), to: shifted(here, 0, 0.3, 0) } as const;
    expect(run(step, circ)).toMatchObject({ status: 'no-path', place: { move: 1 }, trajectory: null });
    const far = run(step, { move: 'lin', name: 'far', to: shifted(here, 1, 0.1, 0) });
    expect(['unreachable', 'singular']).toContain(far.status);
    expect(far.place).toMatchObject({ move: 1, name: 'far' });
    expect(run()).toMatchObject({ status: 'solved', trajectory: null, duration: 0 });
  });

  it('proves the path free, or says where it touches', () => {
    const scene = createScene();
    scenes.push(scene);
    const robot = addUrdf(scene, planarArm('arm', 4, 0.3));
    const { model } = robot;
    const limits = createLimits(model, { velocity: 2, acceleration: 4 });
    const program = {
      format: 'clearance.motion/1',
      tool: { frame: model.linkNames[model.linkCount - 1] },
      start: [0.4, 0.4, 0.4],
      moves: [{ move: 'ptp', to: { joints: [1.2, 0.4, 0.4] } }],
    } as const;
    const free = planMotion(model, program, { limits, around: { scene, robot } });
    expect(free).toMatchObject({ status: 'solved', checked: 'certified', complete: true });
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.08 }, pose: [0.8, 0.6, 0, 0, 0, 0, 1] });
    const blocked = planMotion(model, program, { limits, around: { scene, robot } });
    expect(blocked.status).toBe('blocked');
    expect(blocked.reason).toMatch(/post/);
    expect(blocked.place?.time).toBeGreaterThan(0);
    expect(blocked.place?.time).toBeLessThan(blocked.duration);
  });

  it('refuses limits of jerk, which it would not keep', () => {
    const arm = createSixJointArm();
    const limits = createLimits(arm.model, { acceleration: 5, jerk: 50 });
    expect(() => planMotion(arm.model, programOf(arm, []), { limits })).toThrow(/request\.limits\.jerk/);
  });
});
