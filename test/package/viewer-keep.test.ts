/**
 * What the viewer keeps, in headless Chromium: its gallery, undo and redo, reloads, links, zip files that the command line reads. The
 * jobs that a newcomer does are counted in actions: clicks, drags, drops, and numbers typed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openArchives } from '../../src/cli/workbench-archive.js';
import { loadRobot, loadScene } from '../../src/node.js';
import { checkScene, pairsWithin, type Scene, type SceneRobot, setConfiguration } from '../../src/scene.js';
import { createCell } from '../../src/tasks.js';
import { chromiumPath, needsChromium } from './browser.js';
import {
  countActions,
  countColors,
  countDifferent,
  dropFiles,
  expectWhole,
  openTab,
  readDrawing,
  useViewer,
  waitForAnswers,
} from './viewer-page.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string): string => join(root, 'examples', path);
const ANSWERED = { timeout: 60_000 };

describe.skipIf(!chromiumPath)(`keeping and sharing in the viewer${needsChromium}`, () => {
  const viewer = useViewer();
  const { openViewer } = viewer;

  it('says what to do in one line, and opens every example by its card', async () => {
    const page = await openViewer();
    expect(await page.locator('#hint').textContent()).toMatch(/^Drag a link .* Drop a robot/);
    await page.getByRole('button', { name: 'Close hint' }).click();
    for (const [id, title, says] of [
      ['two-arms', 'Two arms', /mm.* – /],
      ['bearing', 'Bearing assembly', /housing – cover/],
      ['snake', 'Snake, thirty links', /link_/],
      ['scan', 'Scan, 500,000 triangles', /(scan – ball|ball – scan)/],
      ['humanoid', 'Humanoid', /left_forearm – left_thigh/],
    ] as const) {
      await page.getByRole('button', { name: 'Examples' }).click();
      await page.locator(`#card-${id}`).click();
      await page.locator('.title', { hasText: title }).waitFor();
      await expect.poll(() => page.locator('#verdict > summary').textContent(), ANSWERED).toMatch(says);
      expect(await page.locator('.issues .error').count(), id).toBe(0);
      expect(await page.locator('#hint').isVisible()).toBe(false);
    }
    expect(await page.locator('#gallery').isVisible()).toBe(false);
    const pictures = await page.locator('.card img').evaluateAll(async (images) => {
      for (const image of images as HTMLImageElement[]) image.loading = 'eager';
      return Promise.all((images as HTMLImageElement[]).map((image) => image.decode().then(() => image.naturalWidth)));
    });
    expect(pictures.length).toBe(7);
    expect(Math.min(...pictures)).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.locator('#card-peptide').click();
    await page.locator('#protein-verdict').waitFor();
    await expectWhole(page);
  });

  it('takes everything back and does it again, over a reload too', async () => {
    const page = await openViewer();
    await openTab(page, 'Scene');
    const names = (): Promise<string[]> =>
      page.getByLabel('Object', { exact: true }).locator('option').allTextContents();
    const before = await names();
    await page.getByRole('button', { name: 'Add sphere' }).click();
    await settle(page);
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'can' });
    await setNumber(page, 'x', 500);
    // A change that follows at once would be one step with this.
    await settle(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await settle(page);
    await openTab(page, 'Pose');
    await setNumber(page, 'joint_1', 30);
    expect(await names()).toEqual([...before.filter((name) => name !== 'can'), 'sphere']);
    // Joint, deletion, place, and the new sphere.
    await page.keyboard.press('Control+z');
    expect(await number(page, 'joint_1')).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect((await names()).sort()).toEqual([...before, 'sphere'].sort());
    await openTab(page, 'Scene');
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'can' });
    expect(await number(page, 'x')).toBe(500);
    await page.keyboard.press('Control+z');
    expect(await number(page, 'x')).toBe(420);
    await page.keyboard.press('Control+z');
    expect((await names()).sort()).toEqual([...before].sort());
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    for (let k = 0; k < 4; k++) await page.keyboard.press('Control+Shift+z');
    expect(await page.getByRole('button', { name: 'Redo' }).isDisabled()).toBe(true);
    await openTab(page, 'Pose');
    expect(await number(page, 'joint_1')).toBe(30);
    await settle(page);
    await page.reload();
    await waitForAnswers(page);
    await openTab(page, 'Pose');
    expect(await number(page, 'joint_1')).toBe(30);
    expect((await names()).sort()).toEqual([...before.filter((name) => name !== 'can'), 'sphere'].sort());
  });

  it('shares an example as it stands by a link, in two actions', async () => {
    const page = await openViewer();
    await openTab(page, 'Pose');
    await setNumber(page, 'joint_2', 71);
    await setNumber(page, 'joint_1', -52);
    await expect
      .poll(() => page.locator('#verdict > summary').textContent(), ANSWERED)
      .toMatch(/contacts?(≤ )?[\d.]+ mm/);
    const said = await page.locator('#verdict > summary').textContent();
    const actions = countActions();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await actions.do(page.getByRole('button', { name: 'Share' }).click());
    await page.locator('#notice', { hasText: 'Link copied' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link.startsWith(`${viewer.url}#example=arm&work=`)).toBe(true);
    const other = await viewer.browser.newPage({ viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce' });
    viewer.watch(other);
    await actions.do(other.goto(link));
    await other.locator('.verdict.touching').waitFor();
    await expect.poll(() => other.locator('#verdict > summary').textContent(), ANSWERED).toBe(said);
    expect((await countColors(other)).red).toBeGreaterThan(100);
    await expectWhole(other, async () => expect(await other.locator('#verdict > summary').textContent()).toBe(said));
    expect(actions.count).toBe(2);
    // What is done there is kept there: the address no longer says what was linked.
    expect(other.url()).toBe(viewer.url);
  });

  it('takes a robot of its user, made to touch in two actions; its zip is read by the page and the command line', async () => {
    const page = await openViewer();
    const actions = countActions();
    const folder = ['arm.urdf', 'arm.srdf'].map((name) => [name, readFileSync(example(`arm/${name}`))] as const);
    const { value } = await loadRobot(example('arm/arm.urdf'), { geometry: 'both' });
    const meshes = [...value!.meshes.keys()].map((name) => [name, readFileSync(example(`arm/${name}`))] as const);
    await actions.do(dropPaths(page, Object.fromEntries([...folder, ...meshes])));
    await page.locator('.title', { hasText: 'arm7' }).waitFor();
    await openTab(page, 'Pose');
    await actions.do(setNumber(page, 'joint_4', -120));
    await setNumber(page, 'joint_6', 114.6);
    await setNumber(page, 'joint_4', -119.5);
    await settle(page);
    await waitForAnswers(page);
    const said = await page.locator('#verdict > summary').textContent();
    const zip = await saveZip(page);
    expect(await page.locator('#notice').textContent()).toBe('Saved: drop the zip here to go on');
    // Elsewhere, from nothing.
    const other = await viewer.browser.newPage({ viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce' });
    viewer.watch(other);
    await other.goto(viewer.url);
    await waitForAnswers(other);
    await dropFiles(other, { 'arm7.clearance.zip': readFileSync(zip) });
    await other.locator('.title', { hasText: 'arm7' }).waitFor();
    await expect.poll(() => other.locator('#verdict > summary').textContent(), ANSWERED).toBe(said);
    expect(await other.locator('.issues .error').count()).toBe(0);
    // The command line's own reading of the zip, and what it says of the scene in it.
    const { args, close } = openArchives(['check', zip]);
    const { value: kept, issues } = await loadScene(args[1]);
    expect(issues).toEqual([]);
    const { scene } = createCell({ around: kept! });
    const contacts = checkScene(scene, { all: true }).contacts.length;
    expect(said).toMatch(contacts === 0 ? /^Free/ : new RegExp(`^${contacts} contact`));
    close();
  });
  it('names links and joints, turns the joint of a dragged link, lists clearances, allows a contact, cuts and sees through', async () => {
    const page = await openViewer();
    await openTab(page, 'Pose');
    const { robot, scene } = await loadArm();
    setConfiguration(robot, await readJoints(page));
    const { x, y, width, height } = (await page.locator('#stage canvas').boundingBox())!;
    // The link that the pointer is over, found by trying.
    let at = { x: 0, y: 0 };
    for (let i = 0; i < 60 && !/^link_[3-6] · joint_/.test((await page.locator('#hover').textContent()) ?? ''); i++) {
      at = { x: x + width * (0.3 + 0.05 * (i % 8)), y: y + height * (0.2 + 0.06 * Math.floor(i / 8)) };
      await page.mouse.move(at.x, at.y);
      await page.waitForTimeout(60);
    }
    const [link, joint] = (await page.locator('#hover').textContent())!.split(' · ');
    expect(link).toMatch(/^link_[3-6]$/);
    expect(await page.locator('.joint.lit .joint-name').allTextContents()).toEqual([joint]);
    const before = await readJoints(page);
    await page.mouse.down();
    for (let k = 1; k <= 4; k++) await page.mouse.move(at.x - 10 * k, at.y + 8 * k);
    await page.mouse.up();
    const after = await readJoints(page);
    const changed = after.flatMap((value, i) => (value === before[i] ? [] : [`joint_${i + 1}`]));
    expect(changed).toEqual([joint]);
    await page.keyboard.press('Control+z');
    await expect.poll(() => readJoints(page), ANSWERED).toEqual(before);

    await openTab(page, 'Measure');
    setConfiguration(robot, [0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    const pairs = pairsWithin(scene, { margin: 0.1, objectPairs: false }).map(({ a, b }) => `${a} – ${b}`);
    await expect.poll(() => page.locator('#clearances .pair-name').allTextContents(), ANSWERED).toEqual(pairs);
    await expectWhole(page, async () =>
      expect(await page.locator('#clearances .pair-name').allTextContents()).toEqual(pairs),
    );
    const still = await readDrawing(page);
    await page.locator('#clearances button').first().click();
    expect(countDifferent(still.pixels, (await readDrawing(page)).pixels)).toBeGreaterThan(10_000);
    // Where it flew to, the two places and the distance of the row.
    const said = await page.locator('#clearances .number').first().textContent();
    expect(await page.locator('#stage .distance-label:visible').last().textContent()).toBe(said);
    await page.getByRole('button', { name: 'Fit view' }).click();

    await openTab(page, 'Scene');
    await setNumber(page, 'Margin', 90);
    const near = pairsWithin(scene, { margin: 0.09, objectPairs: false }).length;
    await page.locator('.verdict', { hasText: `${near} contact` }).waitFor();
    await page.locator('#verdict > summary').click();
    await page.locator('.allow').first().click();
    await page.locator('.verdict', { hasText: `${near - 1} contact` }).waitFor();
    await page.keyboard.press('Control+z');
    await page.locator('.verdict', { hasText: `${near} contact` }).waitFor();
    await setNumber(page, 'Margin', 0);
    await page.locator('.verdict', { hasText: 'Free' }).waitFor();

    await openTab(page, 'View');
    const whole = await readDrawing(page);
    await page.getByLabel('Across').selectOption('y');
    const cut = await readDrawing(page);
    expect(countDifferent(whole.pixels, cut.pixels)).toBeGreaterThan(10_000);
    await page.getByLabel('Opacity of objects').fill('0.3');
    const through = await readDrawing(page);
    expect(countDifferent(cut.pixels, through.pixels)).toBeGreaterThan(10_000);
    await page.getByLabel('Other side').check();
    const other = await readDrawing(page);
    expect(countDifferent(through.pixels, other.pixels)).toBeGreaterThan(10_000);
    await page.getByLabel('Across').selectOption('off');
    const ghost = await readDrawing(page);
    await page.getByLabel('Opacity of robots').fill('0.3');
    expect(countDifferent(ghost.pixels, (await readDrawing(page)).pixels)).toBeGreaterThan(1000);
    await expectWhole(page);
  });
});

async function loadArm(): Promise<{ scene: Scene; robot: SceneRobot }> {
  const { value: robot } = await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') });
  const { value: around } = await loadScene(example('scenes/table-shelf.json'));
  return createCell({ robot: robot!, around: around! });
}

/** As the page shows them. */
async function readJoints(page: Page): Promise<number[]> {
  const q: number[] = [];
  for (let i = 1; i <= 7; i++) q.push(((await number(page, `joint_${i}`)) * Math.PI) / 180);
  return [...q, (await number(page, 'finger_left_slide')) / 1000];
}

async function setNumber(page: Page, name: string, value: number): Promise<void> {
  const input = page.getByRole('spinbutton', { name, exact: true });
  await input.fill(String(value));
  await input.press('Enter');
}

async function number(page: Page, name: string): Promise<number> {
  return Number(await page.getByRole('spinbutton', { name, exact: true }).inputValue());
}

/** Until the last change is a step that can be taken back: what comes at once is one step. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(400);
}

async function saveZip(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  const path = join(await download.path(), '..', download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Files with their folders, as a folder that is picked gives them. */
async function dropPaths(page: Page, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const { zipSync } = await import('fflate');
  await dropFiles(page, { 'arm.zip': zipSync(files as Record<string, Uint8Array>) });
}
