import { describe, expect, it } from 'vitest';
import { addUrdf, boxLink, planarArm, revolute } from '../../../test/scene-fixtures.js';
import { createRandom, type Random } from '../../math/random.js';
import { interpolateConfiguration, randomConfiguration } from '../../model/configuration.js';
import { attachObject } from '../attach.js';
import { isSceneFree, nearestPair } from '../queries/check.js';
import { setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene } from '../scene.js';
import type { Scene, SceneRobot } from '../types.js';
import { certifyPath, listSegments, type PathCertificate } from './certify-path.js';
import { verifyPathCertificate } from './verify-path.js';

const altered = process.env.ORACLE_FULL ? 10_000 : 400;

/** An arm with a slide, a turn, and a mimicking finger; and one that floats. */
const GANTRY = `<robot name="gantry">${boxLink('base', '0.1 0.1 0.1')}${boxLink('carriage', '0.1 0.1 0.1')}${boxLink('arm', '0.5 0.05 0.05', '0.25 0 0')}${boxLink('finger', '0.2 0.03 0.03', '0.1 0 0')}
  <joint name="slide" type="prismatic"><parent link="base"/><child link="carriage"/><origin xyz="0 0 0.15"/><axis xyz="0 1 0"/><limit lower="-0.6" upper="0.6" velocity="1" effort="1"/></joint>
  ${revolute('turn', 'carriage', 'arm', '0.1 0 0.15')}
  <joint name="follow" type="revolute"><parent link="arm"/><child link="finger"/><origin xyz="0.52 0 0.06"/><axis xyz="0 0 1"/><limit lower="-7" upper="7" velocity="1" effort="1"/><mimic joint="turn" multiplier="-1.5" offset="0.2"/></joint></robot>`;

function scatter(scene: Scene, random: Random, count: number): void {
  for (let i = 0; i < count; i++) {
    const shape =
      i % 2 === 0
        ? ({ type: 'sphere', radius: random.uniform(0.02, 0.1) } as const)
        : ({ type: 'box', size: [random.uniform(0.02, 0.2), random.uniform(0.02, 0.2), 0.3] } as const);
    const pose = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.2, 0.5), 0, 0, 0, 1] as const;
    addObject(scene, { name: `object ${i}`, shape, pose });
  }
}

interface Drawn {
  readonly scene: Scene;
  readonly robot: SceneRobot;
  readonly path: readonly Float64Array[];
}

function draw(random: Random, round: number): Drawn {
  const scene = createScene();
  const robot =
    round % 3 === 0
      ? addUrdf(scene, planarArm('snake', 5, 0.2))
      : addUrdf(scene, GANTRY, round % 3 === 1 ? {} : { build: { base: 'floating' } });
  scatter(scene, random, 1 + (round % 6));
  if (round % 4 === 0) {
    const held = addObject(scene, {
      name: 'held',
      shape: { type: 'sphere', radius: 0.04 },
      pose: [0, 0, 0.6, 0, 0, 0, 1],
    });
    const link = round % 3 === 0 ? 'link4' : 'arm';
    attachObject(scene, held, { robot, link, placement: [0.25, 0, 0.07, 0, 0, 0, 1] });
  }
  const path = Array.from({ length: 1 + (round % 4) }, () => {
    const q = randomConfiguration(new Float64Array(robot.model.nq), robot.model, random);
    return round % 3 === 0 ? q.map((x) => 0.25 * x) : q;
  });
  return { scene, robot, path };
}

/** Whether all of `steps` states of every segment are free, and the smallest gap that was seen. */
function sample({ scene, robot, path }: Drawn, steps: number): { readonly free: boolean; readonly gap: number } {
  const q = new Float64Array(robot.model.nq);
  let gap = Infinity;
  for (const [from, to] of listSegments(path)) {
    for (let k = 0; k <= steps; k++) {
      setConfiguration(robot, interpolateConfiguration(q, robot.model, from, to, k / steps));
      if (!isSceneFree(scene)) return { free: false, gap: 0 };
      gap = Math.min(gap, nearestPair(scene)?.distance ?? Infinity);
    }
  }
  return { free: true, gap };
}

