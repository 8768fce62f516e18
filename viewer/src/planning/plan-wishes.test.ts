/** What a leg is asked besides a path: what of the tool is kept, reasons, the roadmap. */
import { addObject, robotFramePlacement, setConfiguration } from 'clearance/scene';
import { createFileSet } from 'clearance/web';
import { describe, expect, it } from 'vitest';
import srdf from '../../../examples/arm/arm.srdf?raw';
import urdf from '../../../examples/arm/arm.urdf?raw';
import { buildScene } from '../load/build-scene.js';
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
  const given = Object.entries({ 'arm.urdf': urdf, 'arm.srdf': srdf });
  const files = given.map(([name, text]): [string, Blob] => [name, new Blob([text])]);
  const { robots } = await loadGivenFiles(await createFileSet([...files, ...(await Promise.all(read))]));
  return { ...createEmptyContent('arm'), robots };
}

function run(session: PlanSession): PlanAnswer[] {
  const answers = [session.answer()];
  for (const given of session.settle()) if (given && 'status' in given) answers.push(given);
  return answers;
}

describe('what a path is asked besides', async () => {
  const content = await loadContent();
  const start = Float64Array.from([0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
  const goal = Float64Array.from([1.2, 0, 0, -1.8, 0, 1.341593, 0, 0]);
  const tool = 'tool';
  const steady = (): number => 0;

  it.each(['axis', 'orientation', 'height'] as const)('keeps the %s of the tool, certified', (hold) => {
    const built = buildScene(content);
    const session = new PlanSession(built, 0, steady);
    session.ask({ start, goal }, { hold, tool });
    const last = run(session).at(-1)!;
    expect(last.status, last.reason).toBe('solved');
    expect(last.proof).toBe('certificate');
    const [{ scene: robot }] = buildScene(content).robots;
    const at = (q: Float64Array): Float64Array => {
      setConfiguration(robot, q);
      return robotFramePlacement(new Float64Array(12), robot, tool).slice();
    };
    const first = at(last.path[0]);
    const kept = { axis: [2, 5, 8], orientation: [0, 1, 2, 3, 4, 5, 6, 7, 8], height: [11] }[hold];
    for (const q of last.path) {
      const X = at(q);
      for (const k of kept) expect(Math.abs(X[k] - first[k])).toBeLessThan(1e-4);
    }
  });

  it('says why there is no path, and shows the roadmap that was searched', () => {
    const built = buildScene(content);
    const [{ scene: robot }] = built.robots;
    setConfiguration(robot, goal);
    const [x, y, z] = robotFramePlacement(new Float64Array(12), robot, tool).subarray(9);
    const pose = [x, y, z, 0, 0, 0, 1] as const;
    addObject(built.scene, { name: 'lump', shape: { type: 'sphere', radius: 0.05 }, pose });
    const session = new PlanSession(built, 0, steady);
    session.ask({ start, goal }, { explain: true, tool });
    const last = run(session).at(-1)!;
    expect(last.status).toBe('invalid-goal');
    expect(last.reasons?.join(' ')).toMatch(/lump/);
    const other = new PlanSession(buildScene(content), 0, steady);
    other.ask({ start, goal }, { roadmap: true, tool });
    const shown = run(other).find(({ lines }) => lines !== undefined)!;
    expect(shown.status).toBe('solved');
    expect(shown.lines!.length % 6).toBe(0);
    expect(shown.lines!.every(Number.isFinite)).toBe(true);
  });
});
