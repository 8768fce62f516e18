/** The motions' page in headless Chromium: programs and paths with the numbers of the command, edited, refused with the place, and played. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { optimisePath, planMotion } from '../../src/control.js';
import { parseMotionFile, parseOptimisationFile, requireValue } from '../../src/io.js';
import { loadRobot, loadScene } from '../../src/node.js';
import { findGroupCoordinates } from '../../src/semantics.js';
import { createCell } from '../../src/tasks.js';
import { createLimits } from '../../src/trajectory.js';
import { chromiumPath, needsChromium } from './browser.js';
import { countColors, useViewer } from './viewer-page.js';

const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** As the commands `motion` and `optimise` set it up. */
async function createArm(scene: string) {
  const robot = requireValue(await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') }));
  const cell = createCell({ robot, around: requireValue(await loadScene(example(scene))) });
  const { model, semantic, description } = cell.robot;
  return { ...cell, indices: findGroupCoordinates(model, semantic, description, undefined).indices };
}

const setSlider = (page: Page, id: string, value: number): Promise<void> =>
  page.locator(id).evaluate((slider: HTMLInputElement, next) => {
    slider.value = String(next);
    slider.dispatchEvent(new Event('input'));
  }, value);

async function openPage(viewer: ReturnType<typeof useViewer>, query: string): Promise<Page> {
  const page = await viewer.browser.newPage({ viewport: { width: 1000, height: 700 }, reducedMotion: 'reduce' });
  viewer.watch(page);
  await page.goto(`${viewer.url}control.html${query}`);
  return page;
}

describe.skipIf(!chromiumPath)(`motions in Chromium${needsChromium}`, () => {
  const viewer = useViewer();

  it('a program has the duration, times and clearance that the command tells; it is edited, refused with its place, and played', async () => {
    const { scene, robot, indices } = await createArm('motions/table.json');
    const program = requireValue(parseMotionFile(readFileSync(example('motions/palletise.json'), 'utf8')));
    const limits = createLimits(robot.model, { acceleration: 5 });
    const plan = planMotion(robot.model, program, { limits, around: { scene, robot }, group: indices });
    expect(plan.status).toBe('solved');

    const page = await openPage(viewer, '');
    const verdict = page.locator('#control-verdict');
    await page.locator('#control-verdict[data-status=solved]').waitFor();
    expect(await verdict.textContent()).toBe(
      `solved: ${plan.duration.toFixed(4)} s, ${plan.moves.length} moves; free at every time, nothing nearer than ${(1000 * plan.clearance).toFixed(1)} mm`,
    );
    const rows = await page.locator('#control-report li').allTextContents();
    expect(rows).toHaveLength(plan.moves.length);
    for (const [i, { name, begin, end }] of plan.moves.entries())
      expect(rows[i]).toContain(`${name}: ${begin.toFixed(3)} to ${end.toFixed(3)} s`);
    // The path of the tool and the zones of its blends.
    expect((await countColors(page)).blue).toBeGreaterThan(300);

    const clock = page.locator('#control-clock');
    await page.locator('#control-report li button').nth(4).click();
    expect(await clock.textContent()).toBe(`${plan.moves[4].begin.toFixed(2)} of ${plan.duration.toFixed(4)} s`);
    await setSlider(page, '#control-time', 0);
    await page.locator('#control-play').click();
    await page.waitForFunction(() => Number.parseFloat(document.getElementById('control-clock')!.textContent!) > 0.3);
    await page.locator('#control-play').click();

    const lines = page.locator('#control-moves');
    await lines.fill('PTP feeder radius 0.05\nLIN [0.9, 0, 0.42] name "too far"');
    await page.locator('#control-plan').click();
    await page.locator('#control-verdict[data-status=unreachable]').waitFor();
    expect(await verdict.textContent()).toMatch(/^unreachable: .*; too far, \d\.\d+ m along it/);
    await lines.fill('PTP feeder\nGO home');
    await page.locator('#control-plan').click();
    expect(await verdict.textContent()).toMatch(/^line 2: got "GO"/);
    await lines.fill('PTP feeder\nLIN nowhere');
    await page.locator('#control-plan').click();
    await page.waitForFunction(() => /nowhere/.test(document.getElementById('control-verdict')!.textContent!));
    await lines.fill('LIN {"at": "feeder", "toolShift": [0, 0, -0.1]} # short');
    await page.locator('#control-proven').uncheck();
    await page.locator('#control-plan').click();
    await page.waitForFunction(() =>
      /^solved: [\d.]+ s, 1 move; not compared/.test(document.getElementById('control-verdict')!.textContent!),
    );
    await page.close();
  });

  it('a path has the cost, length and iterations that the command tells; its iterations are looked at one by one', async () => {
    const { scene, robot, indices } = await createArm('scenes/table-shelf.json');
    const { schema, initial, start, goal, ...settings } = requireValue(
      parseOptimisationFile(readFileSync(example('scenes/optimise.json'), 'utf8')),
    );
    const ends = { start: start as number[], goal: goal as number[] };
    const found = optimisePath(scene, robot, { ...settings, ...ends, indices });
    expect(found.status).toBe('solved');

    const page = await openPage(viewer, '?example=shelf');
    await page.locator('#control-result[data-status=solved]').waitFor();
    expect(await page.locator('#control-result').textContent()).toBe(
      `solved: length ${found.length.toFixed(3)}, cost ${found.cost.toFixed(4)}, free at every time, nothing nearer than ${(1000 * found.clearance).toFixed(1)} mm; ${found.iterations} iterations over ${found.attempts.length} first path`,
    );
    const words = page.locator('#control-iteration-words');
    const { costs } = found.attempts[0];
    expect(await words.textContent()).toMatch(new RegExp(`^${costs.length + 1} of ${costs.length + 1}: `));
    const violet = (await countColors(page)).violet;
    expect(violet).toBeGreaterThan(300);
    await setSlider(page, '#control-iteration', 0);
    expect(await words.textContent()).toBe(
      `1 of ${costs.length + 1}: cost ${costs[0].cost.toFixed(4)}, ${(1000 * costs[0].violation).toFixed(2)} mm missed`,
    );
    await page.locator('#control-play').click();
    await page.waitForFunction(() => Number((document.getElementById('control-time') as HTMLInputElement).value) > 20);

    const chomp = optimisePath(scene, robot, { ...settings, ...ends, indices, method: 'chomp' });
    await page.locator('#control-method').selectOption('chomp');
    await page.locator('#control-optimise').click();
    await page.waitForFunction(
      () => !/^(?:Optimising|first path)/.test(document.getElementById('control-result')!.textContent!),
    );
    expect(await page.locator('#control-result').textContent()).toContain(
      `length ${chomp.length.toFixed(3)}, cost ${chomp.cost.toFixed(4)}, free at every time`,
    );

    // No path keeps half a metre away: every first path is tried, until it is stopped.
    const problem = page.locator('#control-problem');
    const before = await problem.inputValue();
    await problem.fill(JSON.stringify({ ...(JSON.parse(before) as object), clearance: 0.5 }));
    await page.locator('#control-seeds').fill('100000');
    await page.locator('#control-optimise').click();
    await page.waitForFunction(() => /^first path/.test(document.getElementById('control-result')!.textContent!));
    await page.locator('#control-stop').click();
    const [, ended] = /^Stopped after (\d+) iterations?$/.exec((await page.locator('#control-result').textContent())!)!;
    expect(await words.textContent()).toMatch(new RegExp(`^${ended} of ${ended}: `));
    expect(await page.locator('#control-stop').isDisabled()).toBe(true);
    // The worker that takes its place answers.
    await problem.fill(before);
    await page.locator('#control-seeds').fill('1');
    await page.locator('#control-optimise').click();
    await page.locator('#control-result[data-status=solved]').waitFor();
    expect(await page.locator('#control-result').textContent()).toContain(`cost ${chomp.cost.toFixed(4)}, free`);
    await page.close();
  });
});
