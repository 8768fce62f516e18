/** Paths in the viewer, in headless Chromium: saved and taken again in every format, what they sweep, and the order of their waypoints. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parseTrajectoryFile, readTrajectoryMcap } from '../../src/io.js';
import { chromiumPath, needsChromium } from './browser.js';
import {
  countDifferent,
  dropFiles,
  expectWhole,
  openTab,
  readDrawing,
  savePath,
  useViewer,
  waitForCertificate,
} from './viewer-page.js';

describe.skipIf(!chromiumPath)(`paths of the viewer in Chromium${needsChromium}`, () => {
  const { openViewer } = useViewer();

  it('saves a path as JSON, CSV and MCAP, and takes each of them again, checked and with its times', async () => {
    const page = await openViewer();
    await openTab(page, 'Plan');
    const path = await savePath(page);
    const csv = await saveAs(page, 'CSV, timed');
    const mcap = await saveAs(page, 'MCAP, timed');
    expect([csv.name, mcap.name]).toEqual(['path.csv', 'path.mcap']);
    const written = parseTrajectoryFile(csv.bytes.toString('utf8'), 'csv').value!;
    const recorded = (await readTrajectoryMcap(mcap.bytes)).value!;
    if (written.kind !== 'trajectory') throw new Error('a path without times');
    const { times } = written.trajectory;
    for (const { positions, positionNames } of [written.trajectory, recorded]) {
      expect(positionNames[0]).toBe('joint_1');
      expect(positions.length).toBe(path.length);
      for (const [i, q] of positions.entries())
        for (const [k, value] of q.entries()) expect(Math.abs(value - path[i][k])).toBeLessThan(1e-12);
    }
    expect(times.length).toBe(path.length);
    for (const [i, time] of recorded.times.entries()) expect(Math.abs(time - times[i])).toBeLessThan(2e-9);
    await page.locator('#path-format').selectOption('JSON');
    for (const [name, bytes] of [
      ['path.csv', csv.bytes],
      ['path.mcap', mcap.bytes],
    ] as const) {
      await dropFiles(page, { [name]: bytes });
      await page.locator('#plan-message', { hasText: 'Path loaded' }).waitFor();
      await page.locator('#plan-proof[data-kind=certified]').waitFor();
      const again = await savePath(page);
      expect(again.length).toBe(path.length);
      for (const [i, q] of again.entries())
        for (const [k, value] of q.entries()) expect(Math.abs(value - path[i][k])).toBeLessThan(1e-12);
    }
    // What is no recording is said to be none, and the path stays.
    await dropFiles(page, { 'broken.mcap': Buffer.from('no recording') });
    await page.locator('.issues .error', { hasText: 'no MCAP file' }).waitFor();
    expect(await page.locator('#path-summary').textContent()).toContain(`${path.length} waypoints`);
  });

  it('draws what a path sweeps, and takes it away', async () => {
    const page = await openViewer();
    await openTab(page, 'Plan');
    const bare = await readDrawing(page);
    const differs = async (): Promise<number> => countDifferent(bare.pixels, (await readDrawing(page)).pixels);
    await page.getByLabel('Show what it sweeps').check();
    await expect.poll(differs, { timeout: 60_000 }).toBeGreaterThan(5000);
    await page.getByLabel('Show what it sweeps').uncheck();
    await expect.poll(differs, { timeout: 60_000 }).toBe(0);
  });

  it('goes to a waypoint, moves it up, and takes that back', async () => {
    const page = await openViewer();
    const passes = (path: readonly number[][], q: readonly number[]): number =>
      path.findIndex((found) => q.every((value, i) => Math.abs(value - found[i]) < 2e-3));
    const places: number[][] = [];
    for (const at of ['0.25', '0.75']) {
      await page.locator('#path-position').evaluate((slider: HTMLInputElement, value) => {
        slider.value = value;
        slider.dispatchEvent(new Event('input'));
      }, at);
      places.push(await readJoints(page));
    }
    await openTab(page, 'Plan');
    const add = async (place: readonly number[], count: number): Promise<void> => {
      await setJoints(page, place);
      await openTab(page, 'Plan');
      await page.getByRole('button', { name: 'Add waypoint' }).click();
      expect(await page.locator('#waypoints li').count()).toBe(count);
      await waitForCertificate(page);
    };
    await add(places[0], 1);
    await add(places[1], 2);
    const inOrder = await savePath(page);
    expect(passes(inOrder, places[0])).toBeGreaterThan(0);
    expect(passes(inOrder, places[1])).toBeGreaterThan(passes(inOrder, places[0]));
    await page.getByRole('button', { name: 'Go: waypoint 1' }).click();
    const gone = await readJoints(page);
    for (const [i, value] of gone.entries()) expect(Math.abs(value - places[0][i])).toBeLessThan(2e-3);
    await openTab(page, 'Plan');
    const length = await page.locator('#path-summary').textContent();
    await page.getByRole('button', { name: 'Up: waypoint 2' }).click();
    await expect.poll(() => page.locator('#path-summary').textContent(), { timeout: 60_000 }).not.toBe(length);
    await waitForCertificate(page);
    const swapped = await savePath(page);
    expect(passes(swapped, places[1])).toBeLessThan(passes(swapped, places[0]));
    await expectWhole(page, async () => {
      expect(await page.locator('#waypoints li').count()).toBe(2);
      // A waypoint and what can be done to it are one line.
      for (const row of await page.locator('#waypoints li').all())
        expect((await row.boundingBox())!.height).toBeLessThan(50);
    });
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('#path-summary').textContent(), { timeout: 60_000 }).toBe(length);
  });

  it('stops at the limits that are set, and says so', async () => {
    const page = await openViewer();
    await openTab(page, 'Plan');
    await page.locator('#plan-planner').selectOption('rrt-connect');
    await page.locator('.limits summary').click();
    await page.locator('#plan-iterations').fill('1');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('#plan-message.failed').waitFor();
    expect(await page.locator('#plan-message').textContent()).toMatch(/1 iteration/);
    expect(await page.locator('#plan-proof').textContent()).toBe('');
  });
});

async function saveAs(page: Page, format: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  await page.locator('#path-format').selectOption(format);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save path' }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** As the page shows them, radians. */
async function readJoints(page: Page): Promise<number[]> {
  await openTab(page, 'Pose');
  const q: number[] = [];
  for (let i = 1; i <= 7; i++)
    q.push(
      (Number(await page.getByRole('spinbutton', { name: `joint_${i}`, exact: true }).inputValue()) * Math.PI) / 180,
    );
  return q;
}

async function setJoints(page: Page, q: readonly number[]): Promise<void> {
  await openTab(page, 'Pose');
  for (const [i, value] of q.entries()) {
    const input = page.getByRole('spinbutton', { name: `joint_${i + 1}`, exact: true });
    await input.fill(((value * 180) / Math.PI).toFixed(1));
    await input.press('Enter');
  }
}
