import { describe, expect, it } from 'vitest';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { arcPieces, findArc, linePieces, splinePieces, toolCurve, toolModel } from './tool-path.js';

const start = Float64Array.of(0.4, 0, 0.3, 0, 1, 0, 0);
const point = createTrajectoryPoint(toolModel());

describe('linePieces', () => {
  it('goes straight at the speed of its length, turning at a constant rate', () => {
    const end = Float64Array.of(0.6, 0.1, 0.3, Math.SQRT1_2, Math.SQRT1_2, 0, 0);
    const curve = toolCurve(linePieces(start, end), start);
    expect(curve.duration).toBeCloseTo(Math.PI / 2 > 1.1 ? Math.max(Math.sqrt(0.05), 0.2 * (Math.PI / 2)) : 0, 12);
    for (const share of [0, 0.3, 0.7]) {
      curve.evaluate(point, share * curve.duration);
      expect(point.q[0]).toBeCloseTo(0.4 + 0.2 * share, 12);
      expect(point.q[1]).toBeCloseTo(0.1 * share, 12);
      expect(Math.sqrt(point.v[3] ** 2 + point.v[4] ** 2 + point.v[5] ** 2) * curve.duration).toBeCloseTo(
        Math.PI / 2,
        10,
      );
    }
    expect(linePieces(start, start)).toEqual([]);
    expect([...toolCurve(linePieces(start, end, 'fixed'), start).end.subarray(3)]).toEqual([0, 1, 0, 0]);
  });
});

describe('arcs', () => {
  const via = [0.5, 0.1, 0.3];
  const end = Float64Array.of(0.6, 0, 0.3, 0, 1, 0, 0);

  it('stay on the circle and keep the speed', () => {
    const arc = findArc(start, end, { via });
    if (typeof arc === 'string') throw new Error(arc);
    expect(arc.radius).toBeCloseTo(0.1, 12);
    expect(arc.angle).toBeCloseTo(Math.PI, 9);
    const curve = toolCurve(arcPieces(start, arc, end, 'fixed'), start);
    expect(curve.duration).toBeCloseTo(0.1 * Math.PI, 12);
    for (let k = 0; k <= 200; k++) {
      curve.evaluate(point, (curve.duration * k) / 200);
      expect(Math.abs(Math.sqrt((point.q[0] - 0.5) ** 2 + point.q[1] ** 2) - 0.1)).toBeLessThan(1e-10);
      expect(Math.sqrt(point.v[0] ** 2 + point.v[1] ** 2 + point.v[2] ** 2)).toBeCloseTo(1, 7);
      expect(point.q[1]).toBeGreaterThan(-1e-12);
    }
  });

  it('turn the tool with the circle where asked, and go on for an angle', () => {
    const arc = findArc(start, end, { via, angle: 2 * Math.PI });
    if (typeof arc === 'string') throw new Error(arc);
    const curve = toolCurve(arcPieces(start, arc, end, 'tangent'), start);
    expect(curve.duration).toBeCloseTo(0.2 * Math.PI, 10);
    curve.evaluate(point, 0.25 * curve.duration);
    // A quarter turn about -z, as the arc goes clockwise: x axis of the tool, which pointed along -x, along +y.
    const [x, y, z, w] = point.q.subarray(3);
    expect(1 - 2 * (y * y + z * z)).toBeCloseTo(0, 8);
    expect(2 * (x * y + z * w)).toBeCloseTo(1, 8);
    expect([...curve.end.subarray(0, 3)].map((p, i) => Math.abs(p - start[i]) < 1e-12)).toEqual([true, true, true]);
  });

  it('go about a centre the short way, or say why they cannot', () => {
    const about = findArc(start, Float64Array.of(0.5, 0.1, 0.3, 0, 1, 0, 0), { center: [0.5, 0, 0.3] });
    if (typeof about === 'string') throw new Error(about);
    expect(about.angle).toBeCloseTo(Math.PI / 2, 12);
    expect(findArc(start, end, { center: [0.5, 0, 0.3] })).toMatch(/lie on a line/);
    expect(findArc(start, end, { center: [0.45, 0, 0.3] })).toMatch(/m from the end/);
    expect(findArc(start, end, { via: [0.5, 0, 0.3] })).toMatch(/no circle/);
  });
});

describe('splinePieces', () => {
  const poses = [start, Float64Array.of(0.5, 0.1, 0.3, 0, 1, 0, 0), Float64Array.of(0.6, 0, 0.4, 0, 1, 0, 0)];

  it('goes through all poses, its curvature continuous', () => {
    const curve = toolCurve(splinePieces(poses, 'interpolate'), start);
    const other = createTrajectoryPoint(toolModel());
    curve.pieces.forEach(({ length }, p) => {
      curve.evaluatePiece(point, p, 0);
      expect(Math.hypot(...[0, 1, 2].map((i) => point.q[i] - poses[p][i]))).toBeLessThan(1e-12);
      if (p === 0) return;
      curve.evaluatePiece(other, p - 1, curve.pieces[p - 1].length);
      for (let i = 0; i < 6; i++) expect(other.a[i]).toBeCloseTo(point.a[i], 7);
      expect(length).toBeGreaterThan(0);
    });
  });

  it('turns with the tangent where asked', () => {
    const curve = toolCurve(splinePieces(poses, 'tangent'), start);
    const angles: number[] = [];
    for (let k = 0; k <= 50; k++) {
      curve.evaluate(point, (curve.duration * k) / 50);
      const [x, y, z, w] = point.q.subarray(3);
      const axis = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)];
      const speed = Math.hypot(point.v[0], point.v[1], point.v[2]);
      angles.push(Math.acos([0, 1, 2].reduce((sum, i) => sum + (axis[i] * point.v[i]) / speed, 0)));
    }
    // The angle between an axis of the tool and the tangent stays, but for what the stations leave open.
    expect(Math.max(...angles) - Math.min(...angles)).toBeLessThan(0.02);
  });
});
