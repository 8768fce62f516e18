/**
 * What a newcomer does in the viewer, in headless Chromium: an obstacle added and the path planned anew, a clash found and turned
 * away, counted in actions; all of it by the keyboard alone; and what axe finds, at three widths. Linking, an own robot and measuring
 * are counted in viewer-keep.test.ts and viewer-measure.test.ts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writePdb } from '../../src/io.js';
import { createTransform } from '../../src/math.js';
import { buildMolecule, buildPeptide, findClashes } from '../../src/molecule.js';
import { loadRobot, loadScene } from '../../src/node.js';
import {
  addObject,
  certifyPath,
  robotFramePlacement,
  type Scene,
  type SceneRobot,
  setConfiguration,
} from '../../src/scene.js';
import { createCell } from '../../src/tasks.js';
import { chromiumPath, needsChromium } from './browser.js';
import {
  countActions,
  cube,
  dropFiles,
  openTab,
  savePath,
  useViewer,
  waitForAnswers,
  waitForCertificate,
} from './viewer-page.js';

const example = (path: string): string => join(fileURLToPath(new URL('../../examples/', import.meta.url)), path);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(!chromiumPath)(`jobs in the viewer in Chromium${needsChromium}`, () => {
  const viewer = useViewer();
  const { openViewer } = viewer;

  it('adds an obstacle into the path, which is planned anew, in five actions', async () => {
    const page = await openViewer();
    const { scene, robot } = await loadArm();
    const at = middleOf(robot, await savePath(page));
    const actions = countActions();
    await actions.do(openTab(page, 'Scene'));
    await actions.do(page.getByRole('button', { name: 'Add sphere' }).click());
    for (const [name, metres] of [
      ['x', at[0]],
      ['y', at[1]],
      ['z', at[2]],
    ] as const) {
      await actions.do(type(page, name, 1000 * metres));
    }
    await waitForAnswers(page);
    await waitForCertificate(page);
    expect(actions.count).toBe(5);
    const radius = Number(await page.getByRole('spinbutton', { name: 'radius' }).inputValue()) / 1000;
    const placed = await Promise.all(['x', 'y', 'z'].map((name) => read(page, name)));
    addObject(scene, {
      name: 'sphere',
      shape: { type: 'sphere', radius },
      pose: [placed[0] / 1000, placed[1] / 1000, placed[2] / 1000, 0, 0, 0, 1],
    });
    expect(certifyPath(scene, robot, await savePath(page)).status).toBe('free');
  });

  it('finds a clash of a dropped protein and turns it away in three actions', async () => {
    const page = await openViewer();
    const { file, clashes } = tightHelix();
    const actions = countActions();
    await actions.do(dropFiles(page, { 'tight.pdb': file }));
    await page.locator('.title', { hasText: 'tight.pdb' }).waitFor();
    const verdict = page.locator('#protein-verdict');
    expect(await verdict.textContent()).toBe(`${clashes} clashes`);
    const worst = page.getByLabel('Clashing atoms').locator('button').first();
    const name = await worst.locator('.pair-name').textContent();
    await actions.do(worst.click());
    await actions.do(page.getByRole('button', { name: 'Turn away' }).click());
    const said = await page.locator('#turned-away').textContent();
    expect(said).toMatch(/^[φψωχ]\d? .* turned by -?\d+°: \d+ clash(es)? left\.$/);
    const left = Number(/(\d+) clash/.exec(said!)![1]);
    expect(left).toBeLessThan(clashes);
    expect(await verdict.textContent()).toBe(`${left} ${left === 1 ? 'clash' : 'clashes'}`);
    expect(await page.getByLabel('Clashing atoms').locator('.pair-name').allTextContents()).not.toContain(name);
    expect(actions.count).toBe(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await verdict.textContent()).toBe(`${clashes} clashes`);
  });

  it('does every job by the keyboard alone', async () => {
    const page = await openViewer();
    // A link.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page, 'share', 'Enter');
    await page.locator('#notice', { hasText: 'Link copied' }).waitFor();
    // An obstacle into the path.
    const { robot } = await loadArm();
    const at = middleOf(robot, await savePath(page));
    await chooseTab(page, 'scene');
    await press(page, 'add-sphere', 'Enter');
    for (const [k, axis] of ['x', 'y', 'z'].entries()) await enter(page, `object-${axis}`, 1000 * at[k]);
    await waitForAnswers(page);
    await waitForCertificate(page);
    // Distances of pairs.
    await chooseTab(page, 'measure');
    await enter(page, 'clearance-margin', 300);
    const nearest = await page.locator('#clearances .pair-name').first().textContent();
    expect(await page.locator('#verdict > summary').textContent()).toContain(nearest);
    // Robots, meshes and proteins by the button that opens files.
    await openByKeys(page, { 'a.stl': cube, 'b.stl': cube });
    await page.locator('#object option', { hasText: /^b$/ }).waitFor({ state: 'attached' });
    const { file, clashes } = tightHelix();
    await openByKeys(page, { 'tight.pdb': file });
    await page.locator('.title', { hasText: 'tight.pdb' }).waitFor();
    await tabTo(page, () => document.activeElement?.closest('.clash-list li') !== null);
    await page.keyboard.press('Enter');
    await press(page, 'turn-away', 'Enter');
    expect(Number.parseInt((await page.locator('#protein-verdict').textContent())!, 10)).toBeLessThan(clashes);
  });

  it('has nothing that axe finds, at three widths, in every tab, with a protein, in the gallery', async () => {
    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
      [390, 844],
    ]) {
      const page = await openViewer({ viewport: { width, height } });
      for (const name of ['Pose', 'Plan', 'Scene', 'Measure', 'View'] as const) {
        await openTab(page, name);
        expect(await violations(page), `${name} at ${width}`).toEqual([]);
      }
      await page.getByRole('button', { name: 'Examples' }).click();
      expect(await violations(page), `gallery at ${width}`).toEqual([]);
      await page.keyboard.press('Escape');
      await dropFiles(page, { 'tight.pdb': tightHelix().file });
      await page.locator('.title', { hasText: 'tight.pdb' }).waitFor();
      for (const name of ['Clashes', 'Turn', 'Run'] as const) {
        await openTab(page, name);
        expect(await violations(page), `${name} at ${width}`).toEqual([]);
      }
      await page.context().close();
    }
  });
});

/** Rules that are broken, and by what. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await checker.run();
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

async function loadArm(): Promise<{ scene: Scene; robot: SceneRobot }> {
  const { value: robot } = await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') });
  const { value: around } = await loadScene(example('scenes/table-shelf.json'));
  return createCell({ robot: robot!, around: around! });
}

/** Where the tool is halfway along a path: metres. */
function middleOf(robot: SceneRobot, path: readonly number[][]): [number, number, number] {
  const [a, b] = [path[Math.floor((path.length - 1) / 2)], path[Math.ceil((path.length - 1) / 2)]];
  setConfiguration(
    robot,
    a.map((from, i) => 0.5 * (from + b[i])),
  );
  const X = robotFramePlacement(createTransform(), robot, 'tool');
  return [X[9], X[10], X[11]];
}

