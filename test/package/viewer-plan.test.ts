/**
 * Planning in the viewer, in headless Chromium: the first view, a goal that is dragged, an obstacle that is added, resized and dragged.
 * What is shown is checked against the library here: paths, clearances, certificates.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { recordPlans, recordTasks } from '../../bench/page-tasks.mjs';
import { createTransform, type Pose } from '../../src/math.js';
import { loadRobot, loadScene } from '../../src/node.js';
import {
  addObject,
  certifyPath,
  nearestPair,
  robotFramePlacement,
  type Scene,
  type SceneRobot,
  setConfiguration,
  verifyPathCertificate,
} from '../../src/scene.js';
import { createCell } from '../../src/tasks.js';
import { chromiumPath, needsChromium } from './browser.js';
import {
  countDifferent,
  dropFiles,
  expectWhole,
  findArrows,
  openTab,
  readDrawing,
  savePath,
  useViewer,
  waitForAnswers,
  waitForCertificate,
} from './viewer-page.js';

const example = (path: string): string => join(fileURLToPath(new URL('../../examples/', import.meta.url)), path);
const EVENTS = 200;
/** Loose: what a loaded machine takes is no fault of the page. */
const LOOSELY = 25;

describe.skipIf(!chromiumPath)(`planning in the viewer${needsChromium}`, () => {
  const { openViewer } = useViewer();

  it('shows a certified path at first, with its clearance and the places where it is tightest', async () => {
    const page = await openViewer();
    const { scene, robot } = await loadArm();
    const path = await savePath(page);
    await expectCertified(page, scene, robot, path);
    const curve = await page.locator('.curve-line').getAttribute('d');
    // 97 samples, and what the search for the tightest places measured besides.
    expect(curve!.split('L').length).toBeGreaterThan(97);
    expect(await page.locator('.mark').count()).toBe(await page.locator('.place').count());
    // A place in the list goes to where the library measures what it says.
    const place = page.locator('.place').first();
    const [pair, said] = [
      await place.locator('.pair-name').textContent(),
      await place.locator('.number').textContent(),
    ];
    await place.click();
    setConfiguration(robot, await readJoints(page));
    const nearest = nearestPair(scene)!;
    expect(pair).toBe(`${nearest.a} – ${nearest.b}`);
    // Joint values are read to a tenth of a degree.
    expect(Math.abs(1000 * nearest.distance - Number.parseFloat(said!))).toBeLessThan(2);
    expect(await page.locator('#path-clearance').textContent()).toMatch(/mm$/);
    const marked = await page.locator('.mark.tightest').getAttribute('aria-label');
    expect(marked).toBe(`Go to ${said} between ${pair!.replace(' – ', ' and ')}`);
    await expectWhole(page, async () => {
      expect(await page.locator('.curve-line').isVisible()).toBe(true);
      expect(await page.locator('#path-clearance').textContent()).toMatch(/mm$/);
    });
  });

  it('goes through waypoints that are added, moved and deleted; by the planner that is named; what a file holds is checked', async () => {
    const page = await openViewer();
    const { scene, robot } = await loadArm();
    const before = await savePath(page);
    await page.locator('.mark.tightest').click();
    const via = await readJoints(page);
    await openTab(page, 'Plan');
    await page.getByRole('button', { name: 'Add waypoint' }).click();
    expect(await page.locator('#waypoints li').count()).toBe(1);
    await waitForCertificate(page);
    const goesThrough = (path: readonly (readonly number[])[], q: readonly number[]): boolean =>
      path.some((found) => q.every((value, i) => Math.abs(value - found[i]) < 2e-3));
    const through = await savePath(page);
    expect(goesThrough(through, via)).toBe(true);
    expect([through[0], through.at(-1)]).toEqual([before[0], before.at(-1)]);
    await expectCertified(page, scene, robot, through);

    // Another place for it.
    await page.locator('#path-position').evaluate((slider: HTMLInputElement) => {
      slider.value = '0.2';
      slider.dispatchEvent(new Event('input'));
    });
    const other = await readJoints(page);
    await openTab(page, 'Plan');
    await page.getByRole('button', { name: 'Set here: waypoint 1' }).click();
    await page.waitForFunction(() => document.getElementById('plan-proof')!.dataset.kind !== 'certified');
    await waitForCertificate(page);
    const moved = await savePath(page);
    expect(goesThrough(moved, other)).toBe(true);
    await page.getByRole('button', { name: 'Delete: waypoint 1' }).click();
    expect(await page.locator('#waypoints li').count()).toBe(0);

    await page.locator('#plan-planner').selectOption('prm');
    await page.locator('.limits summary').click();
    await page.locator('#plan-seed').fill('3');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await waitForCertificate(page);
    await expectCertified(page, scene, robot, await savePath(page));

    // A straight way through the shelf: red where it touches.
    await dropFiles(page, { 'path.json': Buffer.from(JSON.stringify({ path: [before[0], before.at(-1)] })) });
    await page.locator('#plan-proof[data-kind=touching]').waitFor();
    expect(await page.locator('#plan-proof').textContent()).toMatch(/^Touches over \d+ stretch(es)? of it$/);
    expect(await page.locator('.curve-contact').getAttribute('d')).toMatch(/^M [\d.]+ 0 H /);
    await dropFiles(page, { 'path.json': Buffer.from(JSON.stringify({ path: through })) });
    await page.locator('#plan-proof[data-kind=certified]').waitFor();
    expect(await page.locator('.curve-contact').getAttribute('d')).toBe('');
    expect(await page.locator('#path-pace').textContent()).toMatch(/m\/s$/);
  });

  it('plans to a goal while it is dragged', async () => {
    const page = await openViewer({}, recordPlans);
    const { scene, robot } = await loadArm();
    const bare = await readDrawing(page);
    await page.getByRole('button', { name: 'Drag goal' }).click();
    expect(countDifferent(bare.pixels, (await readDrawing(page)).pixels)).toBeGreaterThan(1000);
    const before = await savePath(page);
    const [arrow] = await findArrows(page);
    const asked = (await page.evaluate(() => window.plans)).length;
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    for (let k = 1; k <= 20; k++) await page.mouse.move(arrow.x, arrow.y - 2 * k);
    await page.mouse.up();
    await page.waitForFunction((count) => window.plans.length > count, asked);
    await waitForCertificate(page);
    const path = await savePath(page);
    expect(path[0]).toEqual(before[0]);
    const height = (q: readonly number[]): number => {
      setConfiguration(robot, q);
      return robotFramePlacement(createTransform(), robot, 'tool')[11];
    };
    expect(height(path.at(-1)!)).toBeGreaterThan(height(before.at(-1)!) + 0.02);
    expect(await page.getByLabel('Goal', { exact: true }).inputValue()).toBe('0');
    await expectCertified(page, scene, robot, path);
  });

  it(`follows an obstacle through ${EVENTS} drag events, resized and dragged, and certifies what is left`, async () => {
    // Small, since software draws every frame, and high enough for the ball's arrow to stand clear of the buttons.
    const page = await openViewer({ viewport: { width: 800, height: 800 } }, recordPlans, recordTasks);
    const { scene, robot } = await loadArm();
    const path = await savePath(page);
    // Halfway through, where the tool is lowest there: not behind what lies over the view.
    const places = [0.3, 0.4, 0.5, 0.6, 0.7].map((t) => {
      const at = t * (path.length - 1);
      const k = Math.floor(at);
      setConfiguration(
        robot,
        path[k].map((from, i) => from + (at - k) * (path[k + 1][i] - from)),
      );
      return robotFramePlacement(createTransform(), robot, 'tool').slice(9);
    });
    const [x, y, z] = places.reduce((low, at) => (at[2] < low[2] ? at : low));
    await openTab(page, 'Scene');
    await page.getByRole('button', { name: 'Add sphere' }).click();
    await setNumbers(page, { radius: 50, x: 1000 * x, y: 1000 * y, z: 1000 * z });
    await page.getByRole('button', { name: 'Fit view' }).click();
    const [arrow] = await findArrows(page);
    await page.evaluate(() => {
      window.plans.length = window.pageTasks.length = 0;
    });
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    await dragInPage(
      page,
      Array.from({ length: EVENTS }, (_, k) => ({
        ...arrow,
        y: arrow.y - 60 * Math.sin((4 * Math.PI * (k + 1)) / EVENTS),
      })),
    );
    await page.mouse.up();
    await waitForCertificate(page);
    const { plans, tasks } = await page.evaluate(() => ({ plans: window.plans, tasks: window.pageTasks }));
    expect(plans.length).toBeGreaterThan(EVENTS / 10);
    expect(plans.filter(({ status }) => status === 'solved').length).toBeGreaterThan(plans.length / 3);
    expect(plans.some(({ how }) => how !== 'kept')).toBe(true);
    expect(
      quantile(
        plans.map(({ milliseconds }) => milliseconds),
        0.95,
      ),
    ).toBeLessThan(LOOSELY * 8);
    expect(tasks.length).toBeGreaterThan(EVENTS);
    expect(quantile(tasks, 0.95)).toBeLessThan(LOOSELY * 16);
    // The path that is left is free of the ball where it now stands, to the tenth of a millimetre that the numbers show.
    const pose = [0, 0, 0, 0, 0, 0, 1] as [number, number, number, number, number, number, number];
    for (const [i, axis] of ['x', 'y', 'z'].entries())
      pose[i] = Number(await page.getByRole('spinbutton', { name: axis, exact: true }).inputValue()) / 1000;
    addObject(scene, { name: 'sphere', shape: { type: 'sphere', radius: 0.05 }, pose: pose as Pose });
    await openTab(page, 'Plan');
    await expectCertified(page, scene, robot, await savePath(page), 0.1);
    // What was added is there after a reload, and goes when it is deleted.
    await page.reload();
    // The tab that is shown is chosen once all that was kept is there.
    await waitForAnswers(page);
    await openTab(page, 'Scene');
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'sphere' });
    expect(Number(await page.getByRole('spinbutton', { name: 'radius' }).inputValue())).toBe(50);
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await page.getByLabel('Object', { exact: true }).locator('option').allTextContents()).not.toContain(
      'sphere',
    );
  });

  it('resizes by handles, and says what a start or goal touches', async () => {
    const page = await openViewer();
    await openTab(page, 'Scene');
    await page.getByRole('button', { name: 'Add box' }).click();
    await page.getByRole('button', { name: 'Resize' }).click();
    const [knob] = await findArrows(page);
    const width = page.getByRole('spinbutton', { name: 'width z' });
    const before = Number(await width.inputValue());
    await page.mouse.move(knob.x, knob.y);
    await page.mouse.down();
    for (let k = 1; k <= 10; k++) await page.mouse.move(knob.x, knob.y - 3 * k);
    await page.mouse.up();
    expect(Number(await width.inputValue())).toBeGreaterThan(1.1 * before);
    // Over the tool where it stands.
    const { robot } = await loadArm();
    setConfiguration(robot, await readJoints(page));
    const [x, y, z] = robotFramePlacement(createTransform(), robot, 'tool').slice(9);
    await openTab(page, 'Scene');
    await setNumbers(page, { x: 1000 * x, y: 1000 * y, z: 1000 * z });
    await openTab(page, 'Plan');
    await page.locator('#plan-message.failed').waitFor();
    expect(await page.locator('#plan-message').textContent()).toMatch(/^Invalid start: .*box/);
    expect(await page.locator('#timeline.broken').count()).toBe(1);
    expect(await page.locator('#plan-proof').textContent()).toBe('');
  });
});

