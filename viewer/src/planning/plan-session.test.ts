import { interpolateConfiguration } from 'clearance/model';
import {
  certifyPath,
  isSceneFree,
  moveObject,
  setConfiguration,
  updateScene,
  verifyPathCertificate,
} from 'clearance/scene';
import { createFileSet } from 'clearance/web';
import { describe, expect, it } from 'vitest';
import srdf from '../../../examples/arm/arm.srdf?raw';
import urdf from '../../../examples/arm/arm.urdf?raw';
import lines from '../../../examples/scenes/problems.jsonl?raw';
import shelf from '../../../examples/scenes/table-shelf.json?raw';
import { type BuiltScene, buildScene } from '../load/build-scene.js';
import { type Content, createEmptyContent } from '../load/content.js';
import { loadGivenFiles } from '../load/given-files.js';
import type { PlanAnswer } from './plan-answer.js';
import { PlanSession } from './plan-session.js';

const meshes = import.meta.glob<string>('../../../examples/arm/meshes/*.stl', {
  query: '?inline',
  import: 'default',
  eager: true,
});

async function loadContent(): Promise<Content> {
  const read = Object.entries(meshes).map(
    async ([path, url]): Promise<[string, Blob]> => [
      path.slice(path.indexOf('meshes/')),
      await (await fetch(url)).blob(),
    ],
  );
  const texts = { 'arm.urdf': urdf, 'arm.srdf': srdf };
  const given = Object.entries(texts).map(([name, text]): [string, Blob] => [name, new Blob([text])]);
  const { robots } = await loadGivenFiles(await createFileSet([...given, ...(await Promise.all(read))]));
  const { objects } = JSON.parse(shelf) as Pick<Content, 'objects'>;
  const free = { name: 'free ball', shape: { type: 'sphere', radius: 0.08 }, pose: [2, 2, 2, 0, 0, 0, 1] } as const;
  return { ...createEmptyContent('arm'), robots, objects: [...objects, free] };
}

const problems = lines
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { name: string; start: number[]; goal: number[] })
  .map(({ name, start, goal }) => ({ name, ends: { start: Float64Array.from(start), goal: Float64Array.from(goal) } }));

/** Dense samples of the path are free in a scene that no search has touched. */
function expectFree({ scene, robots: [{ scene: robot, model }] }: BuiltScene, path: readonly Float64Array[]): void {
  const q = new Float64Array(model.nq);
  for (let i = 1; i < path.length; i++)
    for (let k = 0; k <= 60; k++) {
      setConfiguration(robot, interpolateConfiguration(q, model, path[i - 1], path[i], k / 60));
      if (!isSceneFree(scene)) expect(`segment ${i} at ${k / 60}`).toBe('free');
    }
}

/** Limits of time would make answers depend on the machine. */
const steadyClock = (): number => 0;

/** Steps to the end; the last answer. */
function settle(session: PlanSession): PlanAnswer | null {
  let last: PlanAnswer | null = null;
  for (const given of session.settle()) if (given && 'status' in given) last = given;
  return last;
}

