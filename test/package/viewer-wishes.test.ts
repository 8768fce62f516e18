/** What a path is asked besides its ends, in the viewer: the height of the tool is kept, the roadmap is shown, what is swept is saved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseStl } from '../../src/io.js';
import { loadRobot } from '../../src/node.js';
import { robotFramePlacement, setConfiguration } from '../../src/scene.js';
import { createCell } from '../../src/tasks.js';
import { chromiumPath, needsChromium } from './browser.js';
import { openTab, savePath, useViewer, waitForCertificate } from './viewer-page.js';

const example = (path: string): string => join(fileURLToPath(new URL('../../examples/', import.meta.url)), path);

describe.skipIf(!chromiumPath)(`what a path is asked besides${needsChromium}`, () => {
  const { openViewer } = useViewer();

  it('keeps the height of the tool on a certified path, and saves what it sweeps', async () => {
    const page = await openViewer();
    await waitForCertificate(page);
    await openTab(page, 'Plan');
    await page.locator('#plan-hold').selectOption('Height of the tool');
    await page.locator('#plan').click();
    await page.locator('#plan-message', { hasText: 'kept within' }).waitFor();
    await waitForCertificate(page);
    const loaded = (await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') })).value!;
    const { robot } = createCell({ robot: loaded });
    const heights = (await savePath(page)).map((q) => {
      setConfiguration(robot, q);
      return robotFramePlacement(new Float64Array(12), robot, 'tool')[11];
    });
    expect(heights.length).toBeGreaterThan(2);
    for (const height of heights) expect(Math.abs(height - heights[0])).toBeLessThan(1e-4);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-swept').click()]);
    expect(download.suggestedFilename()).toBe('swept.stl');
    const { mesh } = parseStl(new Uint8Array(readFileSync(await download.path()))).value!;
    expect(mesh.triangles.length).toBeGreaterThan(3 * 10_000);
    await page.locator('#plan-hold').selectOption('Nothing');
    await page.locator('#plan-roadmap').check();
    await page.locator('#plan').click();
    await waitForCertificate(page);
  });

  it('takes all robots to their places of one name together', async () => {
    const page = await openViewer();
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.locator('#card-two-arms').click();
    await page.locator('.title', { hasText: 'Two arms' }).waitFor();
    await page.locator('#plan-together').waitFor({ state: 'attached' });
    await openTab(page, 'Plan');
    await page.locator('#plan-goal').selectOption('home');
    await page.locator('#plan-together').click();
    await page.locator('#plan-proof', { hasText: 'all robots are free at every time' }).waitFor({ state: 'attached' });
    expect(await page.locator('#plan-message').textContent()).toMatch(/2 robots/);
    await page.screenshot({ path: process.env.SHOT ?? undefined });
  });
});