async function loadArm(): Promise<{ scene: Scene; robot: SceneRobot }> {
  const { value: robot } = await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') });
  const { value: around } = await loadScene(example('scenes/table-shelf.json'));
  return createCell({ robot: robot!, around: around! });
}

/**
 * Moves of a pointer that is down, as the page gets them from a device: at their own pace. Those that playwright sends wait for
 * a drawn frame each, which software takes long for.
 */
async function dragInPage(page: Page, places: readonly { x: number; y: number }[]): Promise<void> {
  await page.evaluate(async (list) => {
    const canvas = document.querySelector('#stage canvas')!;
    for (const { x, y } of list) {
      const init = {
        clientX: x,
        clientY: y,
        pointerId: 1,
        pointerType: 'mouse',
        isPrimary: true,
        buttons: 1,
        button: -1,
      };
      canvas.dispatchEvent(new PointerEvent('pointermove', { ...init, bubbles: true, cancelable: true }));
      await new Promise((resolve) => setTimeout(resolve, 16));
    }
  }, places);
}

/** The library certifies the path, re-checks that, and the page has said as much. */
async function expectCertified(
  page: Page,
  scene: Scene,
  robot: SceneRobot,
  path: readonly number[][],
  millimetres = 0.005,
): Promise<void> {
  const { status, clearance, certificate } = certifyPath(scene, robot, path);
  expect(status).toBe('free');
  expect(verifyPathCertificate(scene, robot, path, certificate!).isProven).toBe(true);
  const said = await page.locator('#plan-proof').textContent();
  const [, least] =
    /^.*Certified with the exact shapes: free at every time, nothing comes nearer than ([\d.]+) mm \(measured: /.exec(
      said!,
    ) ?? [];
  expect(Math.abs(Number(least) - 1000 * clearance), said!).toBeLessThanOrEqual(millimetres);
}

async function setNumbers(page: Page, numbers: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, value] of Object.entries(numbers)) {
    const input = page.getByRole('spinbutton', { name, exact: true });
    await input.fill(value.toFixed(1));
    await input.press('Enter');
  }
}

/** As the page shows them. */
async function readJoints(page: Page): Promise<number[]> {
  await openTab(page, 'Pose');
  const read = async (name: string): Promise<number> =>
    Number(await page.getByRole('spinbutton', { name, exact: true }).inputValue());
  const q: number[] = [];
  for (let i = 1; i <= 7; i++) q.push(((await read(`joint_${i}`)) * Math.PI) / 180);
  return [...q, (await read('finger_left_slide')) / 1000];
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
