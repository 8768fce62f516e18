/**
 * The viewer in headless Chromium, under the policy that docs/deploy.md states: load, move, collide, drop, plan, play. Proteins: viewer-protein.test.ts.
 * What the page says is compared with what the library says here for the same files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { computeFrameJacobian, computeManipulability, createManipulability } from '../../src/kinematics.js';
import { createTransform } from '../../src/math.js';
import { buildModel, findFrame } from '../../src/model.js';
import { loadRobot, loadScene } from '../../src/node.js';
import {
  addObject,
  addRobot,
  checkScene,
  createScene,
  createShapeResolver,
  nearestPair,
  robotFramePlacement,
  type Scene,
  type SceneRobot,
  setConfiguration,
} from '../../src/scene.js';
import { chromiumPath, needsChromium } from './browser.js';
import {
  countColors,
  cube,
  dropFiles,
  expectWhole,
  findArrows,
  openTab,
  readDrawing,
  useViewer,
  waitForAnswers,
} from './viewer-page.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string): string => join(root, 'examples', path);
/** Answers come in frames after what they are about. */
const ANSWERED = { timeout: 30_000 };
/** A cube that slides past a post. Its meshes are named by package; rail and carriage are adjacent and not checked. */
const sliderUrdf = `<robot name="slider">
  <link name="rail"><visual><geometry><mesh filename="package://slider_description/meshes/Cube.STL"/></geometry></visual>
    <collision><geometry><mesh filename="package://slider_description/meshes/Cube.STL"/></geometry></collision></link>
  <link name="carriage"><collision><origin xyz="0.75 0 0"/><geometry><mesh filename="package://slider_description/meshes/Cube.STL"/></geometry></collision></link>
  <link name="post"><collision><origin xyz="0 0 1.5"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="carriage"/><origin xyz="0.5 0 0"/>
    <axis xyz="1 0 0"/><limit lower="-0.5" upper="1.5" velocity="1" effort="1"/></joint>
  <joint name="weld" type="fixed"><parent link="rail"/><child link="post"/></joint>
</robot>`;

