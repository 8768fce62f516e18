/** The fleets' page in headless Chromium: robots that run in a worker, asked, coloured, stopped by an obstacle, gone back to, and replayed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createFleetRun, createFleetSetup } from '../../src/fleet.js';
import { createFleetRecorder } from '../../src/io.js';
import { chromiumPath, needsChromium } from './browser.js';
import { projectRoot } from './run.js';
import { useViewer } from './viewer-page.js';

const timeOf = async (page: Page): Promise<number> =>
  Number.parseFloat((await page.locator('#fleet-words').textContent()) ?? '');

async function recordFleet(file: string): Promise<void> {
  const map = { width: 12, height: 8, free: new Uint8Array(96).fill(1) };
  const fleet = { map: [], robots: 10, seed: 3 };
  const { run } = createFleetRun(createFleetSetup({ version: 1, objects: [], fleet }, map));
  const parts: Uint8Array[] = [];
  const recorder = await createFleetRecorder((bytes) => void parts.push(bytes.slice()));
  for (let k = 0; k < 40; k++) {
    run!.step(0.2);
    await recorder.record(run!);
  }
  await recorder.end();
  writeFileSync(file, Buffer.concat(parts));
}

describe.skipIf(!chromiumPath)(`fleets in Chromium${needsChromium}`, () => {
  const viewer = useViewer();

  it('run, answer a click, show where robots wait, take an obstacle, go back in time, and replay a recording', async () => {
    const page = await viewer.browser.newPage({ viewport: { width: 900, height: 600 }, reducedMotion: 'reduce' });
    viewer.watch(page);
    await page.goto(`${viewer.url}fleet.html?robots=500`);
    await page.waitForFunction(() => /drive/.test(document.getElementById('fleet-words')?.textContent ?? ''));
    await page.waitForFunction(() => Number.parseFloat(document.getElementById('fleet-words')?.textContent ?? '') > 3);
    expect(await page.locator('.title').textContent()).toBe('Warehouse, 500 robots');
    expect(await page.locator('#fleet-words').textContent()).toMatch(/ 0 not proven apart$/);

    await page.locator('#fleet-colour').selectOption('task');
    await page.locator('#fleet-heat').check();
    const canvas = page.locator('#stage canvas');
    const box = (await canvas.boundingBox())!;
    // Some place of the floor has a robot.
    const queue = page.locator('#fleet-queue li');
    for (let k = 0; k < 40 && (await queue.count()) === 0; k++) {
      await canvas.click({
        position: { x: box.width * (0.35 + 0.03 * (k % 8)), y: box.height * (0.4 + 0.05 * Math.floor(k / 8)) },
      });
      await page.waitForTimeout(50);
    }
    expect(await page.locator('#fleet-robot').textContent()).toMatch(/^robot-\d+$/);
    expect((await queue.allTextContents()).join()).toMatch(/deliver at cell/);

    await page.locator('#fleet-add').click();
    for (let k = 0; k < 40; k++) {
      await canvas.click({ position: { x: box.width * (0.4 + 0.005 * k), y: box.height * 0.45 } });
      await page.waitForTimeout(50);
      if (/obstacle stands|still come/.test((await page.locator('#fleet-told').textContent()) ?? '')) break;
    }
    await page.waitForFunction(() => /obstacle stands/.test(document.getElementById('fleet-told')?.textContent ?? ''));

    await page.locator('#fleet-play').click();
    const before = await timeOf(page);
    await page.locator('#fleet-time').evaluate((slider: HTMLInputElement) => {
      slider.value = '1';
      slider.dispatchEvent(new Event('input'));
      slider.dispatchEvent(new Event('change'));
    });
    await page.waitForFunction(() => Number.parseFloat(document.getElementById('fleet-words')!.textContent!) < 1.5);
    expect(await timeOf(page)).toBeLessThan(before);

    const file = join(viewer.folder, 'run.mcap');
    await recordFleet(file);
    await page.locator('#file-input').setInputFiles(file);
    await page.locator('.title', { hasText: 'run.mcap' }).waitFor();
    await page.waitForFunction(() => Number.parseFloat(document.getElementById('fleet-words')!.textContent!) > 7.5);
    expect(await page.locator('#fleet-add').isDisabled()).toBe(true);
    await page.close();
  });

  it('run a floor with arms that carry crates, answer of a carrier, and build an obstacle beside it', async () => {
    const page = await viewer.browser.newPage({ viewport: { width: 900, height: 600 }, reducedMotion: 'reduce' });
    viewer.watch(page);
    await page.goto(`${viewer.url}fleet.html?robots=20`);
    await page.waitForFunction(() => /drive/.test(document.getElementById('fleet-words')?.textContent ?? ''));
    const files = ['mobile-arms.json', 'picker.urdf'].map((name) => join(projectRoot, 'examples/fleet', name));
    await page.locator('#file-input').setInputFiles(files);
    await page.locator('.title', { hasText: 'mobile-arms.json' }).waitFor();
    await page.waitForFunction(() => /^\d.* 2 carry/.test(document.getElementById('fleet-words')!.textContent!));
    await page.locator('#fleet-play').click();
    const canvas = page.locator('#stage canvas');
    const box = (await canvas.boundingBox())!;
    const robot = page.locator('#fleet-robot');
    for (let k = 0; k < 200 && !/^carrier/.test((await robot.textContent()) ?? ''); k++)
      await canvas.click({
        position: { x: box.width * (0.3 + 0.02 * (k % 20)), y: box.height * (0.3 + 0.05 * Math.floor(k / 20)) },
      });
    expect(await robot.textContent()).toMatch(/^carrier-[ab]$/);
    await page.waitForFunction(() => /carries crate/.test(document.getElementById('fleet-queue')!.textContent!));
    await page.locator('#fleet-add').click();
    await canvas.click({ position: { x: box.width * 0.5, y: box.height * 0.88 } });
    await page.waitForFunction(() => /obstacle stands/.test(document.getElementById('fleet-told')?.textContent ?? ''));
    const stood = Number.parseFloat((await page.locator('#fleet-words').textContent())!);
    await page.locator('#fleet-play').click();
    // Who gets by depends on when it was built; that nobody touches it does not.
    await page.waitForFunction(
      (from) => Number.parseFloat(document.getElementById('fleet-words')!.textContent!) > from + 5,
      stood,
    );
    expect(await page.locator('#fleet-words').textContent()).toMatch(/ 0 contacts, 0 not proven/);
    await page.close();
  });
});
