import { describe, expect, it } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { createData } from '../model/model.js';
import { createSevenJointArm } from './arm.test-support.js';
import type { PoseTask, PositionTask } from './tasks/task.js';
import { createTracker, type Tracker, type TrackerOptions } from './track.js';

const { model, tool, elbow } = createSevenJointArm();
const ready = Float64Array.of(0.2, 0.5, -0.1, 1.4, 0.2, 0.9, 0);

function place(q: Float64Array, frame = tool): Float64Array {
  const data = createData(model);
  forwardKinematics(model, data, q);
  return computeFramePlacement(createTransform(), model, data, frame);
}

const h = 1e-3;

/** A circle in the y-z plane through the start, at a turn per 2 s. */
function createCircle(X_WT: Float64Array, radius = 0.1) {
  const target = Float64Array.from(X_WT);
  const velocity = new Float64Array(6);
  const rate = Math.PI;
  const moveTo = (t: number): void => {
    target[10] = X_WT[10] + radius * Math.sin(rate * t);
    target[11] = X_WT[11] - radius * (1 - Math.cos(rate * t));
    velocity[1] = radius * rate * Math.cos(rate * t);
    velocity[2] = -radius * rate * Math.sin(rate * t);
  };
  return { target, velocity, moveTo };
}

/** Largest position error after the first second, and the errors after every step. */
function follow(options: Omit<TrackerOptions, 'levels'>, levelsBelow: TrackerOptions['levels'] = [], seconds = 3) {
  const circle = createCircle(place(ready));
  const task: PoseTask = { kind: 'pose', frame: tool, target: circle.target, velocity: circle.velocity };
  const tracker = createTracker(model, { ...options, levels: [[task], ...levelsBelow] });
  tracker.reset(ready);
  const offset = options.targetTime === 'middle' ? 0.5 * h : 0;
  const errors: number[] = [];
  let worst = 0;
  for (let k = 0; k < 1000 * seconds; k++) {
    circle.moveTo(k * h + offset);
    if (tracker.step() !== 'tracking') expect.fail(`step ${k}`);
    circle.moveTo((k + 1) * h);
    tracker.measure();
    errors.push(tracker.positionErrors[0]);
    if (k >= 1000) worst = Math.max(worst, errors[k]);
    expectWithinLimits(tracker);
  }
  return { worst, errors, tracker };
}

function expectWithinLimits({ q, v }: Tracker): void {
  for (let i = 0; i < model.nq; i++) {
    const isWithin = q[i] >= model.lower[i] && q[i] <= model.upper[i] && Math.abs(v[i]) <= model.velocityLimits[i];
    if (!isWithin) expect.fail(`joint ${i}: q ${q[i]}, v ${v[i]}`);
  }
}

