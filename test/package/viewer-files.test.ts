/**
 * How files are read where they do not say it, what a tool holds, and hulls, in the viewer in headless Chromium: arguments of xacro files,
 * unit and up axis of meshes, attach and detach, convex hulls with their depth; at 1440, 1280 and 390 pixels.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildConvexHull } from '../../src/geometry.js';
import { writeStl } from '../../src/io.js';
import { loadRobot, loadScene } from '../../src/node.js';
import { attachObject, nearestPair, setConfiguration } from '../../src/scene.js';
import { createCell } from '../../src/tasks.js';
import { chromiumPath, needsChromium } from './browser.js';
import {
  countDifferent,
  cube,
  dropFiles,
  expectWhole,
  openTab,
  readDrawing,
  useViewer,
  waitForAnswers,
} from './viewer-page.js';

const example = (path: string): string => join(fileURLToPath(new URL('../../examples/', import.meta.url)), path);
const ANSWERED = { timeout: 20_000 };

/** Two balls, `gap` apart; the mast has to be given its height. */
const xacro = `<robot name="balls" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="gap" default="0.5"/><xacro:arg name="mast"/>
  <link name="left"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="middle"/>
  <link name="right"><collision><origin xyz="0 \${0.2 + $(arg gap)} $(arg mast)"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="a" type="fixed"><parent link="left"/><child link="middle"/></joint>
  <joint name="b" type="prismatic"><parent link="middle"/><child link="right"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="1" velocity="1" effort="1"/></joint></robot>`;

/** A ball 0.2 from where the cube of edge 1 begins, and another far behind it. */
const post = `<robot name="post">
  <link name="base"><collision><origin xyz="-0.3 0.5 0.5"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="top"><collision><origin xyz="-3 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="top"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" velocity="1" effort="1"/></joint></robot>`;

