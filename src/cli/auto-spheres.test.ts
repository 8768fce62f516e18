/** Fitted spheres in the cache folder: taken from there, proven before use, fitted anew where a file is wrong or says too little. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadRobot } from '../node/load-robot.js';
import { toSphereLists, verifyRobotSpheres } from '../scene/robot-spheres.js';
import { defaultCacheFolder, fitAutoSpheres, fitKeptSpheres } from './auto-spheres.js';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'spheres-')), 'kept');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const load = async (shape = '<sphere radius="0.5"/>') => {
  const file = join(folder, '..', 'robot.urdf');
  writeFileSync(
    file,
    `<robot name="r"><link name="a"><collision><geometry>${shape}</geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>`,
  );
  const { value } = await loadRobot(file);
  return value!;
};
const bitsOf = (model: ReturnType<typeof fitAutoSpheres>) =>
  model.links.map(({ link, levels }) => [link, ...levels.map(String)]);

it('are kept, and the same the next time and without a folder', async () => {
  const robot = await load();
  const first = fitAutoSpheres(robot, folder);
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(0);
  expect(files.every((name) => /^spheres-[0-9a-f]+\.json$/.test(name))).toBe(true);
  expect(bitsOf(fitAutoSpheres(robot, folder))).toEqual(bitsOf(first));
  expect(bitsOf(fitAutoSpheres(robot, null))).toEqual(bitsOf(first));
});

it('as asked for: every level that is kept is proven before use, and what the fit could not prove is not fitted again', async () => {
  const robot = await load('<box size="1 0.3 0.2"/>');
  const levelsOf = (model: ReturnType<typeof fitKeptSpheres>) => model.links.map(({ levels }) => levels.map(String));
  const first = fitKeptSpheres(robot, { total: 9 }, folder, 'spheres');
  expect(Math.max(...first.links.map(({ levels }) => levels.length))).toBeGreaterThan(1);
  const kept = readdirSync(folder).map((name) => join(folder, name));
  const written = kept.map((file) => readFileSync(file, 'utf8'));
  // The coarse level alone is wrong.
  for (const [i, file] of kept.entries())
    writeFileSync(file, written[i].replace(/"spheres":\[[^\]]*\]/, '"spheres":[0,0,0,1e-3]'));
  expect(levelsOf(fitKeptSpheres(robot, { total: 9 }, folder, 'spheres'))).toEqual(levelsOf(first));
  expect(kept.map((file) => readFileSync(file, 'utf8'))).toEqual(written);
  for (const [i, file] of kept.entries())
    writeFileSync(
      file,
      written[i].replaceAll('"proven":true', '"proven":false').replace(/"excess":[^,}]*/, '"excess":7'),
    );
  expect(fitKeptSpheres(robot, { total: 9 }, folder, 'spheres').proven).toBe(false);
});

it('are proven before they are used: files that were cut, emptied, or changed are fitted anew', async () => {
  const robot = await load();
  const first = fitAutoSpheres(robot, folder);
  const spoil: readonly ((text: string) => string)[] = [
    (text) => text.slice(0, text.length / 2),
    () => '',
    () => '{"bound":[],"levels":[]}',
    (text) => text.replace(/"spheres":\[[^\]]*\]/g, '"spheres":[0,0,0,1e-3]'),
    (text) => text.replace(/"spheres":\[/g, '"spheres":[1,'),
  ];
  for (const change of spoil) {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      writeFileSync(file, change(readFileSync(file, 'utf8')));
    }
    const model = fitAutoSpheres(robot, folder);
    expect(verifyRobotSpheres(robot, toSphereLists(model)).every(({ proven }) => proven)).toBe(true);
    expect(bitsOf(model)).toEqual(bitsOf(first));
  }
});

it('need no folder that can be written to', async () => {
  const file = join(folder, '..', 'file');
  writeFileSync(file, '');
  expect(fitAutoSpheres(await load(), file).links.length).toBeGreaterThan(0);
});

it('lie where the system keeps such things', () => {
  expect(defaultCacheFolder({ XDG_CACHE_HOME: '/x' })).toBe(join('/x', 'clearance', 'spheres'));
  expect(defaultCacheFolder({})).toMatch(/clearance.spheres$/);
});
