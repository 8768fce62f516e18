import fc from 'fast-check';
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import {
  findDuration,
  type MotionProfile,
  type ProfileEnds,
  type ProfileLimits,
  planProfile,
  planTimedProfile,
} from './motion-profile.js';

// Shrinking numbers this close to each other takes hours; seed and path say what failed.
fc.configureGlobal({ endOnFailure: true });

const state = new Float64Array(4);

/** Limits, ends and consistency of p, v and a, on a fine grid. */
function expectValid(profile: MotionProfile, ends: ProfileEnds, limits: ProfileLimits): void {
  const { duration } = profile;
  const scale = 1 + Math.abs(ends.distance);
  const n = 200;
  const h = duration / n;
  // Position changes by the mean velocity but for h^3 x jerk, or h^2 x acceleration where it jumps.
  const bound = limits.jerk === Infinity ? limits.acceleration * h * h : limits.jerk * h * h * h;
  /** Excess over each limit and over what one step may change. */
  const most = { v: 0, a: 0, j: 0, step: 0, change: 0 };
  const before = new Float64Array(4);
  for (let i = 0; i <= n; i++) {
    const [p, v, a, j] = profile.evaluate(state, h * i);
    most.v = Math.max(most.v, Math.abs(v) - limits.velocity);
    most.a = Math.max(most.a, Math.abs(a) - limits.acceleration);
    if (limits.jerk < Infinity) most.j = Math.max(most.j, Math.abs(j) - limits.jerk);
    if (i > 0) {
      most.step = Math.max(most.step, Math.abs(p - before[0] - 0.5 * h * (v + before[1])) - bound);
      most.change = Math.max(most.change, Math.abs(v - before[1]) - h * limits.acceleration);
    }
    before.set(state);
  }
  expect(Math.max(most.v, most.a, most.j)).toBeLessThanOrEqual(1e-9);
  expect(Math.max(most.step, most.change)).toBeLessThanOrEqual(1e-10 * scale);
  const start = profile.evaluate(new Float64Array(4), 0);
  expect(start[0]).toBe(duration > 0 ? 0 : ends.distance);
  // Ends that rounding alone sets apart take no time: the profile is its end. From the start to the peak, and from there to the end.
  const rounding = duration > 0 ? 0 : 8 * Number.EPSILON * (Math.abs(ends.startVelocity) + Math.abs(ends.endVelocity));
  expect(Math.abs(start[1] - ends.startVelocity)).toBeLessThanOrEqual(rounding);
  const end = profile.evaluate(new Float64Array(4), duration);
  expect([end[0], end[1]]).toEqual([ends.distance, ends.endVelocity]);
  // The end is where the segments lead, not only what is returned there.
  const [p, v] = profile.evaluate(new Float64Array(4), duration * (1 - 1e-12));
  expect(Math.abs(p - ends.distance)).toBeLessThan(1e-9 * scale);
  expect(Math.abs(v - ends.endVelocity)).toBeLessThan(1e-6);
}

const limitsArbitrary = fc.record({
  velocity: fc.double({ min: 0.5, max: 3, noNaN: true }),
  acceleration: fc.double({ min: 0.5, max: 10, noNaN: true }),
  jerk: fc.oneof(fc.constant(Infinity), fc.double({ min: 0.5, max: 200, noNaN: true })),
});
/** No -0, which compares as another number than 0, and nothing below what a motion can be. */
const number = (most: number) =>
  fc.double({ min: -most, max: most, noNaN: true }).map((x) => (Math.abs(x) < 1e-9 ? 0 : x));
const distanceArbitrary = number(3);
const speedArbitrary = fc.oneof(fc.constant(0), number(0.5));
const endsArbitrary = fc.record({
  distance: fc.oneof(distanceArbitrary, fc.constantFrom(0, 1e-9, -1e-6, 0.01)),
  startVelocity: speedArbitrary,
  endVelocity: speedArbitrary,
});