describe.skipIf(!chromiumPath)(`viewer in Chromium${needsChromium}`, () => {
  const viewer = useViewer();
  const { openViewer } = viewer;

  /** The scene of the bundled arm, from the same files, by the library. */
  async function loadArm(): Promise<{ scene: Scene; robot: SceneRobot }> {
    const { value: files } = await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') });
    const { value: content } = await loadScene(example('scenes/table-shelf.json'));
    const scene = createScene();
    const { model } = buildModel(files!.description.model);
    const robot = addRobot(scene, { model, ...files! });
    const resolver = createShapeResolver(content!.meshes);
    for (const { name, shape, pose } of content!.description.objects)
      addObject(scene, { name, shape: resolver.resolve(shape)!, pose });
    return { scene, robot };
  }

  it('shows the bundled arm, checked, with the nearest pair that the library names', async () => {
    const page = await openViewer();
    const { scene, robot } = await loadArm();
    setConfiguration(robot, [0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    const nearest = nearestPair(scene)!;
    expect(await page.locator('h1').textContent()).toBe('Clearance');
    expect(await page.locator('.verdict').textContent()).toBe('Free');
    expect(await readFacts(page)).toMatchObject({
      'Nearest pair': `${nearest.a} – ${nearest.b}`,
      Distance: `${(1000 * nearest.distance).toFixed(2)} mm`,
    });
    expect(await page.locator('.distance-label').first().textContent()).toBe(
      `${(1000 * nearest.distance).toFixed(2)} mm`,
    );
    expect(await page.locator('#check-time').textContent()).toMatch(/^\d+(\.\d)? (µs|ms)$/);
    // Seven joints and one finger; the other finger follows it.
    expect(await page.locator('.joint input[type=range]:not(#margin-slider)').count()).toBe(8);
    expect(await page.locator('.joint.mimic').textContent()).toMatch(/finger_right_slide0.0follows finger_left_slide/);
    expect((await countColors(page)).red).toBe(0);
  });

  it('turns links red when a slider brings them into contact, as the library does', async () => {
    const page = await openViewer();
    await openTab(page, 'Pose');
    const slider = page.getByRole('slider', { name: 'joint_2' });
    await slider.focus();
    for (let i = 0; i < 400 && !(await page.locator('.verdict.touching').count()); i++)
      await page.keyboard.press('PageUp');
    expect(await page.locator('.verdict').textContent()).toMatch(/^\d+ contacts?$/);
    const { scene, robot } = await loadArm();
    const q = Float64Array.from([0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    q[1] = Number(await slider.inputValue());
    setConfiguration(robot, q);
    const expected = checkScene(scene, { all: true }).contacts.map(({ a, b }) => `${a} – ${b}`);
    expect(expected.length).toBeGreaterThan(0);
    expect(await page.locator('.pairs .pair-name').allTextContents()).toEqual(expected);
    expect((await countColors(page)).red).toBeGreaterThan(300);
    await expectWhole(page, async () => {
      expect(await page.locator('.verdict').textContent()).toMatch(/contact/);
      expect((await countColors(page)).red).toBeGreaterThan(100);
    });
    await page.getByRole('button', { name: 'Neutral' }).click();
    expect(await page.locator('.verdict').textContent()).toBe('Free');
    expect((await countColors(page)).red).toBe(0);
  });

  it('keeps typed values within the joint limits and refuses what is no number', async () => {
    const page = await openViewer();
    await openTab(page, 'Pose');
    const field = page.getByRole('spinbutton', { name: 'joint_4' });
    await field.fill('-500');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('-120.0');
    await field.fill('');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('-120.0');
    await page.getByLabel('Unit of angles').selectOption({ label: 'radians' });
    expect(await page.getByRole('spinbutton', { name: 'joint_4' }).inputValue()).toBe('-2.094');
  });

  it('switches between visual and collision geometry', async () => {
    const page = await openViewer();
    await openTab(page, 'View');
    const before = await countColors(page);
    expect(before.teal).toBe(0);
    await page.getByLabel('Visual geometry').uncheck();
    await page.getByLabel('Collision geometry').check();
    const after = await countColors(page);
    expect(after.teal).toBeGreaterThan(1000);
    expect(after.orange).toBeLessThan(before.orange);
  });

  it('plans between two stored configurations and plays the path to its end without a contact', async () => {
    const page = await openViewer();
    const [{ name, goal }] = readFileSync(example('scenes/problems.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    await page.getByLabel('Start', { exact: true }).selectOption({ label: `${name}: start` });
    await page.getByLabel('Goal', { exact: true }).selectOption({ label: `${name}: goal` });
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('#plan-proof[data-kind=certified]').waitFor();
    expect(await page.locator('#plan-message').textContent()).toMatch(/^Solved in [\d.]+ m?s, \d+ checks$/);
    expect(await page.locator('#path-summary').textContent()).toMatch(/^\d+ waypoints, length \d/);
    await page.getByLabel('Speed', { exact: true }).selectOption({ label: '4×' });
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    let seen = 0;
    while (await page.getByRole('button', { name: 'Pause' }).count()) {
      expect(await page.locator('.verdict').textContent()).toBe('Free');
      seen++;
    }
    expect(seen).toBeGreaterThan(0);
    expect(Number(await page.getByLabel('Position along the path').inputValue())).toBe(1);
    await openTab(page, 'Pose');
    for (let i = 0; i < 7; i++) {
      const degrees = (goal[i] * 180) / Math.PI;
      expect(await page.getByRole('spinbutton', { name: `joint_${i + 1}` }).inputValue()).toBe(degrees.toFixed(1));
    }
  });

  it('the arm follows the tool that is dragged: straight up, turned as before', async () => {
    const page = await openViewer();
    await openTab(page, 'Pose');
    const { robot } = await loadArm();
    const before = await placeTool(page, robot);
    await page.getByRole('button', { name: 'Move tool' }).click();
    const [arrow] = await findArrows(page);
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    for (let k = 1; k <= 10; k++) await page.mouse.move(arrow.x, arrow.y - 5 * k);
    await page.mouse.up();
    expect(await page.locator('#tool-message').textContent()).toBe('The arm follows.');
    const after = await placeTool(page, robot);
    // Joint values are read to a tenth of a degree.
    expect(after[11] - before[11]).toBeGreaterThan(0.04);
    for (const i of [9, 10]) expect(Math.abs(after[i] - before[i])).toBeLessThan(4e-3);
    for (let i = 0; i < 9; i++) expect(Math.abs(after[i] - before[i])).toBeLessThan(8e-3);

    // Far beyond its reach: the arm stretches as far as it goes, and says so.
    const [higher] = await findArrows(page);
    await page.mouse.move(higher.x, higher.y);
    await page.mouse.down();
    for (let k = 1; k <= 30; k++) await page.mouse.move(higher.x, Math.max(higher.y - 12 * k, 2));
    await page.mouse.up();
    expect(await page.locator('#tool-message').textContent()).toMatch(/^Out of reach/);
    const stretched = await placeTool(page, robot);
    expect(stretched[11]).toBeGreaterThan(after[11]);
    for (const i of [9, 10]) expect(Math.abs(stretched[i] - before[i])).toBeLessThan(6e-3);
    await page.getByRole('button', { name: 'Move tool' }).click();
    expect(await findArrows(page)).toEqual([]);
  });

  it('measures the tool as the library does, and draws ellipsoid, centre of mass and limits', async () => {
    const page = await openViewer();
    await openTab(page, 'View');
    const { robot } = await loadArm();
    setConfiguration(robot, [0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    robotFramePlacement(createTransform(), robot, 'tool');
    const { model, data } = robot;
    const J = new Float64Array(6 * model.nv);
    computeFrameJacobian(J, model, data, findFrame(model, 'tool', 'link'), 'local-world-aligned');
    const { measure, conditionNumber } = computeManipulability(createManipulability(model.nv, 'linear'), J);
    expect(await page.locator('#manipulability').textContent()).toBe(measure.toPrecision(3));
    expect(await page.locator('#condition').textContent()).toBe(conditionNumber.toFixed(1));
    await page.getByLabel('Nearest pair').uncheck();
    const plain = await countColors(page);
    for (const [layer, color] of [
      ['Manipulability', 'violet'],
      ['Centre of mass', 'orange'],
      ['Joint limits', 'blue'],
    ] as const) {
      await page.getByLabel(layer).check();
      const drawn = await countColors(page);
      expect(drawn[color], layer).toBeGreaterThan(plain[color] + 30);
      await page.getByLabel(layer).uncheck();
      expect(await countColors(page), layer).toEqual(plain);
    }
    // At a limit the arc turns amber.
    const showLimits = async (): Promise<number> => {
      const bare = await readDrawing(page);
      await page.getByLabel('Joint limits').check();
      const count = countWarmer(bare.pixels, (await readDrawing(page)).pixels);
      await page.getByLabel('Joint limits').uncheck();
      return count;
    };
    // The closed fingers are at theirs from the start.
    const fingers = await showLimits();
    await openTab(page, 'Pose');
    const field = page.getByRole('spinbutton', { name: 'joint_1' });
    await field.fill('500');
    await field.press('Enter');
    await openTab(page, 'View');
    expect(await showLimits()).toBeGreaterThan(fingers + 30);
  });

  it('says why a start cannot be planned from', async () => {
    const page = await openViewer();
    await openTab(page, 'Pose');
    const field = page.getByRole('spinbutton', { name: 'joint_2' });
    await field.fill('100');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Store current' }).click();
    await openTab(page, 'Plan');
    await page.getByLabel('Start', { exact: true }).selectOption({ label: 'Stored 1' });
    await page.getByLabel('Goal', { exact: true }).selectOption({ label: 'home' });
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('#plan-message.failed').waitFor();
    expect(await page.locator('#plan-message').textContent()).toMatch(/^Invalid start: .*(link_|hand|finger).*table/);
  });

  it('loads a dropped zip whose URDF names its meshes by package', async () => {
    const page = await openViewer();
    const zip = zipSync({
      'slider_description/urdf/slider.urdf': new TextEncoder().encode(sliderUrdf),
      'slider_description/meshes/cube.stl': cube,
    });
    await dropFiles(page, { 'slider.zip': zip });
    await page.locator('.title', { hasText: 'slider' }).waitFor();
    // Carriage from x = 1.25 on, post a ball of 0.1 at z = 1.5 over the corner at (0, 0): apart by the diagonal.
    const apart = Math.hypot(1.25, 0.5) - 0.1;
    await expect
      .poll(() => readFacts(page), ANSWERED)
      .toMatchObject({ 'Nearest pair': 'carriage – post', Distance: `${apart.toFixed(3)} m` });
    expect(await page.locator('.joint input[type=range]:not(#margin-slider)').count()).toBe(1);
    expect(await page.locator('.issues .error').count()).toBe(0);
  });

  it('expands a dropped xacro with what it includes', async () => {
    const page = await openViewer();
    const text = (content: string): Uint8Array => new TextEncoder().encode(content);
    const zip = zipSync({
      'cart_description/urdf/cart.urdf.xacro': text(`<robot name="cart" xmlns:xacro="http://www.ros.org/wiki/xacro">
        <xacro:include filename="$(find cart_description)/urdf/parts.xacro"/>
        <xacro:property name="gap" value="\${2 * 0.25}"/>
        <xacro:ball name="left" y="0"/><xacro:ball name="middle" y="5"/><xacro:ball name="right" y="\${0.2 + gap}"/>
        <joint name="a" type="fixed"><parent link="left"/><child link="middle"/></joint>
        <joint name="b" type="prismatic"><parent link="middle"/><child link="right"/><axis xyz="0 1 0"/>
          <limit lower="0" upper="1" velocity="1" effort="1"/></joint>
      </robot>`),
      'cart_description/urdf/parts.xacro': text(`<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
        <xacro:macro name="ball" params="name y"><link name="\${name}"><collision><origin xyz="0 \${y} 0"/>
          <geometry><sphere radius="0.1"/></geometry></collision></link></xacro:macro></robot>`),
    });
    await dropFiles(page, { 'cart.zip': zip });
    await page.locator('.title', { hasText: 'cart' }).waitFor();
    // The middle ball is welded to the left one, so the right one is adjacent to both and only its slider is left.
    expect(await page.getByRole('slider', { name: 'b', exact: true }).count()).toBe(1);
    expect(await page.locator('.issues .error').allTextContents()).toEqual([]);
    expect(await page.getByLabel('Collision geometry').isChecked()).toBe(true);
  });

  it('loads a picked folder and says which mesh is missing', async () => {
    const page = await openViewer();
    await page.locator('#folder-input').setInputFiles(example('arm'));
    await page.locator('.title', { hasText: 'arm7' }).waitFor();
    await waitForAnswers(page);
    expect(await page.locator('.joint input[type=range]:not(#margin-slider)').count()).toBe(8);
    expect(await page.locator('.issues .error').count()).toBe(0);
    await page
      .locator('#file-input')
      .setInputFiles([{ name: 'slider.urdf', mimeType: 'text/xml', buffer: Buffer.from(sliderUrdf) }]);
    await page.locator('.title', { hasText: 'slider' }).waitFor();
    await expect
      .poll(() => page.locator('.issues .error').allTextContents(), ANSWERED)
      .toEqual([expect.stringMatching(/Cube\.STL.* is not among the files; add it/)]);
  });

  it('takes dropped meshes as objects that can be moved by numbers', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'a.stl': cube, 'b.stl': cube });
    await page.locator('.verdict', { hasText: '1 contact' }).waitFor();
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'b' });
    const x = page.getByRole('spinbutton', { name: 'x', exact: true });
    await x.fill('1250');
    await x.press('Enter');
    // The nearest pair comes with the next frame.
    await expect.poll(() => readFacts(page), ANSWERED).toMatchObject({ 'Nearest pair': 'a – b', Distance: '250.0 mm' });
    expect(await page.locator('.verdict').textContent()).toBe('Free');
  });

  it('plays a dropped path, and says when one does not fit the robot', async () => {
    const page = await openViewer();
    const path = [
      [0, 0, 0, 0, 0, 0, 0, 0],
      [0.5, 0, 0, 0, 0, 0, 0, 0],
    ];
    await dropFiles(page, { 'path.json': Buffer.from(JSON.stringify({ status: 'solved', path })) });
    await page.locator('#path-summary', { hasText: '2 waypoints' }).waitFor();
    const position = page.getByLabel('Position along the path');
    await position.focus();
    await page.keyboard.press('End');
    await openTab(page, 'Pose');
    expect(await page.getByRole('spinbutton', { name: 'joint_1' }).inputValue()).toBe(
      ((0.5 * 180) / Math.PI).toFixed(1),
    );
    await openTab(page, 'Plan');
    await dropFiles(page, { 'short.json': Buffer.from('[[0,0],[1,1]]') });
    await page.locator('#plan-message.failed').waitFor();
    expect(await page.locator('#plan-message').textContent()).toMatch(
      /does not fit the robot: .*got 2 numbers, expected 8/,
    );
  });

  it('reports a broken robot with line and remedy and goes on', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'broken.urdf': Buffer.from('<robot name="x">\n<link name="a">\n</robot>') });
    await page.locator('.issues .error').first().waitFor();
    expect(await page.locator('.issues .error').first().textContent()).toMatch(/broken\.urdf:\d+: error: /);
    await page.getByLabel('Example', { exact: true }).selectOption({ label: 'Bearing assembly' });
    await page.locator('.title', { hasText: 'Bearing assembly' }).waitFor();
    await waitForAnswers(page);
    expect(await page.locator('.pairs .pair-name').allTextContents()).toEqual(['housing – cover']);
    expect(await page.locator('.pairs .number').allTextContents()).toEqual(['≤ 0.50 mm']);
  });

  it('shows what the session of its server names', async () => {
    const context = await viewer.browser.newContext({ viewport: { width: 1000, height: 640 } });
    await context.route('**/api/session.json', (route) =>
      route.fulfill({
        json: {
          title: 'served',
          robot: {
            urdf: 'files/0/slider.urdf',
            meshes: { 'package://slider_description/meshes/Cube.STL': 'files/1/cube.stl' },
          },
          scene: { file: 'files/2/scene.json', meshes: { 'part.stl': 'files/1/cube.stl' } },
          q: { slide: 0.5 },
        },
      }),
    );
    await context.route('**/files/0/slider.urdf', (route) => route.fulfill({ body: sliderUrdf }));
    await context.route('**/files/1/cube.stl', (route) => route.fulfill({ body: Buffer.from(cube) }));
    const scene = {
      version: 1,
      objects: [{ name: 'part', shape: { type: 'mesh', file: 'part.stl' }, pose: [3, 0, 0, 0, 0, 0, 1] }],
    };
    await context.route('**/files/2/scene.json', (route) => route.fulfill({ json: scene }));
    const page = await context.newPage();
    viewer.watch(page);
    await page.goto(viewer.url);
    await page.locator('.title', { hasText: 'served' }).waitFor();
    await waitForAnswers(page);
    // Carriage from 0.5 + 0.5 + 0.75 to 2.75; the part begins at 3.
    expect(await readFacts(page)).toMatchObject({ 'Nearest pair': 'carriage – part', Distance: '250.0 mm' });
    expect(await page.getByRole('spinbutton', { name: 'slide' }).inputValue()).toBe('500.0');
  });

  it.each([
    { width: 1280, height: 800, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'dark' },
  ] as const)(
    'fits $width x $height ($colorScheme), names every control, shows the focus',
    async ({ width, height, colorScheme }) => {
      const page = await openViewer({ viewport: { width, height }, colorScheme });
      const layout = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - window.innerWidth,
        stage: document.querySelector('#stage canvas')!.getBoundingClientRect().toJSON() as DOMRect,
        background: getComputedStyle(document.body).backgroundColor,
      }));
      expect(layout.overflow).toBeLessThanOrEqual(0);
      expect(layout.stage.width).toBeGreaterThan(0.65 * width);
      expect(layout.stage.height).toBeGreaterThan(0.35 * height);
      expect(layout.background).toBe(colorScheme === 'dark' ? 'rgb(31, 34, 38)' : 'rgb(255, 255, 255)');
      const unnamed = await page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLInputElement>('button, select, input:not([tabindex="-1"])'))
          .filter(
            (control) => !control.getAttribute('aria-label') && !control.labels?.length && !control.textContent?.trim(),
          )
          .map((control) => control.outerHTML),
      );
      expect(unnamed).toEqual([]);
      expect(await page.getByRole('application', { name: /^3D view: arrow keys turn it/ }).count()).toBe(1);
      const controls = {
        Plan: [
          'open-gallery',
          'open-files',
          'share',
          'save',
          'frame-view',
          'CANVAS',
          'play',
          'path-position',
          'tab-plan',
          'plan',
        ],
        Pose: ['tab-pose', 'joint-0', 'joint-0-slider', 'tool-translate'],
        Scene: ['tab-scene', 'add-box', 'object'],
        View: ['tab-view', 'layer-visual'],
      } as const;
      for (const tab of Object.keys(controls) as (keyof typeof controls)[]) {
        await openTab(page, tab);
        const reached = await tabThrough(page, 70);
        expect(reached.filter(({ outline }) => outline === 'none')).toEqual([]);
        for (const what of controls[tab])
          expect(
            reached.map(({ control }) => control),
            what,
          ).toContain(what);
      }
    },
  );
});

