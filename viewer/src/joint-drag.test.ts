import { describe, expect, it } from 'vitest';
import { dragJoint, type HeldJoint } from './joint-drag.js';

/** A ray from the eye through a point. */
const through = (eye: readonly number[], to: readonly number[]) => ({
  origin: eye as [number, number, number],
  direction: [0, 1, 2].map((k) => to[k] - eye[k]) as [number, number, number],
});
const turn: HeldJoint = { motion: 'rotation', origin: [1, 2, 0.5], axis: [0, 0, 1], point: [1.5, 2, 0.8] };

describe('dragJoint', () => {
  it.each([-2.5, -0.3, 0, 0.01, 1.2, 3])('turns by the angle to where the pointer holds the point: %d', (angle) => {
    const to = [1 + 0.5 * Math.cos(angle), 2 + 0.5 * Math.sin(angle), 0.8];
    expect(dragJoint(turn, through([0, -3, 4], to))).toBeCloseTo(angle, 12);
    expect(dragJoint({ ...turn, axis: [0, 0, -1] }, through([3, 1, 5], to))).toBeCloseTo(-angle, 12);
  });

  it('follows the way along the motion where its plane is seen from the edge', () => {
    const held: HeldJoint = { ...turn, origin: [0, 0, 0], point: [0, -0.5, 0] };
    for (const x of [-0.2, 0, 0.1, 0.3])
      expect(dragJoint(held, through([0, -10, 0], [x, -0.5, 0]))).toBeCloseTo(x / 0.5, 2);
  });

  it.each([-1, 0, 0.25, 2])('shifts along the axis to where it is nearest to the pointer: %d', (way) => {
    const held: HeldJoint = { motion: 'translation', origin: [0, 0, 0], axis: [0, 1, 0], point: [0.4, 0.1, 0.2] };
    expect(dragJoint(held, through([3, -2, 4], [0.4, 0.1 + way, 0.2]))).toBeCloseTo(way, 12);
  });

  it('says nothing where the pointer does not', () => {
    expect(dragJoint({ ...turn, point: [1, 2, 3] }, through([0, 0, 9], [1, 1, 1]))).toBe(0);
    const held: HeldJoint = { motion: 'translation', origin: [0, 0, 0], axis: [0, 1, 0], point: [0, 0, 0] };
    expect(dragJoint(held, { origin: [0, -5, 0], direction: [0, 1, 0] })).toBe(0);
    expect(dragJoint(turn, { origin: [0, 0, 5], direction: [0, 0, 1] })).toBe(0);
  });
});