describe('certified paths', () => {
  it('are free at every sample, with the clearance kept, and their certificates are proven; others collide where it is said', () => {
    const random = createRandom(3);
    const found = { free: 0, collides: 0, undecided: 0 };
    for (let round = 0; round < 120; round++) {
      const drawn = draw(random, round);
      const { scene, robot, path } = drawn;
      const verdict = certifyPath(scene, robot, path);
      found[verdict.status]++;
      if (verdict.status === 'free') {
        const { free, gap } = sample(drawn, 200);
        expect(free, `round ${round}`).toBe(true);
        expect(gap).toBeGreaterThanOrEqual(verdict.clearance - 1e-9);
        const certificate = JSON.parse(JSON.stringify(verdict.certificate)) as PathCertificate;
        const proof = verifyPathCertificate(scene, robot, path, certificate);
        expect(proof.reason).toBe('');
        expect(proof).toMatchObject({ isProven: true, segment: null, complete: true });
        expect(gap).toBeGreaterThanOrEqual(proof.clearance - 1e-9);
      } else {
        expect(verdict.certificate).toBeNull();
        const [from, to] = listSegments(path)[verdict.segment!];
        const q = new Float64Array(robot.model.nq);
        setConfiguration(robot, interpolateConfiguration(q, robot.model, from, to, verdict.t!));
        if (verdict.status === 'collides') expect(isSceneFree(scene), `round ${round}`).toBe(false);
        else expect(nearestPair(scene)!.distance).toBeLessThan(1e-5);
      }
      disposeScene(scene);
    }
    expect(found.free).toBeGreaterThan(10);
    expect(found.collides).toBeGreaterThan(10);
  });

  it(`${altered} certificates that lack something, belong to another path, or to one that collides: refused`, () => {
    const random = createRandom(5);
    for (let count = 0, round = 0; count < altered; round++) {
      const { scene, robot, path } = draw(random, round);
      const verdict = certifyPath(scene, robot, path);
      if (verdict.certificate) {
        for (let n = 0; n < 6; n++, count++) {
          const forged = structuredClone(verdict.certificate) as unknown as Mutable;
          alter(forged, random, n);
          expect(verifyPathCertificate(scene, robot, path, forged).isProven, `round ${round}, ${n}`).toBe(false);
        }
      } else {
        for (let pieces = 1; pieces <= 256; pieces *= 4, count++) {
          const forged = cut(path, pieces);
          expect(verifyPathCertificate(scene, robot, path, forged).isProven, `round ${round}, ${pieces}`).toBe(false);
        }
      }
      disposeScene(scene);
    }
  });

  it('keep the margin that was asked for', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.3));
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.05 }, pose: [0.55, 0.35, 0, 0, 0, 0, 1] });
    const path = [[0], [0.2]];
    const near = certifyPath(scene, robot, path);
    expect(near.status).toBe('free');
    expect(certifyPath(scene, robot, path, { margin: near.clearance * 0.9 }).status).toBe('free');
    const wide = certifyPath(scene, robot, path, { margin: 0.25 });
    expect(wide).toMatchObject({ status: 'collides', segment: 0, certificate: null });
    expect([wide.a, wide.b].sort()).toEqual(['link1', 'post']);
    const claimed = { ...near.certificate!, margin: 0.25 };
    expect(verifyPathCertificate(scene, robot, path, claimed).isProven).toBe(false);
    disposeScene(scene);
  });

  it('refuse what is no path and what is no certificate', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.3));
    expect(() => certifyPath(scene, robot, [])).toThrow(/path, got none/);
    expect(() => certifyPath(scene, robot, [[0, 1]])).toThrow(/path\[0\], got 2 numbers, expected 1/);
    expect(() => certifyPath(scene, robot, [[Number.NaN]])).toThrow(/path\[0\]\[0\]/);
    const nothing = { version: 1, margin: 0, segments: [null] } as unknown as PathCertificate;
    expect(verifyPathCertificate(scene, robot, [[0]], nothing).isProven).toBe(false);
    disposeScene(scene);
  });
});

interface Mutable {
  version: 1;
  margin: number;
  segments: { from: number[]; to: number[]; intervals: [number, number][]; clearance: number | null }[];
}

/** Intervals of equal size over every segment. */
function cut(path: readonly Float64Array[], pieces: number): PathCertificate {
  const intervals = Array.from({ length: pieces }, (_, i): [number, number] => [(i + 0.5) / pieces, 0.5 / pieces]);
  const segments = listSegments(path).map(([from, to]) => ({
    from: [...from],
    to: [...to],
    intervals,
    clearance: null,
  }));
  return { version: 1, margin: 0, segments };
}

function alter(forged: Mutable, random: Random, how: number): void {
  const segment = forged.segments[random.integer(forged.segments.length)];
  const at = random.integer(segment.intervals.length);
  const [middle, half] = segment.intervals[at];
  const end = random.integer(2) === 0 ? segment.from : segment.to;
  if (how === 0) segment.intervals.splice(at, 1);
  else if (how === 1) segment.intervals[at] = [middle, half * random.uniform(0.2, 0.999)];
  else if (how === 2) segment.intervals[at] = [middle, Number.NaN];
  else if (how === 3) end[random.integer(end.length)] += random.uniform(1e-9, 1e-3);
  else if (how === 4) forged.segments.pop();
  else segment.intervals[at] = [middle + half * random.uniform(0.01, 3) + 1e-9, half];
}