describe('a planning session of the page', async () => {
  const content = await loadContent();
  it.each(problems)('plans $name, certified, with the places where it is tightest', ({ ends }) => {
    const session = new PlanSession(buildScene(content), 0, steadyClock);
    session.ask(ends);
    const first = session.answer();
    const last = settle(session)!;
    const independent = buildScene(content);
    for (const { status, path } of first.status === 'solved' ? [first, last] : [last]) {
      expect(status).toBe('solved');
      expect([path[0], path.at(-1)]).toEqual([ends.start, ends.goal]);
      expectFree(independent, path);
    }
    expect(last.proof).toBe('certificate');
    const { scene, robots } = independent;
    const { certificate, clearance } = certifyPath(scene, robots[0].scene, last.path);
    expect(verifyPathCertificate(scene, robots[0].scene, last.path, certificate!).isProven).toBe(true);
    expect(last.clearance).toBe(clearance);
    const { distances, places } = last.profile!;
    expect(places.length).toBeGreaterThan(0);
    expect(places[0].distance).toBeLessThanOrEqual(Math.min(...distances));
    for (const { distance, a, b } of places) {
      expect(distance).toBeGreaterThanOrEqual(last.clearance!);
      expect(`${a} ${b}`).not.toMatch(/finger_left finger_right/);
    }
  });

  it('follows an obstacle that is dragged through the path: every path that it calls proven is free', () => {
    const session = new PlanSession(buildScene(content), 0, steadyClock);
    const start = Float64Array.from([0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    const { goal } = problems[1].ends;
    session.ask({ start, goal });
    session.answer();
    settle(session);
    const independent = buildScene(content);
    const ball = independent.scene.objects.get('free ball')!;
    const counts = new Map<string, number>();
    for (let n = 0; n < 60; n++) {
      const s = n / 60;
      const pose = [0.35 + 0.1 * Math.sin(6 * s), -0.5 + 1.2 * s, 0.55 + 0.1 * Math.cos(9 * s), 0, 0, 0, 1] as const;
      session.edit([{ type: 'move', object: 'free ball', pose }]);
      session.ask({ start, goal });
      const { status, how, proof, path } = session.answer();
      const kind = status === 'solved' ? how : status;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      moveObject(independent.scene, ball, pose);
      for (const [q, fault] of [
        [start, 'invalid-start'],
        [goal, 'invalid-goal'],
      ] as const) {
        setConfiguration(independent.robots[0].scene, q);
        if (status === fault) expect(isSceneFree(independent.scene)).toBe(false);
        if (status === 'solved') expect(isSceneFree(independent.scene)).toBe(true);
      }
      if (status !== 'solved') continue;
      expect(proof).toBe('motions');
      expectFree(independent, path);
    }
    expect(counts.get('kept')).toBeGreaterThan(10);
    expect(counts.get('repaired')).toBeGreaterThan(0);
    expect(counts.get('invalid-start') ?? 0).toBeGreaterThan(0);
  });

  it('goes through places, one leg after another, keeps them while an obstacle moves, and says which of them cannot be', () => {
    const session = new PlanSession(buildScene(content), 0, steadyClock);
    const [{ ends: one }, { ends: two }] = problems;
    const via = [two.start, one.goal];
    const ends = { start: one.start, via, goal: two.goal };
    session.ask(ends);
    session.answer();
    const last = settle(session)!;
    const independent = buildScene(content);
    expect(last).toMatchObject({ status: 'solved', proof: 'certificate' });
    expect([last.path[0], last.path.at(-1)]).toEqual([ends.start, ends.goal]);
    expectFree(independent, last.path);
    const at = via.map((q) => last.path.findIndex((found) => found.every((x, i) => x === q[i])));
    expect(at[0]).toBeGreaterThan(0);
    expect(at[1]).toBeGreaterThan(at[0]);
    const { scene, robots } = independent;
    expect(last.clearance).toBe(certifyPath(scene, robots[0].scene, last.path).clearance);
    expect(last.profile!.speeds.every((speed) => speed >= 0 && speed < 3)).toBe(true);
    expect(Math.max(...last.profile!.speeds)).toBeGreaterThan(0.1);

    session.edit([{ type: 'move', object: 'free ball', pose: [2, 2, 1.9, 0, 0, 0, 1] }]);
    session.ask(ends);
    const kept = session.answer();
    expect(kept).toMatchObject({ status: 'solved', how: 'kept' });
    session.ask({ ...ends, via: [two.start, Float64Array.from([0, 1.9, 0, 0, 0, 0, 0, 0])] });
    expect(session.answer()).toMatchObject({
      status: 'invalid-goal',
      reason: expect.stringMatching(/^waypoint 2: .*table/),
    });
    expect([...session.settle()]).toEqual([]);
  });

  it('takes the planner that is named, within its limits', () => {
    const session = new PlanSession(buildScene(content), 0, steadyClock);
    const { ends } = problems[1];
    session.ask(ends, { planner: 'prm', iterations: 5000 });
    expect(session.answer()).toMatchObject({ status: 'searching', reason: 'by prm' });
    const last = settle(session)!;
    expect(last).toMatchObject({ status: 'solved', how: 'searched' });
    expectFree(buildScene(content), last.path);
    session.ask(ends, { planner: 'rrt', iterations: 2 });
    session.answer();
    expect(settle(session)!.status).toBe('none');
  });

  it('checks a path that comes from elsewhere, and says where it touches', () => {
    const session = new PlanSession(buildScene(content), 0, steadyClock);
    const { start, goal } = problems[1].ends;
    const [through] = [...session.check([start, goal])].filter((given) => given !== null);
    expect(through).toMatchObject({ how: 'loaded', proof: null, clearance: null });
    const { touching, distances } = through!.profile!;
    expect(touching.length).toBeGreaterThan(0);
    const independent = buildScene(content);
    const [{ scene: robot, model }] = independent.robots;
    const q = new Float64Array(model.nq);
    for (const [i, distance] of distances.entries()) {
      const at = i / (distances.length - 1);
      setConfiguration(robot, interpolateConfiguration(q, model, start, goal, at));
      expect(isSceneFree(independent.scene)).toBe(distance > 0);
      if (distance <= 0) expect(touching.some(([from, to]) => from <= at && at <= to)).toBe(true);
    }
    session.ask(problems[0].ends);
    session.answer();
    const free = settle(session)!.path;
    const [checked] = [...session.check(free)].filter((given) => given !== null);
    expect(checked).toMatchObject({ proof: 'certificate', profile: { touching: [] } });
    expect(checked!.clearance).toBe(certifyPath(independent.scene, robot, free).clearance);
  });

  it('searches with the exact shapes where spheres leave no way, and says why there is none', () => {
    const built = buildScene(content);
    const session = new PlanSession(built, 0, steadyClock);
    const { start, goal } = problems[1].ends;
    const { scene, robots } = built;
    // A ball that the tool nearly touches where it begins: boxes around its links reach into it.
    setConfiguration(robots[0].scene, start);
    updateScene(scene);
    const hand = robots[0].scene.links.find(({ name }) => name === 'hand')!.body;
    const near = Float64Array.from(hand.worldPlacement);
    const ball = scene.objects.get('free ball')!;
    for (let gap = 0.3; gap > 0; gap -= 0.001) {
      const next = near.slice();
      next[10] -= gap;
      moveObject(scene, ball, next);
      if (isSceneFree(scene)) continue;
      next[10] -= 0.002;
      moveObject(scene, ball, next);
      break;
    }
    expect(isSceneFree(scene)).toBe(true);
    session.ask({ start, goal });
    expect(session.answer().status).toBe('searching');
    const last = settle(session)!;
    expect(last.status).toBe('solved');
    expectFree(built, last.path);
    session.ask({ start, goal: Float64Array.from([0, 1.9, 0, 0, 0, 0, 0, 0]) });
    expect(session.answer()).toMatchObject({
      status: 'invalid-goal',
      reason: expect.stringContaining('table'),
      path: [],
    });
    // There is nothing to search.
    expect([...session.settle()]).toEqual([]);
  });
});