/** A helix wound too tightly, without hydrogens. */
function tightHelix(): { file: Buffer; clashes: number } {
  const sequence = 'GSAEALKKAAELLKKGG';
  const degree = Math.PI / 180;
  const peptide = buildPeptide(
    sequence,
    Array.from(sequence, () => ({ phi: -40 * degree, psi: -20 * degree })),
  );
  return { file: Buffer.from(writePdb(peptide)), clashes: findClashes(buildMolecule(peptide)).clashes.length };
}

async function read(page: Page, name: string): Promise<number> {
  return Number(await page.getByRole('spinbutton', { name, exact: true }).inputValue());
}

async function type(page: Page, name: string, value: number): Promise<void> {
  const input = page.getByRole('spinbutton', { name, exact: true });
  await input.fill(value.toFixed(1));
  await input.press('Enter');
}

/** Tab by tab, as a keyboard goes, until what is focused holds. */
async function tabTo(page: Page, isThere: (id: string) => boolean, id = ''): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await page.evaluate(isThere, id)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not come to ${id || String(isThere)}`);
}

async function press(page: Page, id: string, key: string): Promise<void> {
  await tabTo(page, (wanted) => document.activeElement?.id === wanted, id);
  await page.keyboard.press(key);
}

async function enter(page: Page, id: string, value: number): Promise<void> {
  await tabTo(page, (wanted) => document.activeElement?.id === wanted, id);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(value.toFixed(1));
  await page.keyboard.press('Enter');
}

async function chooseTab(page: Page, id: string): Promise<void> {
  await tabTo(page, () => document.activeElement?.getAttribute('role') === 'tab');
  for (let i = 0; i < 6; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.id === wanted, `tab-${id}`)) return;
    await page.keyboard.press('ArrowRight');
  }
  throw new Error(`no tab ${id}`);
}

async function openByKeys(page: Page, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'open-files', 'Enter')]);
  await chooser.setFiles(
    Object.entries(files).map(([name, bytes]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    })),
  );
}