describe('tracking', () => {
  it('follows a circle as closely as the time of its targets allows', () => {
    // a h / (2 gain) = 4.9e-6 at the start; a h^2 / 8 = 1.2e-7 in the middle.
    expect(follow({ accelerations: 15 }).worst).toBeLessThan(1e-5);
    expect(follow({ accelerations: 15, targetTime: 'middle' }).worst).toBeLessThan(1e-6);
  });

  it('gives the same bits for the same run', () => {
    const [a, b] = [follow({}, [], 1.2), follow({}, [], 1.2)];
    expect(a.tracker.q).toEqual(b.tracker.q);
    expect(a.errors).toEqual(b.errors);
  });

  it('strict priority: a conflicting second task leaves the first as it was, and is served by the redundancy', () => {
    const X_WE = place(ready, elbow);
    const conflicting: PositionTask[] = [
      { kind: 'position', frame: tool, target: [0, 0, 2], weight: 1 },
      { kind: 'position', frame: elbow, target: [X_WE[9], X_WE[10] + 0.08, X_WE[11]], weight: 10 },
    ];
    const alone = follow({ targetTime: 'middle' });
    const both = follow({ targetTime: 'middle' }, [conflicting, [{ kind: 'posture', target: ready }]]);
    both.errors.forEach((error, k) => {
      expect(Math.abs(error - alone.errors[k]), `step ${k}`).toBeLessThan(1e-9);
    });
    // The tool stays on its circle while the elbow moves elsewhere than it would have by itself.
    const [with2, without] = [place(both.tracker.q, elbow), place(alone.tracker.q, elbow)];
    expect(Math.abs(with2[10] - without[10])).toBeGreaterThan(0.01);
    expect(both.tracker.rotationErrors[0]).toBeLessThan(1e-6);
  });

  it('corrections take out what a lower level does to a higher one within a step', () => {
    const X_WT = place(ready);
    const X_WE = place(ready, elbow);
    const worst = [0, 1, 2].map((corrections) => {
      const held: PositionTask = { kind: 'position', frame: tool, target: [...X_WT.subarray(9, 12)] };
      const target = X_WE.slice(9, 12);
      const moved: PositionTask = { kind: 'position', frame: elbow, target };
      const tracker = createTracker(model, { levels: [[held], [moved]], corrections });
      tracker.reset(ready);
      let most = 0;
      for (let k = 0; k < 1000; k++) {
        target[1] = X_WE[10] + 0.05 * Math.sin(6 * k * h);
        expect(tracker.step()).toBe('tracking');
        tracker.measure();
        most = Math.max(most, tracker.positionErrors[0]);
      }
      return most;
    });
    expect(worst[0]).toBeGreaterThan(1e-7);
    expect(worst[1]).toBeLessThan(1e-10);
    expect(worst[2]).toBeLessThan(1e-14);
  });

  it('keeps to a share of the velocity limits, and uses it', () => {
    const shares = [1, 0.25].map((velocityScale) => {
      const target = [...place(ready).subarray(9, 12)];
      target[0] -= 0.4;
      target[1] += 0.5;
      const tracker = createTracker(model, { levels: [[{ kind: 'position', frame: tool, target }]], velocityScale });
      tracker.reset(ready);
      let share = 0;
      for (let k = 0; k < 200; k++) {
        tracker.step();
        for (let i = 0; i < model.nv; i++) share = Math.max(share, Math.abs(tracker.v[i]) / model.velocityLimits[i]);
      }
      return share;
    });
    expect(shares[0]).toBeCloseTo(1, 9);
    expect(shares[1]).toBeCloseTo(0.25, 9);
  });

  it('weights: in one level the heavier task comes closer', () => {
    const X_WT = place(ready);
    const high = [X_WT[9], X_WT[10], X_WT[11] + 0.05];
    const low = [X_WT[9], X_WT[10], X_WT[11] - 0.05];
    const run = (weight: number): number => {
      const tracker = createTracker(model, {
        levels: [
          [
            { kind: 'position', frame: tool, target: high, weight },
            { kind: 'position', frame: tool, target: low },
          ],
        ],
      });
      tracker.reset(ready);
      for (let k = 0; k < 2000; k++) tracker.step();
      return place(tracker.q)[11] - X_WT[11];
    };
    expect(run(1)).toBeCloseTo(0, 6);
    expect(run(3)).toBeCloseTo(0.05 * 0.5, 5);
    expect(run(1 / 3)).toBeCloseTo(-0.05 * 0.5, 5);
  });

  it('a target out of reach, through limits and singularities: limits hold in position, velocity and acceleration', () => {
    const random = createRandom(4);
    const target = new Float64Array(3);
    const accelerations = 12;
    const tracker = createTracker(model, {
      levels: [
        [{ kind: 'position', frame: tool, target }],
        [{ kind: 'axis', frame: tool, axis: [0, 0, 1], target: [0, 0, -1] }],
      ],
      accelerations,
    });
    tracker.reset(ready);
    const before = new Float64Array(7);
    let atLimit = 0;
    let worst = 0;
    for (let k = 0; k < 12_000; k++) {
      if (k % 800 === 0) for (let i = 0; i < 3; i++) target[i] = random.uniform(-1.6, 1.6);
      before.set(tracker.v);
      if (tracker.step() !== 'tracking') expect.fail(`step ${k}`);
      expectWithinLimits(tracker);
      for (let i = 0; i < 7; i++) {
        worst = Math.max(worst, Math.abs(tracker.v[i] - before[i]));
        if (Math.abs(tracker.v[i]) === model.velocityLimits[i]) atLimit++;
      }
    }
    expect(worst).toBeLessThanOrEqual(accelerations * h * (1 + 1e-6));
    expect(atLimit).toBeGreaterThan(100);
  });

  it('locked coordinates stay; gaze and centre of mass can be tracked', () => {
    const tracker = createTracker(model, {
      levels: [[{ kind: 'look-at', frame: tool, axis: [0, 0, 1], target: [0.8, 0.3, 0.1] }]],
      velocities: [1, 3, 5, 4],
    });
    tracker.reset(ready);
    for (let k = 0; k < 1500; k++) tracker.step();
    tracker.measure();
    expect(tracker.rotationErrors[0]).toBeLessThan(1e-9);
    for (const i of [0, 2, 6]) expect(tracker.q[i]).toBe(ready[i]);
  });

  it('a start that cannot stop in time says so, keeps the position limit and recovers', () => {
    const tracker = createTracker(model, { levels: [[{ kind: 'posture', target: ready }]], accelerations: 5 });
    const q = Float64Array.from(ready);
    q[0] = 2.9 - 1e-3;
    const v = new Float64Array(7);
    v[0] = 1.7;
    tracker.reset(q, v);
    expect(tracker.step()).toBe('limits');
    expectWithinLimits(tracker);
    let status = '';
    for (let k = 0; k < 3000; k++) status = tracker.step();
    expect(status).toBe('tracking');
    for (let i = 0; i < 7; i++) expect(tracker.q[i]).toBeCloseTo(ready[i], 9);
  });

  it('misuse throws and says what', () => {
    expect(() => createTracker(model, { levels: [] })).toThrow('levels, got an array of 0');
    expect(() => createTracker(model, { levels: [[]], gain: 0 })).toThrow('gain, got 0');
    expect(() => createTracker(model, { levels: [[]], accelerations: [1] })).toThrow(
      'accelerations, got 1 numbers, expected 7',
    );
    expect(() => createTracker(model, { levels: [[]] }).reset([0])).toThrow('reset: q, got 1 numbers, expected 7');
  });
});
