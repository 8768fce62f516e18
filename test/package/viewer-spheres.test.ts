/** Link spheres in the viewer, in headless Chromium: what is fitted and said there is what the library fits here. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadRobot } from '../../src/node.js';
import { fitRobotSpheres } from '../../src/scene.js';
import { chromiumPath, needsChromium } from './browser.js';
import { countDifferent, openTab, readDrawing, useViewer } from './viewer-page.js';

const arm = join(fileURLToPath(new URL('../../examples/', import.meta.url)), 'arm/arm.urdf');

describe.skipIf(!chromiumPath)(`spheres in the viewer${needsChromium}`, () => {
  const { openViewer } = useViewer();

  it('fits, proves and draws them, at three levels', async () => {
    const { value } = await loadRobot(arm);
    const model = fitRobotSpheres(value!);
    const count = (level: number): number =>
      model.links.reduce((sum, { levels }) => sum + levels.at(level)!.length / 4, 0);
    const page = await openViewer();
    await openTab(page, 'View');
    const before = await readDrawing(page);
    const level = page.getByLabel('Level of spheres');
    expect(await level.isVisible()).toBe(false);
    await page.getByLabel('Link spheres').check();
    const state = page.locator('#sphere-state');
    await state.filter({ hasText: 'proven' }).waitFor();
    expect(await state.textContent()).toBe(`${count(-1)} spheres, proven to contain the links`);
    const fine = await readDrawing(page);
    expect(countDifferent(before.pixels, fine.pixels)).toBeGreaterThan(2000);
    await level.selectOption({ label: 'coarse' });
    expect(await state.textContent()).toBe(`${count(0)} spheres, proven to contain the links`);
    await level.selectOption({ label: 'one per link' });
    expect(await state.textContent()).toBe(`${model.links.length} spheres, proven to contain the links`);
    const bound = await readDrawing(page);
    expect(countDifferent(fine.pixels, bound.pixels)).toBeGreaterThan(2000);
    await page.getByLabel('Link spheres').uncheck();
    expect(await level.isVisible()).toBe(false);
    const after = await readDrawing(page);
    expect(countDifferent(before.pixels, after.pixels)).toBeLessThan(200);
  });
});