describe.skipIf(!chromiumPath)(`files, holding and hulls in the viewer${needsChromium}`, () => {
  const viewer = useViewer();
  const { openViewer } = viewer;

  it('asks for the arguments of a xacro file, and reads it again with them', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'balls.urdf.xacro': Buffer.from(xacro) });
    const form = page.locator('#xacro-arguments');
    await form.waitFor();
    // The one that has no default is missed, and the form asks for it.
    await page.locator('.issues .error', { hasText: 'mast' }).first().waitFor();
    expect(await form.getByLabel('gap', { exact: true }).inputValue()).toBe('0.5');
    expect(await form.getByLabel('mast', { exact: true }).getAttribute('placeholder')).toBe('has to be given');
    await form.getByLabel('mast', { exact: true }).fill('0');
    await form.getByLabel('mast', { exact: true }).press('Enter');
    await expect.poll(() => page.locator('.issues .error').count(), ANSWERED).toBe(0);
    // Next to what the other is welded to: nothing is checked, but the ball stands where the argument says.
    await expect.poll(() => page.locator('.joints .joint').count(), ANSWERED).toBe(1);
    const near = await readDrawing(page);
    await form.getByLabel('gap', { exact: true }).fill('1.5');
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.locator('#stage-note').waitFor({ state: 'hidden' });
    await expect.poll(() => form.getByLabel('gap', { exact: true }).inputValue(), ANSWERED).toBe('1.5');
    await expect
      .poll(async () => countDifferent((await readDrawing(page)).pixels, near.pixels), ANSWERED)
      .toBeGreaterThan(500);
    await expectWhole(page, async () => expect(await form.isVisible()).toBe(true));
    await page.reload();
    await page.locator('.title', { hasText: 'balls' }).waitFor();
    expect(await form.getByLabel('gap', { exact: true }).inputValue()).toBe('1.5');
  });

  it('reads each mesh in its unit and with its up axis, and says how large it is then', async () => {
    const page = await openViewer();
    const tall = writeStl({
      vertices: Float64Array.from([0, 0, 0, 200, 0, 0, 0, 700, 0, 0, 0, 30]),
      triangles: Uint32Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
    });
    await dropFiles(page, { 'tall.stl': tall, 'cube.stl': cube });
    await page.locator('#object option', { hasText: /^tall$/ }).waitFor({ state: 'attached' });
    const size = page.locator('#mesh-size');
    const choose = async (label: string, option: string): Promise<void> => {
      await page.getByLabel(label, { exact: true }).selectOption({ label: option });
      await page.locator('#stage-note').waitFor({ state: 'hidden' });
    };
    await choose('Mesh file', 'tall.stl');
    expect(await size.textContent()).toBe('200.000 m × 700.000 m × 30.000 m');
    await choose('Unit', 'millimetre');
    await expect.poll(() => size.textContent(), ANSWERED).toBe('200.0 mm × 700.0 mm × 30.00 mm');
    await choose('Up', 'y');
    await expect.poll(() => size.textContent(), ANSWERED).toBe('200.0 mm × 30.00 mm × 700.0 mm');
    await choose('Mesh file', 'cube.stl');
    expect(await size.textContent()).toBe('1.000 m × 1.000 m × 1.000 m');
    // As the command line reads it.
    await expectWhole(page, async () => expect(await size.isVisible()).toBe(true));
    await page.reload();
    await page.locator('#object option', { hasText: /^tall$/ }).waitFor({ state: 'attached' });
    await choose('Mesh file', 'tall.stl');
    expect(await size.textContent()).toBe('200.0 mm × 30.00 mm × 700.0 mm');
    expect(await page.getByLabel('Unit', { exact: true }).inputValue()).toBe('4');
  });

  it('reads a mesh that joins a robot in its own unit, beside a mesh that came before', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'post.urdf': Buffer.from(post) });
    await page.locator('.title', { hasText: 'post' }).waitFor();
    const row = page.locator('.joint-name', { hasText: 'lift' });
    await row.waitFor({ state: 'attached' });
    await openTab(page, 'Scene');
    expect(await page.locator('#mesh-file').isVisible()).toBe(false);
    for (const name of ['far.stl', 'near.stl']) {
      await dropFiles(page, { [name]: cube });
      const option = page.locator('#object option', { hasText: name.replace('.stl', '') });
      await option.waitFor({ state: 'attached' });
    }
    await openTab(page, 'Scene');
    expect(await page.locator('#mesh-file option').allTextContents()).toEqual(['far.stl', 'near.stl']);
    const choose = async (label: string, option: string): Promise<void> => {
      await page.getByLabel(label, { exact: true }).selectOption({ label: option });
      await page.locator('#stage-note').waitFor({ state: 'hidden' });
    };
    const size = page.locator('#mesh-size');
    await choose('Mesh file', 'near.stl');
    await choose('Unit', 'millimetre');
    await expect.poll(() => size.textContent(), ANSWERED).toBe('1.00 mm × 1.00 mm × 1.00 mm');
    await choose('Mesh file', 'far.stl');
    expect(await size.textContent()).toBe('1.000 m × 1.000 m × 1.000 m');
    // The robot is there as it was, 0.2 from the cube that is still a metre long; from the small one it is 0.6 away.
    expect(await row.count()).toBe(1);
    const chip = page.locator('#verdict > summary');
    await expect.poll(() => chip.textContent(), ANSWERED).toBe('Free200.0 mmbase – far');
    await choose('Unit', 'millimetre');
    await expect.poll(() => chip.textContent(), ANSWERED).toMatch(/^Free66[0-9.]+ mmbase – (far|near)$/);
    await expectWhole(page);
  });

  it('gives an object into the hand and lets it go, with the distance of the library; undone, done again, kept', async () => {
    const page = await openViewer();
    await openTab(page, 'Scene');
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'can' });
    const hold = page.locator('#object-hold');
    expect(await hold.textContent()).toBe('Attach to tool');
    await hold.click();
    expect(await hold.textContent()).toBe('Detach');
    expect(await page.locator('.object-own .message').textContent()).toBe(
      'Held by tool; it moves with the robot. It may touch hand, finger_left, finger_right.',
    );
    expect(await page.locator('#object-x').isDisabled()).toBe(true);
    await settle(page);
    const before = await readDrawing(page);
    await openTab(page, 'Pose');
    await setJoint(page, 'joint_1', 20);
    await waitForAnswers(page);

    const { value: files } = await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') });
    const { value: around } = await loadScene(example('scenes/table-shelf.json'));
    const { scene, robot } = await createCell({ robot: files!, around: around! });
    setConfiguration(robot, [0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    attachObject(scene, scene.objects.get('can')!, {
      robot,
      link: 'tool',
      touchLinks: ['hand', 'tool', 'finger_left', 'finger_right'],
    });
    setConfiguration(robot, [(20 * Math.PI) / 180, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    const nearest = nearestPair(scene)!;
    const said = page.locator('#verdict > summary');
    await expect.poll(() => said.textContent(), ANSWERED).toContain(`${nearest.a} – ${nearest.b}`);
    expect(
      nearest.distance === 0 || (await said.textContent())!.includes(`${(1000 * nearest.distance).toFixed(2)} mm`),
    ).toBe(true);
    expect(countDifferent((await readDrawing(page)).pixels, before.pixels)).toBeGreaterThan(2000);

    await settle(page);
    await openTab(page, 'Scene');
    await hold.click();
    expect(await hold.textContent()).toBe('Attach to tool');
    const x = Number(await page.locator('#object-x').inputValue());
    expect(x).not.toBe(420);
    await settle(page);
    await page.keyboard.press('Control+z');
    expect(await hold.textContent()).toBe('Detach');
    await page.keyboard.press('Control+Shift+z');
    expect(await hold.textContent()).toBe('Attach to tool');
    expect(Number(await page.locator('#object-x').inputValue())).toBe(x);
    await hold.click();
    await settle(page);
    await expectWhole(page, async () => expect(await hold.isVisible()).toBe(true));
    const scenes = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Scene', exact: true }).click();
    const written = JSON.parse(readFileSync(await (await scenes).path(), 'utf8'));
    expect(written.attached).toMatchObject([{ object: 'can', link: 'tool' }]);
    await page.reload();
    await waitForAnswers(page);
    await openTab(page, 'Scene');
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'can' });
    expect(await hold.textContent()).toBe('Detach');
  });

  it('shows hulls of what is checked as ghosts, and how deep the mesh lies below', async () => {
    const page = await openViewer();
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.locator('#card-bearing').click();
    await page.locator('.title', { hasText: 'Bearing' }).waitFor();
    await waitForAnswers(page);
    await openTab(page, 'View');
    const without = (await readDrawing(page)).pixels;
    await page.getByLabel('Convex hulls').check();
    const said = page.locator('#hull-state');
    const { value } = await loadScene(example('assembly/bearing.json'));
    const depths = value!.description.objects.flatMap(({ name, shape }) => {
      const mesh = shape.type === 'mesh' && value!.meshes.get(shape.file);
      return mesh ? [{ name, depth: measureDepth(mesh.vertices) }] : [];
    });
    const [{ name, depth }] = depths.sort((a, b) => b.depth - a.depth);
    expect(depth).toBeGreaterThan(0.001);
    const expected = `${depths.length} hulls; ${name} lies ${(1000 * depth).toFixed(2)} mm below its own`;
    await expect.poll(() => said.textContent(), ANSWERED).toBe(expected);
    const differ = async (): Promise<number> => countDifferent((await readDrawing(page)).pixels, without);
    expect(await differ()).toBeGreaterThan(2000);
    await expectWhole(page, async () => expect(await said.isVisible()).toBe(true));
    await page.getByLabel('Convex hulls').uncheck();
    expect(await differ()).toBeLessThan(200);
  });
});

/** Of the vertex farthest below the hull's surface, by every face of every vertex. */
function measureDepth(vertices: Float64Array): number {
  const { vertices: p, triangles } = buildConvexHull(vertices);
  let deepest = 0;
  for (let v = 0; v < vertices.length; v += 3) {
    let least = Infinity;
    for (let f = 0; f < triangles.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => p.subarray(3 * triangles[f + k], 3 * triangles[f + k] + 3));
      const [u, w] = [b, c].map((corner) => [0, 1, 2].map((k) => corner[k] - a[k]));
      const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
      const off = [0, 1, 2].reduce((sum, k) => sum + n[k] * (a[k] - vertices[v + k]), 0) / Math.hypot(...n);
      least = Math.min(least, off);
    }
    deepest = Math.max(deepest, least);
  }
  return deepest;
}

async function setJoint(page: Page, name: string, degrees: number): Promise<void> {
  const input = page.getByRole('spinbutton', { name, exact: true });
  await input.fill(String(degrees));
  await input.press('Enter');
}

/** A step of the history is made once it was quiet. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(500);
}
