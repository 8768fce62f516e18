/**
 * Panda at 1 kHz with gain 100: a circle of radius 0.1 m in 2 s per turn and a line of 0.5 m at 0.25 m/s, with the limits of
 * its URDF and the accelerations its maker publishes. After the first second the tool is within 1e-5 m of the path when
 * targets hold at the start of each step and within 1e-6 m when they hold in its middle, no limit is broken, and a second,
 * conflicting task leaves the first one's error as it was.
 */
import { describe, expect, it } from 'vitest';
import { createTracker, type TrackerOptions } from '../../src/ik/track.js';
import type { PoseTask } from '../../src/ik.js';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { createData, findFrame } from '../../src/model/model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { needsShared, sharedPath } from '../shared.js';

const file = sharedPath('data', 'robots', 'panda', 'panda_description', 'urdf', 'panda.urdf');
const h = 1e-3;
const accelerations = [15, 7.5, 10, 12.5, 15, 20, 20, 10];

interface Path {
  /** Offset from the start and its velocity at time t. */
  at(t: number): { readonly p: [number, number, number]; readonly v: [number, number, number] };
  readonly seconds: number;
}
const rate = Math.PI;
const circle: Path = {
  at: (t) => ({
    p: [0, 0.1 * Math.sin(rate * t), 0.1 * (Math.cos(rate * t) - 1)],
    v: [0, 0.1 * rate * Math.cos(rate * t), -0.1 * rate * Math.sin(rate * t)],
  }),
  seconds: 5,
};
const line: Path = { at: (t) => ({ p: [0, 0.25 * t, 0], v: [0, 0.25, 0] }), seconds: 2 };
const paths = { circle, line };

describe.skipIf(!file)(`tracking${needsShared('data', 'robots', 'panda')}`, async () => {
  const { value: files } = file ? await loadRobot(file, { geometry: 'none' }) : { value: null };
  const { model } = files ? buildModel(files.description.model) : { model: null! };
  const tool = file ? findFrame(model, 'panda_hand') : 0;
  const elbow = file ? findFrame(model, 'panda_link4') : 0;

  function place(q: Float64Array, frame: number): Float64Array {
    const data = createData(model);
    forwardKinematics(model, data, q);
    return computeFramePlacement(createTransform(), model, data, frame);
  }

  function follow(path: Path, targetTime: 'start' | 'middle', below: TrackerOptions['levels'] = []) {
    const start = Float64Array.of(0, -0.3, 0, -2.2, 0, 2, 0.785398, 0);
    // The line runs through the middle of its 0.5 m where the arm stands straight ahead.
    if (path === line) start[0] = -0.5;
    const X_WT = place(start, tool);
    if (path === line) X_WT[10] = -0.25;
    const target = Float64Array.from(X_WT);
    const velocity = new Float64Array(6);
    const moveTo = (t: number): void => {
      const { p, v } = path.at(t);
      for (let i = 0; i < 3; i++) {
        target[9 + i] = X_WT[9 + i] + p[i];
        velocity[i] = v[i];
      }
    };
    const task: PoseTask = { kind: 'pose', frame: tool, target, velocity };
    const tracker = createTracker(model, { levels: [[task], ...below], gain: 100, targetTime, accelerations });
    tracker.reset(start);
    const errors: number[] = [];
    let worst = 0;
    let broken = 0;
    const before = new Float64Array(model.nv);
    for (let k = 0; k < path.seconds * 1000; k++) {
      moveTo(k * h + (targetTime === 'middle' ? 0.5 * h : 0));
      before.set(tracker.v);
      if (tracker.step() !== 'tracking') broken++;
      moveTo((k + 1) * h);
      const tip = place(tracker.q, tool);
      const error = Math.hypot(tip[9] - target[9], tip[10] - target[10], tip[11] - target[11]);
      errors.push(error);
      if (k >= 1000) worst = Math.max(worst, error);
      for (let i = 0; i < model.nv; i++) {
        if (tracker.q[i] < model.lower[i] || tracker.q[i] > model.upper[i]) broken++;
        if (Math.abs(tracker.v[i]) > model.velocityLimits[i]) broken++;
        if (Math.abs(tracker.v[i] - before[i]) > accelerations[i] * h * (1 + 1e-9)) broken++;
      }
    }
    return { worst, errors, broken, tracker };
  }

  it.each([
    ['circle', 'start', 1e-5],
    ['circle', 'middle', 1e-6],
    ['line', 'start', 1e-5],
    ['line', 'middle', 1e-6],
  ] as const)('%s, targets at the %s of each step: within %d m', (name, targetTime, allowed) => {
    const { worst, broken } = follow(paths[name], targetTime);
    console.info(`tracking ${name}, targets at the ${targetTime}: ${worst.toExponential(2)} m after 1 s`);
    expect(worst).toBeLessThan(allowed);
    expect(broken).toBe(0);
  });

  it.each(['circle', 'line'] as const)('%s: a conflicting second task leaves the first unchanged', (name) => {
    const path = paths[name];
    const X_WE = place(Float64Array.of(0, -0.3, 0, -2.2, 0, 2, 0.785398, 0), elbow);
    const below: TrackerOptions['levels'] = [
      [
        { kind: 'position', frame: tool, target: [0.2, 0, 1] },
        { kind: 'position', frame: elbow, target: [X_WE[9], X_WE[10] + 0.1, X_WE[11]], weight: 10 },
      ],
      [{ kind: 'center-of-mass', target: [0, 0, 0.5] }],
    ];
    const alone = follow(path, 'start');
    const both = follow(path, 'start', below);
    let change = 0;
    // While acceleration limits hold the first task back, what they allow depends on the posture.
    for (let k = 1000; k < alone.errors.length; k++) {
      change = Math.max(change, Math.abs(both.errors[k] - alone.errors[k]));
    }
    console.info(`tracking ${name}: second task changes the first by ${change.toExponential(1)} m`);
    expect(both.broken).toBe(0);
    expect(change).toBeLessThan(1e-9);
    // The second task is at work: the elbow is elsewhere than without it.
    expect(Math.abs(place(both.tracker.q, elbow)[10] - place(alone.tracker.q, elbow)[10])).toBeGreaterThan(0.002);
  });
});
