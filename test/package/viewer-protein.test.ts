/**
 * Proteins in the viewer, in headless Chromium: clashes, torsions that are turned, boxes, Monte Carlo. What the page says is
 * compared with what the library, and the command line's own simulation, say here for the same files.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createChainTree } from '../../src/chain.js';
import { startSimulation } from '../../src/cli/fold/fold-settings.js';
import { parsePdb, writePdb } from '../../src/io.js';
import {
  addHydrogens,
  buildMolecule,
  buildPeptide,
  createObserver,
  createProteinChain,
  createProteinState,
  describeAtom,
  findClashes,
  toStructure,
} from '../../src/molecule.js';
import { chromiumPath, needsChromium } from './browser.js';
import { countColors, countDifferent, dropFiles, expectWhole, openTab, readDrawing, useViewer } from './viewer-page.js';

const triangle =
  'solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid part\n';

describe.skipIf(!chromiumPath)(`proteins in the viewer in Chromium${needsChromium}`, () => {
  const viewer = useViewer();
  const { openViewer } = viewer;

  it('shows a dropped protein with its clashes and the boxes of its ChainTree by level', async () => {
    const page = await openViewer();
    const sequence = 'GSAEALKKAAELLKKGG';
    const degree = Math.PI / 180;
    const build = (phi: number, psi: number) =>
      buildPeptide(
        sequence,
        Array.from(sequence, () => ({ phi: phi * degree, psi: psi * degree })),
      );
    await dropFiles(page, { 'helix.pdb': Buffer.from(writePdb(build(-57.8, -47))) });
    await page.locator('.title', { hasText: 'helix.pdb' }).waitFor();
    expect(await page.locator('#protein-verdict').textContent()).toBe('No clashes');
    expect(await page.getByRole('tab', { name: 'Scene' }).isVisible()).toBe(false);
    const calm = await countColors(page);
    expect(calm.red).toBe(0);
    expect(calm.blue).toBe(0);

    const tight = build(-40, -20);
    const molecule = buildMolecule(tight);
    const { clashes } = findClashes(molecule);
    expect(clashes.length).toBeGreaterThan(0);
    await dropFiles(page, { 'tight.pdb': Buffer.from(writePdb(tight)) });
    await page.locator('.title', { hasText: 'tight.pdb' }).waitFor();
    expect(await page.locator('#protein-verdict').textContent()).toBe(`${clashes.length} clashes`);
    const [deepest] = [...clashes].sort((x, y) => y.overlap - x.overlap);
    expect(await page.locator('#protein-chip .number').textContent()).toBe(`${deepest.overlap.toFixed(2)} Å`);
    expect(await page.locator('#protein-remark').textContent()).toMatch(
      new RegExp(`^${molecule.atomCount} atoms, heavy atoms only: .* compares with no published score$`),
    );
    await expectWhole(page, async () => {
      expect(await page.locator('#protein-verdict').textContent()).toBe(`${clashes.length} clashes`);
      expect((await countColors(page)).red).toBeGreaterThan(100);
    });
    const [worst] = [...clashes].sort((x, y) => y.overlap - x.overlap);
    expect(await page.getByLabel('Clashing atoms').locator('li').first().textContent()).toBe(
      `${describeAtom(molecule, worst.a)} – ${describeAtom(molecule, worst.b)}${worst.overlap.toFixed(2)} Å`,
    );
    expect((await countColors(page)).red).toBeGreaterThan(200);
    await page.locator('#protein-clashes').uncheck();
    expect((await countColors(page)).red).toBe(0);

    // Hydrogens that the file lacks, as the command line counts; then those of the file again.
    const complete = addHydrogens(molecule).molecule;
    const all = findClashes(complete).clashes.length;
    await page.locator('#protein-hydrogens').selectOption({ label: 'All, placed by geometry' });
    await page.locator('#protein-remark', { hasText: `${complete.atomCount} atoms` }).waitFor();
    expect(await page.locator('#protein-verdict').textContent()).toBe(`${all} clashes`);
    expect(await page.locator('#protein-model').isVisible()).toBe(false);
    const bare = (text: string): string => text.replace(/^END\s*$/m, '');
    const models = [build(-57.8, -47), tight].map((one, i) => `MODEL ${i + 1}\n${bare(writePdb(one))}ENDMDL\n`);
    await dropFiles(page, { 'two.pdb': Buffer.from(`${models.join('')}END\n`) });
    await page.locator('.title', { hasText: 'two.pdb' }).waitFor();
    expect(await page.locator('#protein-verdict').textContent()).toBe('No clashes');
    await page.locator('#protein-model').selectOption({ index: 1 });
    await page.locator('#protein-verdict', { hasText: `${clashes.length} clashes` }).waitFor();
    await page.locator('#protein-clashes').uncheck();

    const plain = await readDrawing(page);
    await page.getByLabel('Atoms', { exact: true }).check();
    expect(countDifferent(plain.pixels, (await readDrawing(page)).pixels)).toBeGreaterThan(5000);
    await page.getByLabel('Atoms', { exact: true }).uncheck();

    await page.getByLabel('ChainTree boxes').check();
    const level = page.getByLabel('Level', { exact: true });
    const { linkCount } = createProteinChain(molecule);
    const height = Math.ceil(Math.log2(linkCount));
    expect(await page.locator('#protein-level-text').textContent()).toBe(`Level 0 of ${height}: 1 box`);
    const one = (await countColors(page)).blue;
    expect(one).toBeGreaterThan(100);
    await level.focus();
    await page.keyboard.press('End');
    expect(await page.locator('#protein-level-text').textContent()).toBe(
      `Level ${height} of ${height}: ${linkCount} boxes`,
    );
    expect((await countColors(page)).blue).toBeGreaterThan(one);

    // What is no protein takes its place again, and a file without atoms is reported.
    await dropFiles(page, { 'part.stl': Buffer.from(triangle) });
    await page.locator('.title', { hasText: 'part' }).waitFor();
    expect(await page.locator('#protein-verdict').isVisible()).toBe(false);
    expect(await page.getByRole('tab', { name: 'Scene' }).isVisible()).toBe(true);
    await dropFiles(page, { 'empty.pdb': Buffer.from('END\n') });
    await page.locator('.issues .error').first().waitFor();
    expect(await page.locator('.issues .error').first().textContent()).toMatch(/empty\.pdb: error: /);
  });

  it('turns a torsion by the ring that is dragged, with the clashes that the library finds; turns are taken back', async () => {
    const page = await openViewer();
    const sequence = 'GSAEALKKAAELLKKGG';
    const file = writePdb(
      buildPeptide(
        sequence,
        Array.from(sequence, () => ({ phi: -1, psi: -0.8 })),
      ),
    );
    await dropFiles(page, { 'peptide.pdb': Buffer.from(file) });
    await page.locator('.title', { hasText: 'peptide.pdb' }).waitFor();
    const molecule = buildMolecule(parsePdb(Buffer.from(file)).value!);
    const protein = createProteinChain(molecule);
    const torsion = protein.torsions.findIndex(({ name, residue }) => name === 'psi' && residue === 8);
    const state = createProteinState(protein, createChainTree(protein.chain));
    const positions = molecule.positions.slice();
    const clashesAt = (degrees: number) => {
      state.stage(torsion, (degrees * Math.PI) / 180);
      state.apply();
      return findClashes({ ...molecule, positions: state.writePositions(positions) }).clashes;
    };
    const read = async (): Promise<number> => Number(await page.getByLabel('Angle in degrees').inputValue());
    const verdict = page.locator('#protein-verdict');
    const count = async (): Promise<number> => Number.parseInt((await verdict.textContent())!.replace('No', '0'), 10);

    // By keyboard alone.
    await openTab(page, 'Turn');
    await page.getByLabel('Residue', { exact: true }).selectOption({ label: 'A/ALA 9' });
    await page.getByLabel('Angle', { exact: true }).selectOption({ label: 'ψ' });
    const start = await read();
    expect(start).toBeCloseTo((protein.torsions[torsion].reference * 180) / Math.PI, 1);
    await page.getByLabel('Torsion angle').focus();
    await page.keyboard.press('ArrowRight');
    expect(await read()).toBe(Math.round(start) + 1);
    expect(await count()).toBe(clashesAt(await read()).length);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await read()).toBe(start);

    // By the ring: the clashes lie between those of the angles that are shown as the same.
    const ring = await findRing(page);
    await page.mouse.move(ring.x, ring.y);
    await page.mouse.down();
    for (let k = 1; k <= 24; k++) await page.mouse.move(ring.x + 5 * k, ring.y + 3 * k);
    const dragged = await read();
    expect(Math.abs(dragged - start)).toBeGreaterThan(20);
    expect(await page.locator('.torsion-label').textContent()).toBe(`ψ A/ALA 9 ${dragged.toFixed(1)}°`);
    const around = [dragged - 0.05, dragged, dragged + 0.05].map((degrees) => clashesAt(degrees).length);
    expect(await count()).toBeGreaterThanOrEqual(Math.min(...around));
    expect(await count()).toBeLessThanOrEqual(Math.max(...around));
    expect(await page.locator('#torsion-work').textContent()).toMatch(/^Last turn: \d+ boxes computed anew/);
    await page.keyboard.press('Escape');
    expect(await read()).toBe(start);
    await page.mouse.up();
    expect(await read()).toBe(start);
    expect(await page.getByRole('button', { name: 'Undo' }).isEnabled()).toBe(false);

    // By number: the same pairs with the same overlaps.
    const field = page.getByLabel('Angle in degrees');
    await field.fill('55');
    await field.press('Enter');
    const expected = clashesAt(55);
    expect(expected.length).toBeGreaterThan(0);
    expect(await count()).toBe(expected.length);
    const [worst] = [...expected].sort((x, y) => y.overlap - x.overlap);
    expect(await page.getByLabel('Clashing atoms').locator('li').first().textContent()).toBe(
      `${describeAtom(molecule, worst.a)} – ${describeAtom(molecule, worst.b)}${worst.overlap.toFixed(2)} Å`,
    );
    await page.getByRole('button', { name: 'Reset all' }).click();
    expect(await read()).toBe(start);
    expect(await count()).toBe(findClashes(molecule).clashes.length);

    // A click on the bond chooses its torsion and shows how it turns, one beside it chooses none.
    await openTab(page, 'Clashes');
    const label = (await page.locator('.torsion-label').boundingBox())!;
    const reach = (await findRing(page, true)).y;
    const bond = { x: label.x + label.width / 2, y: label.y + label.height + 6 };
    const middle = { x: bond.x, y: (bond.y + reach) / 2 };
    const canvas = (await page.locator('#stage canvas').boundingBox())!;
    await page.mouse.click(30, canvas.y + canvas.height / 2);
    expect(await page.locator('.torsion-label').isVisible()).toBe(false);
    await page.mouse.click(middle.x, middle.y);
    expect(await page.locator('.torsion-label').isVisible()).toBe(true);
    expect(await page.getByLabel('Angle in degrees').isVisible()).toBe(true);
  });

  it('runs Monte Carlo live, to the same bits as the command line', async () => {
    const page = await openViewer();
    const file = writePdb(buildPeptide('GSAEALKKAAELLKKGGW'));
    const path = join(viewer.folder, 'peptide.pdb');
    writeFileSync(path, file);
    await dropFiles(page, { 'peptide.pdb': Buffer.from(file) });
    await page.locator('.title', { hasText: 'peptide.pdb' }).waitFor();
    await openTab(page, 'Run');
    await page.getByLabel('Temperature').fill('450');
    await page.locator('#run-seed').fill('11');
    await page.getByLabel('Steps', { exact: true }).fill('12000');
    await page.getByLabel('Sample every').fill('2000');
    await page.getByLabel('pivot', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Start' }).click();
    const message = page.locator('#run-message');
    await page.locator('#run-start:enabled').waitFor();
    expect(await message.textContent()).toBe('Step 12,000 of 12,000');

    const { sampler, source, protein } = await startSimulation({
      input: { file: path, sha256: '' },
      model: 1,
      altloc: 'highest',
      chains: null,
      sideChains: 'chi',
      omega: false,
      disulfides: 'keep',
      seed: 11,
      temperature: 450,
      anneal: null,
      annealSteps: 12_000,
      moves: Object.fromEntries(
        ['torsion', 'torsions', 'crankshaft', 'local', 'chi', 'rotamer'].map((name) => [name, null]),
      ),
      energy: 'charmm19',
      cutoff: 9,
      dielectric: 4,
      hardCore: 1.2,
      replicas: 1,
      highest: 600,
      exchangeEvery: 1000,
    });
    const { current } = sampler;
    const observer = createObserver(current.conformation);
    const models = [protein.molecule.positions];
    while (current.step < 12_000) {
      await sampler.run(2000);
      observer.measure();
      models.push(observer.positions.slice());
    }
    expect(await page.locator('#run-energy').textContent()).toBe(current.energy.total.toFixed(2));
    expect(await page.locator('#run-extent').textContent()).toBe(observer.measure().radiusOfGyration.toFixed(2));
    const clashes = findClashes({ ...protein.molecule, positions: observer.positions }).clashes.length;
    expect(await page.locator('#run-clashes').textContent()).toBe(String(clashes));
    const moves = current.listMoves();
    const sum = (pick: (move: (typeof moves)[0]) => number) => moves.reduce((total, move) => total + pick(move), 0);
    const accepted = (100 * sum((move) => move.accepted)) / sum((move) => move.proposed);
    expect(await page.locator('#run-acceptance').textContent()).toBe(accepted.toFixed(1));
    expect(await page.locator('.run-plot canvas').count()).toBe(2);
    const options = { source, atoms: protein.atoms.slice().sort() };
    for (const [button, name, expected] of [
      [
        'Save structure',
        'peptide-last.pdb',
        writePdb(toStructure(protein.molecule, { ...options, models: models.slice(-1) })),
      ],
      ['Save trajectory', 'peptide-trajectory.pdb', writePdb(toStructure(protein.molecule, { ...options, models }))],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path(), 'utf8')).toBe(expected);
    }

    // The run can be undone, stopped, and refuses what cannot be.
    await page.getByRole('button', { name: 'Undo' }).click();
    const before = findClashes(protein.molecule).clashes.length;
    expect(await page.locator('#protein-verdict').textContent()).toMatch(new RegExp(`^${before || 'No'} clash`));
    await page.getByLabel('Steps', { exact: true }).fill('10000000');
    await page.getByRole('button', { name: 'Start' }).click();
    await message.filter({ hasText: /^Step \d/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await message.filter({ hasText: 'paused' }).waitFor();
    const paused = await message.textContent();
    expect(await page.getByLabel('Torsion angle').isDisabled()).toBe(true);
    expect(await message.textContent()).toBe(paused);
    await page.getByRole('button', { name: 'Resume' }).click();
    await message.filter({ hasNotText: 'paused' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('#run-start:enabled').waitFor();
    expect(await message.textContent()).toMatch(/^Step [\d,]+ of 10,000,000$/);
    for (const name of ['torsion', 'torsions', 'crankshaft', 'local', 'chi', 'rotamer'])
      await page.getByLabel(name, { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Start' }).click();
    expect(await page.locator('#run-message.failed').textContent()).toBe('Choose at least one kind of move');
  });
});

/** The uppermost (or lowest) amber pixel of the ring about a torsion's bond, in the page. */
async function findRing(page: Page, lowest = false): Promise<{ x: number; y: number }> {
  const { width, pixels } = await readDrawing(page);
  const found: number[] = [];
  for (let i = 0; i < pixels.length / 4; i++) {
    const [r, g, b] = pixels.subarray(4 * i, 4 * i + 3);
    if (r > 210 && g > 120 && g < 160 && b < 40) found.push(i);
  }
  const at = lowest ? found[found.length - 1] : found[0];
  const { x, y } = (await page.locator('#stage canvas').boundingBox())!;
  return { x: x + (at % width), y: y + Math.floor(at / width) };
}