/** What gets the focus by the Tab key, by id or name, and the outline it then has. */
async function tabThrough(page: Page, times: number): Promise<{ control: string; outline: string }[]> {
  await page.evaluate(() => {
    const reached: { control: string; outline: string }[] = [];
    Object.assign(window, { reached });
    document.addEventListener('focusin', ({ target }) => {
      const control = target as HTMLElement;
      const name = control.id || control.textContent?.trim() || control.tagName;
      reached.push({ control: name, outline: getComputedStyle(control).outlineStyle });
    });
  });
  for (let i = 0; i < times; i++) await page.keyboard.press('Tab');
  return page.evaluate(() => (window as unknown as { reached: { control: string; outline: string }[] }).reached);
}

async function readFacts(page: Page): Promise<Record<string, string>> {
  const names = await page.locator('.facts:not(#measured) dt').allTextContents();
  const values = await page.locator('.facts:not(#measured) dd').allTextContents();
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

/** X_W of the tool for the joint values that the page shows. */
async function placeTool(page: Page, robot: SceneRobot): Promise<Float64Array> {
  const q = new Float64Array(8);
  for (let i = 0; i < 7; i++) {
    const text = await page.getByRole('spinbutton', { name: `joint_${i + 1}` }).inputValue();
    q[i] = (Number(text) * Math.PI) / 180;
  }
  setConfiguration(robot, q);
  return robotFramePlacement(createTransform(), robot, 'tool');
}

/** Pixels that something amber was laid over: red gains on blue, which nothing blue or grey does. */
function countWarmer(before: Buffer, after: Buffer): number {
  let count = 0;
  for (let i = 0; i < before.length; i += 4) if (after[i] - after[i + 2] > before[i] - before[i + 2] + 60) count++;
  return count;
}
