/** The page of simulations in headless Chromium: the numbers of the command, forces that are drawn, a body pulled, a recording played. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../cli/options/run-in-process.js';
import { chromiumPath, needsChromium } from './browser.js';
import { useViewer } from './viewer-page.js';

const worldFile = join(import.meta.dirname, '../../examples/worlds/stack.json');
const COMPARED = ['t', 'energy', 'contacts', 'penetration', 'residual', 'iterations'] as const;

const reportOf = async (page: Page): Promise<Record<string, unknown>> => {
  const text = await page.locator('#sim-words').getAttribute('data-report');
  const report = JSON.parse(text!) as Record<string, unknown>;
  return Object.fromEntries(COMPARED.map((key) => [key, report[key]]));
};

/** Pixels of the drawing that are red as forces are, and those that differ from the background at its corner. */
const countRed = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const canvas = document.querySelector('#stage canvas') as HTMLCanvasElement;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d')!;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) if (data[k] > 120 && data[k + 1] < 70 && data[k + 2] < 70) count++;
    return count;
  });

describe.skipIf(!chromiumPath)(`simulations in Chromium${needsChromium}`, () => {
  const viewer = useViewer();

  it('run, stop, step, run slowly, show forces, give way to a spring, go back, and play a recording', async () => {
    const file = join(viewer.folder, 'stack.mcap');
    const simulate = ['simulate', worldFile, '--for', '0.2', '--json', '--every'];
    // A line tells the worst of its steps: with a line a step, what the page says of its last one.
    const recorded = readReports((await runInProcess([...simulate, '0.1', '--record', file])).out);
    const stepped = readReports((await runInProcess([...simulate, '0.002'])).out);

    const page = await viewer.browser.newPage({ viewport: { width: 900, height: 600 }, reducedMotion: 'reduce' });
    // What is drawn can be read after the frame in which it was.
    await page.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: object) {
        return original.call(this, kind, { ...options, preserveDrawingBuffer: true });
      } as typeof original;
    });
    viewer.watch(page);
    await page.goto(`${viewer.url}simulation.html?world=stack`);
    await page.locator('.title', { hasText: 'Stack of ten boxes' }).waitFor();

    await page.locator('#sim-tenth').click();
    expect(await reportOf(page)).toEqual(stepped(0.1));
    await page.locator('#sim-tenth').click();
    expect(await reportOf(page)).toEqual(stepped(0.2));

    const shown = Number(await page.locator('#sim-numbers').getAttribute('data-arrows'));
    expect(shown).toBe(40);
    const red = await countRed(page);
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    await page.locator('#sim-forces').uncheck();
    expect(await page.locator('#sim-numbers').getAttribute('data-arrows')).toBe('0');
    expect(red).toBeGreaterThan(50 + 4 * (await countRed(page)));

    await page.locator('#sim-reset').click();
    expect((await reportOf(page)).t).toBe(0);
    await page.locator('#sim-step').click();
    expect((await reportOf(page)).t).toBe(0.002);

    const box = (await page.locator('#stage canvas').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y, { steps: 3 });
    await page.evaluate(() => document.getElementById('sim-step')!.click());
    expect(Number(await page.locator('#sim-words').getAttribute('data-pull'))).toBeGreaterThan(0.1);
    await page.mouse.up();
    expect(await page.locator('#sim-words').getAttribute('data-pull')).toBe('');

    await page.locator('#sim-play').click();
    await page.waitForFunction(() => JSON.parse(document.getElementById('sim-words')!.dataset.report!).t > 0.1);
    await page.locator('#sim-play').click();
    const stopped = (await reportOf(page)).t;
    await page.waitForTimeout(80);
    expect((await reportOf(page)).t).toBe(stopped);

    // Slower than life: however fast the machine, no more passes than the clock allows.
    await page.locator('#sim-reset').click();
    const slow = page.locator('#sim-pace');
    expect(await slow.locator('option').allTextContents()).toEqual(['as in life', '4 times slower', '20 times slower']);
    await slow.selectOption('20 times slower');
    const passed = await page.evaluate(async () => {
      const now = (): number => (JSON.parse(document.getElementById('sim-words')!.dataset.report!) as { t: number }).t;
      const [begun, play] = [performance.now(), document.getElementById('sim-play')!];
      play.click();
      while (now() < 0.02) await new Promise((resolve) => requestAnimationFrame(resolve));
      play.click();
      return { simulated: now(), real: (performance.now() - begun) / 1000 };
    });
    expect(passed.simulated).toBeLessThanOrEqual(passed.real / 20 + 1e-9);
    await slow.selectOption('as in life');
    const samples = page.locator('[aria-label="Energy over time"]');
    expect(Number(await samples.getAttribute('data-samples'))).toBeGreaterThan(2);

    await page.locator('#file-input').setInputFiles(file);
    await page.locator('.title', { hasText: 'stack.mcap' }).waitFor();
    expect(await page.locator('#sim-told').textContent()).toBe('3 recorded states.');
    await page.locator('#sim-tenth').click();
    await page.locator('#sim-tenth').click();
    expect(await reportOf(page)).toEqual(recorded(0.2));
    expect(await page.locator('#sim-time').inputValue()).toBe('2');
  });
});

/** What a run printed for a time. */
function readReports(out: string): (t: number) => Record<string, unknown> {
  const lines = out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, unknown>);
  return (t) => {
    const line = lines.find((entry) => entry.t === t && 'energy' in entry)!;
    return Object.fromEntries(COMPARED.map((key) => [key, line[key]]));
  };
}