describe('fastest profiles', () => {
  const rest = (distance: number): ProfileEnds => ({ distance, startVelocity: 0, endVelocity: 0 });

  it('trapezoid: 2 sqrt(L/a), or L/v + v/a', () => {
    const limits = { velocity: 1, acceleration: 2, jerk: Infinity };
    expect(planProfile(rest(0.1), limits)!.duration).toBeCloseTo(2 * Math.sqrt(0.05), 14);
    expect(planProfile(rest(3), limits)!.duration).toBeCloseTo(3.5, 14);
    expect(planProfile(rest(-3), limits)!.duration).toBeCloseTo(3.5, 14);
    expect(planProfile(rest(0), limits)!.duration).toBe(0);
  });

  it('jerk-limited: the four cases of a motion from rest to rest', () => {
    const limits = { velocity: 1, acceleration: 2, jerk: 10 };
    // Jerk alone: 4 (L / 2j)^(1/3).
    expect(planProfile(rest(0.02), limits)!.duration).toBeCloseTo(4 * (0.02 / 20) ** (1 / 3), 12);
    // All three limits: L/v + v/a + a/j.
    expect(planProfile(rest(5), limits)!.duration).toBeCloseTo(5 + 0.5 + 0.2, 13);
    // Acceleration, no cruise: peak v with v (v/a + a/j) = L.
    const peak = 0.5 * (-0.4 + Math.sqrt(0.16 + 8 * 0.3));
    expect(planProfile(rest(0.3), limits)!.duration).toBeCloseTo(2 * (peak / 2 + 0.2), 12);
    // Jerk and velocity, acceleration never reached: L/v + 2 sqrt(v/j).
    expect(planProfile(rest(5), { velocity: 1, acceleration: 20, jerk: 10 })!.duration).toBeCloseTo(
      5 + 2 * Math.sqrt(0.1),
      13,
    );
  });

  it('known motions from and to a velocity', () => {
    const limits = { velocity: 2, acceleration: 2, jerk: Infinity };
    // Too fast to stop in time: overshoots and comes back.
    const overshoot = planProfile({ distance: 0.1, startVelocity: 1, endVelocity: 0 }, limits)!;
    expect(overshoot.duration).toBeCloseTo(0.5 + 2 * Math.sqrt(0.15 / 2), 12);
    // Just stops.
    expect(planProfile({ distance: 0.25, startVelocity: 1, endVelocity: 0 }, limits)!.duration).toBeCloseTo(0.5, 12);
    // Backwards at both ends, forwards between.
    const turned = planProfile({ distance: 0.5, startVelocity: -1, endVelocity: -1 }, limits)!;
    expect(turned.duration).toBeCloseTo(1 + 2 * Math.sqrt(1 / 2), 12);
  });

  it('keep limits and ends', () => {
    fc.assert(
      fc.property(endsArbitrary, limitsArbitrary, (ends, limits) => {
        const profile = planProfile(ends, limits)!;
        expect(profile).not.toBeNull();
        expectValid(profile, ends, limits);
      }),
      { numRuns: 300 },
    );
  });

  it('are as fast backwards in time, and mirrored; sharper limits are never faster', () => {
    fc.assert(
      fc.property(endsArbitrary, limitsArbitrary, (ends, limits) => {
        const { distance, startVelocity, endVelocity } = ends;
        const { duration } = planProfile(ends, limits)!;
        const reversed = planProfile({ distance, startVelocity: endVelocity, endVelocity: startVelocity }, limits)!;
        expect(reversed.duration).toBeCloseTo(duration, 7);
        const mirror = { distance: -distance, startVelocity: -startVelocity, endVelocity: -endVelocity };
        expect(planProfile(mirror, limits)!.duration).toBeCloseTo(duration, 7);
        const wider = planProfile(ends, { ...limits, jerk: 2 * limits.jerk, velocity: 2 * limits.velocity })!;
        expect(wider.duration).toBeLessThanOrEqual(duration + 1e-7);
        expect(planProfile(ends, { ...limits, jerk: Infinity })!.duration).toBeLessThanOrEqual(duration + 1e-7);
      }),
      { numRuns: 300 },
    );
  });

  it('no time for ends that rounding alone sets apart', () => {
    for (const [endVelocity, limits] of [
      [-0.49999999999999967, { velocity: 2.5, acceleration: 0.84, jerk: 160 }],
      [
        -0.49999999999999994,
        { velocity: 0.7301120977534871, acceleration: 0.7365688732707301, jerk: 0.5000000000000007 },
      ],
    ] as const) {
      const ends = { distance: 0, startVelocity: -0.499999999999999, endVelocity };
      const profile = planProfile(ends, limits)!;
      expect(profile.duration).toBe(0);
      expectValid(profile, ends, limits);
    }
  });

  it('no detour over another state is faster', () => {
    fc.assert(
      fc.property(endsArbitrary, limitsArbitrary, distanceArbitrary, speedArbitrary, (ends, limits, at, speed) => {
        const { duration } = planProfile(ends, limits)!;
        const there = planProfile({ distance: at, startVelocity: ends.startVelocity, endVelocity: speed }, limits)!;
        const on = { distance: ends.distance - at, startVelocity: speed, endVelocity: ends.endVelocity };
        expect(duration).toBeLessThanOrEqual(there.duration + planProfile(on, limits)!.duration + 1e-7);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuse velocities beyond the limit', () => {
    const limits = { velocity: 1, acceleration: 1, jerk: 1 };
    expect(planProfile({ distance: 1, startVelocity: 1.1, endVelocity: 0 }, limits)).toBeNull();
    expect(planTimedProfile({ distance: 1, startVelocity: 1.1, endVelocity: 0 }, limits, 9)).toBeNull();
    expect(findDuration({ distance: 1, startVelocity: 0, endVelocity: -2 }, limits, 1)).toBe(Infinity);
  });
});

describe('profiles with accelerations at the ends', () => {
  const share = fc.oneof(fc.constantFrom(0, 1, -1), fc.double({ min: -1, max: 1, noNaN: true }));
  const jerkLimits = limitsArbitrary.filter(({ jerk }) => jerk < Infinity);
  /** Shares of the accelerations that the velocities allow. */
  const accelerate = (ends: ProfileEnds, limits: ProfileLimits, start: number, end: number): ProfileEnds => {
    const most = (v: number, sign: number): number =>
      Math.min(limits.acceleration, Math.sqrt(2 * limits.jerk * Math.max(limits.velocity - sign * v, 0)));
    return {
      ...ends,
      startAcceleration: start * most(ends.startVelocity, Math.sign(start)),
      endAcceleration: end * most(ends.endVelocity, -Math.sign(end)),
    };
  };

  it('keep limits and ends, and every longer possible duration', () => {
    fc.assert(
      fc.property(endsArbitrary, jerkLimits, share, share, (given, limits, a, b) => {
        const ends = accelerate(given, limits, a, b);
        const profile = planProfile(ends, limits)!;
        expect(profile).not.toBeNull();
        expectValid(profile, ends, limits);
        const slack = 1e-7 * limits.acceleration;
        if (profile.duration > 1e-6) {
          expect(Math.abs(profile.evaluate(state, 0)[2] - ends.startAcceleration!)).toBeLessThan(slack);
          expect(Math.abs(profile.evaluate(state, profile.duration)[2] - ends.endAcceleration!)).toBeLessThan(slack);
        }
        const duration = findDuration(ends, limits, 1.7 * profile.duration);
        const longer = planTimedProfile(ends, limits, duration)!;
        expect(Math.abs(longer.duration - duration)).toBeLessThanOrEqual(1e-9 * duration + 1e-12);
        expectValid(longer, ends, limits);
      }),
      { numRuns: 400 },
    );
  });

  it('are as fast backwards in time, and mirrored', () => {
    fc.assert(
      fc.property(endsArbitrary, jerkLimits, share, share, (given, limits, a, b) => {
        const ends = accelerate(given, limits, a, b);
        const { distance, startVelocity, endVelocity, startAcceleration, endAcceleration } = ends;
        const { duration } = planProfile(ends, limits)!;
        const reversed = {
          distance,
          startVelocity: endVelocity,
          endVelocity: startVelocity,
          startAcceleration: -endAcceleration!,
          endAcceleration: -startAcceleration!,
        };
        expect(planProfile(reversed, limits)!.duration).toBeCloseTo(duration, 6);
        const mirror = Object.fromEntries(
          Object.entries(ends).map(([name, x]) => [name, -x]),
        ) as unknown as ProfileEnds;
        expect(planProfile(mirror, limits)!.duration).toBeCloseTo(duration, 6);
      }),
      { numRuns: 300 },
    );
  });

  it('from a moment of a fastest motion the rest of it is the fastest, and up to that moment its beginning is', () => {
    // Ends at rest: what must arrive in motion may have to come round again for a rounding error.
    const coarse = (x: number): number => Math.round(1000 * x) / 1000;
    fc.assert(
      fc.property(endsArbitrary, jerkLimits, fc.double({ min: 0, max: 1, noNaN: true }), (given, limits, part) => {
        const distance = coarse(given.distance);
        const speed = coarse(given.startVelocity);
        const arriving = planProfile({ distance, startVelocity: speed, endVelocity: 0 }, limits)!;
        const [p, v, a] = arriving.evaluate(new Float64Array(4), part * arriving.duration);
        const rest = { distance: distance - p, startVelocity: v, startAcceleration: a, endVelocity: 0 };
        const left = (1 - part) * arriving.duration;
        expect(Math.abs(planProfile(rest, limits)!.duration - left)).toBeLessThan(2e-5 * (1 + arriving.duration));

        const leaving = planProfile({ distance, startVelocity: 0, endVelocity: speed }, limits)!;
        const time = part * leaving.duration;
        const [to, endVelocity, endAcceleration] = leaving.evaluate(new Float64Array(4), time);
        const begin = { distance: to, startVelocity: 0, endVelocity, endAcceleration };
        expect(Math.abs(planProfile(begin, limits)!.duration - time)).toBeLessThan(2e-5 * (1 + leaving.duration));
      }),
      { numRuns: 400 },
    );
  });

  it('refuse accelerations beyond the limit, and those that lead beyond the velocity limit', () => {
    const limits = { velocity: 1, acceleration: 2, jerk: 10 };
    const ends = { distance: 1, startVelocity: 0.9, endVelocity: 0 };
    expect(planProfile({ ...ends, startAcceleration: 1.4 }, limits)).not.toBeNull();
    expect(planProfile({ ...ends, startAcceleration: 1.5 }, limits)).toBeNull();
    expect(planProfile({ ...ends, startAcceleration: -2.1 }, limits)).toBeNull();
    expect(planProfile({ ...ends, endAcceleration: 2.1 }, limits)).toBeNull();
  });
});

describe('profiles of a given duration', () => {
  it('from rest to rest every longer duration is possible, and taken exactly', () => {
    fc.assert(
      fc.property(
        distanceArbitrary,
        limitsArbitrary,
        fc.double({ min: 1, max: 50, noNaN: true }),
        (distance, limits, factor) => {
          const ends = { distance, startVelocity: 0, endVelocity: 0 };
          const duration = planProfile(ends, limits)!.duration * factor;
          const profile = planTimedProfile(ends, limits, duration)!;
          expect(profile).not.toBeNull();
          expect(Math.abs(profile.duration - duration)).toBeLessThanOrEqual(1e-9 * duration);
          expectValid(profile, ends, limits);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is taken exactly where the time of a change grows without bound beside its least', () => {
    const ends = { distance: 0, startVelocity: -0.499999999999999, endVelocity: 0.4999999999999994 };
    const limits = { velocity: 0.8093631848777496, acceleration: 0.5000000000000012, jerk: 29.797909195647808 };
    const duration = findDuration(ends, limits, planProfile(ends, limits)!.duration * 1.0000000000000029);
    expect(planTimedProfile(ends, limits, duration)!.duration).toBe(duration);
  });

  it('is none where the end velocities are neighbouring numbers and there is no way to go', () => {
    const limits = { velocity: 1.0399321209284407, acceleration: 3.7617958966895593, jerk: 0.7730301259449316 };
    const others = { velocity: 0.7352851818646234, acceleration: 3.295355783920636, jerk: 3.6930917230654967 };
    for (const sign of [-1, 1])
      for (const given of [limits, others]) {
        const ends = { distance: 0, startVelocity: sign * 0.5, endVelocity: sign * 0.49999999999999895 };
        expect(planProfile(ends, given)!.duration).toBe(0);
        const duration = findDuration(ends, given, 0);
        expect(planTimedProfile(ends, given, duration)!.duration).toBe(duration);
      }
  });

  it('the next possible duration is possible, and none before it is', () => {
    fc.assert(
      fc.property(
        endsArbitrary,
        limitsArbitrary,
        fc.double({ min: 1, max: 5, noNaN: true }),
        (ends, limits, factor) => {
          const least = planProfile(ends, limits)!.duration * factor;
          const duration = findDuration(ends, limits, least);
          expect(duration).toBeGreaterThanOrEqual(least);
          const profile = planTimedProfile(ends, limits, duration)!;
          expect(profile).not.toBeNull();
          expect(Math.abs(profile.duration - duration)).toBeLessThanOrEqual(1e-9 * duration + 1e-12);
          expectValid(profile, ends, limits);
          for (const share of [0.1, 0.5, 0.9]) {
            const between = least + share * (duration - least);
            if (between > least && between < duration * (1 - 1e-6))
              expect(planTimedProfile(ends, limits, between)).toBeNull();
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

it('accelerations and velocities stay within their limits however sharp the jerk beside them (seed 77)', () => {
  const random = createRandom(77);
  const state = new Float64Array(4);
  const bounds = new Float64Array(2);
  const magnitude = (least: number, most: number): number => 10 ** random.uniform(least, most);
  const share = (): number => (random.next() < 0.5 ? 0 : random.uniform(-1, 1));
  let planned = 0;
  for (let n = 0; n < 3000; n++) {
    const velocity = magnitude(-3, 3);
    const acceleration = magnitude(-5, 5);
    const limits = { velocity, acceleration, jerk: acceleration * magnitude(-4, 14) };
    const ends = {
      distance: random.uniform(-1, 1) * magnitude(-6, 3),
      startVelocity: share() * velocity,
      endVelocity: share() * velocity,
      startAcceleration: share() * acceleration,
      endAcceleration: share() * acceleration,
    };
    const profile = planProfile(ends, limits);
    if (!profile) continue;
    planned++;
    const title = JSON.stringify({ ends, limits });
    const { duration } = profile;
    profile.bound(bounds, 0, duration);
    expect([bounds[0] <= velocity * (1 + 1e-9), bounds[1] <= acceleration * (1 + 1e-9)], title).toEqual([true, true]);
    for (let k = 0; k <= 400; k++) {
      profile.evaluate(state, (duration * k) / 400);
      expect(
        Math.abs(state[1]) <= velocity * (1 + 1e-9) && Math.abs(state[2]) <= acceleration * (1 + 1e-9),
        title,
      ).toBe(true);
    }
  }
  expect(planned).toBeGreaterThan(1000);
});

it('a jerk of 7e10 at 7e4 s: the acceleration at a seam is that of its segment', () => {
  const ends = { distance: -153.4596195685677, startVelocity: 0, endVelocity: -0.001337878852449794 };
  const limits = { velocity: 0.0032218096197342717, acceleration: 0.2708502137379814, jerk: 74390227596.94205 };
  const profile = planProfile(ends, limits)!;
  const bounds = profile.bound(new Float64Array(2), 0, profile.duration);
  expect(bounds[1]).toBeLessThanOrEqual(limits.acceleration * (1 + 1e-12));
});
