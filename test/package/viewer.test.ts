/**
 * The viewer in headless Chromium, under the policy that docs/deploy.md states: load, move, collide, drop, plan, play.
 * What the page says is compared with what the library says here for the same files.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createChainTree } from '../../src/chain.js';
import { startSimulation } from '../../src/cli/fold-settings.js';
import { parsePdb, writePdb, writeStl } from '../../src/io.js';
import { computeFrameJacobian, computeManipulability, createManipulability } from '../../src/kinematics.js';
import { createTransform } from '../../src/math.js';
import { buildModel, findFrame } from '../../src/model.js';
import {
  buildMolecule,
  buildPeptide,
  createProteinChain,
  describeAtom,
  findClashes,
  Observer,
  ProteinState,
  toStructure,
} from '../../src/molecule.js';
import { loadRobot, loadScene } from '../../src/node.js';
import {
  addObject,
  addRobot,
  checkScene,
  createScene,
  createShapeResolver,
  nearestPair,
  robotFramePlacement,
  type Scene,
  type SceneRobot,
  setConfiguration,
} from '../../src/scene.js';
import { chromiumPath, needsChromium } from './browser.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string): string => join(root, 'examples', path);
const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'";

/** A box of edge 1 in place, as a mesh of twelve triangles. */
const cube = writeStl({
  vertices: Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2])),
  triangles: Uint32Array.from([
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  ]),
});

/** A cube that slides past a post. Its meshes are named by package; rail and carriage are adjacent and not checked. */
const sliderUrdf = `<robot name="slider">
  <link name="rail"><visual><geometry><mesh filename="package://slider_description/meshes/Cube.STL"/></geometry></visual>
    <collision><geometry><mesh filename="package://slider_description/meshes/Cube.STL"/></geometry></collision></link>
  <link name="carriage"><collision><origin xyz="0.75 0 0"/><geometry><mesh filename="package://slider_description/meshes/Cube.STL"/></geometry></collision></link>
  <link name="post"><collision><origin xyz="0 0 1.5"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="carriage"/><origin xyz="0.5 0 0"/>
    <axis xyz="1 0 0"/><limit lower="-0.5" upper="1.5" velocity="1" effort="1"/></joint>
  <joint name="weld" type="fixed"><parent link="rail"/><child link="post"/></joint>
</robot>`;

describe.skipIf(!chromiumPath)(`viewer in Chromium${needsChromium}`, () => {
  const outDir = mkdtempSync(join(tmpdir(), 'clearance-viewer-'));
  let server: PreviewServer;
  let browser: Browser;
  let url: string;
  const errors: string[] = [];

  beforeAll(async () => {
    await build({ root: join(root, 'viewer'), logLevel: 'error', build: { outDir, emptyOutDir: true } });
    server = await preview({
      root: join(root, 'viewer'),
      logLevel: 'error',
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0, headers: { 'content-security-policy': policy } },
    });
    url = server.resolvedUrls!.local[0];
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [
        '--no-sandbox',
        '--use-gl=angle',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(outDir, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(errors.splice(0)).toEqual([]);
  });

  async function openViewer(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, ...options });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // The absent session is a 404 that Chromium logs as an error.
      if (message.type() === 'error' && !message.location().url.endsWith('api/session.json'))
        errors.push(message.text());
    });
    await page.goto(url);
    await waitForAnswers(page);
    return page;
  }

  /** The scene of the bundled arm, from the same files, by the library. */
  async function loadArm(): Promise<{ scene: Scene; robot: SceneRobot }> {
    const { value: files } = await loadRobot(example('arm/arm.urdf'), { srdf: example('arm/arm.srdf') });
    const { value: content } = await loadScene(example('scenes/table-shelf.json'));
    const scene = createScene();
    const { model } = buildModel(files!.description.model);
    const robot = addRobot(scene, { model, ...files! });
    const resolver = createShapeResolver(content!.meshes);
    for (const { name, shape, pose } of content!.description.objects)
      addObject(scene, { name, shape: resolver.resolve(shape)!, pose });
    return { scene, robot };
  }

  it('shows the bundled arm, checked, with the nearest pair that the library names', async () => {
    const page = await openViewer();
    const { scene, robot } = await loadArm();
    setConfiguration(robot, [0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    const nearest = nearestPair(scene)!;
    expect(await page.locator('h1').textContent()).toBe('Clearance');
    expect(await page.locator('.verdict').textContent()).toBe('Free');
    expect(await readFacts(page)).toMatchObject({
      'Nearest pair': `${nearest.a} – ${nearest.b}`,
      Distance: `${(1000 * nearest.distance).toFixed(2)} mm`,
    });
    expect(await page.locator('.distance-label').first().textContent()).toBe(
      `${(1000 * nearest.distance).toFixed(2)} mm`,
    );
    expect(await page.locator('#check-time').textContent()).toMatch(/^\d+(\.\d)? (µs|ms)$/);
    // Seven joints and one finger; the other finger follows it.
    expect(await page.locator('.joint input[type=range]').count()).toBe(8);
    expect(await page.locator('.joint.mimic').textContent()).toMatch(/finger_right_slide0.0follows finger_left_slide/);
    expect((await countColors(page)).red).toBe(0);
  });

  it('turns links red when a slider brings them into contact, as the library does', async () => {
    const page = await openViewer();
    const slider = page.getByRole('slider', { name: 'joint_2' });
    await slider.focus();
    for (let i = 0; i < 400 && !(await page.locator('.verdict.touching').count()); i++)
      await page.keyboard.press('PageUp');
    expect(await page.locator('.verdict').textContent()).toMatch(/^\d+ contacts?$/);
    const { scene, robot } = await loadArm();
    const q = Float64Array.from([0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    q[1] = Number(await slider.inputValue());
    setConfiguration(robot, q);
    const expected = checkScene(scene, { all: true }).contacts.map(({ a, b }) => `${a} – ${b}`);
    expect(expected.length).toBeGreaterThan(0);
    expect(await page.locator('.pairs .pair-name').allTextContents()).toEqual(expected);
    expect((await countColors(page)).red).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'Neutral' }).click();
    expect(await page.locator('.verdict').textContent()).toBe('Free');
    expect((await countColors(page)).red).toBe(0);
  });

  it('keeps typed values within the joint limits and refuses what is no number', async () => {
    const page = await openViewer();
    const field = page.getByRole('spinbutton', { name: 'joint_4' });
    await field.fill('-500');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('-120.0');
    await field.fill('');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('-120.0');
    await page.getByLabel('Unit of angles').selectOption({ label: 'radians' });
    expect(await page.getByRole('spinbutton', { name: 'joint_4' }).inputValue()).toBe('-2.094');
  });

  it('switches between visual and collision geometry', async () => {
    const page = await openViewer();
    const before = await countColors(page);
    expect(before.teal).toBe(0);
    await page.getByLabel('Visual geometry').uncheck();
    await page.getByLabel('Collision geometry').check();
    const after = await countColors(page);
    expect(after.teal).toBeGreaterThan(1000);
    expect(after.orange).toBeLessThan(before.orange);
  });

  it('plans between two stored configurations and plays the path to its end without a contact', async () => {
    const page = await openViewer();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('#path-summary').waitFor({ timeout: 60_000 });
    expect(await page.locator('#plan-message').textContent()).toMatch(/^Solved in [\d.]+ m?s, \d+ checks$/);
    expect(await page.locator('#path-summary').textContent()).toMatch(/^\d+ waypoints, length \d/);
    await page.getByLabel('Speed').selectOption({ label: '4×' });
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    let seen = 0;
    while (await page.getByRole('button', { name: 'Pause' }).count()) {
      expect(await page.locator('.verdict').textContent()).toBe('Free');
      seen++;
    }
    expect(seen).toBeGreaterThan(0);
    expect(Number(await page.getByLabel('Position along the path').inputValue())).toBe(1);
    const [{ goal }] = readFileSync(example('scenes/problems.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (let i = 0; i < 7; i++) {
      const degrees = (goal[i] * 180) / Math.PI;
      expect(await page.getByRole('spinbutton', { name: `joint_${i + 1}` }).inputValue()).toBe(degrees.toFixed(1));
    }
  });

  it('the arm follows the tool that is dragged: straight up, turned as before', async () => {
    const page = await openViewer();
    const { robot } = await loadArm();
    const before = await placeTool(page, robot);
    await page.getByRole('button', { name: 'Move tool' }).click();
    const [arrow] = await findArrows(page);
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    for (let k = 1; k <= 10; k++) await page.mouse.move(arrow.x, arrow.y - 5 * k);
    await page.mouse.up();
    expect(await page.locator('#tool-message').textContent()).toBe('The arm follows.');
    const after = await placeTool(page, robot);
    // Joint values are read to a tenth of a degree.
    expect(after[11] - before[11]).toBeGreaterThan(0.04);
    for (const i of [9, 10]) expect(Math.abs(after[i] - before[i])).toBeLessThan(4e-3);
    for (let i = 0; i < 9; i++) expect(Math.abs(after[i] - before[i])).toBeLessThan(8e-3);

    // Far beyond its reach: the arm stretches as far as it goes, and says so.
    const [higher] = await findArrows(page);
    await page.mouse.move(higher.x, higher.y);
    await page.mouse.down();
    for (let k = 1; k <= 30; k++) await page.mouse.move(higher.x, Math.max(higher.y - 12 * k, 2));
    await page.mouse.up();
    expect(await page.locator('#tool-message').textContent()).toMatch(/^Out of reach/);
    const stretched = await placeTool(page, robot);
    expect(stretched[11]).toBeGreaterThan(after[11]);
    for (const i of [9, 10]) expect(Math.abs(stretched[i] - before[i])).toBeLessThan(6e-3);
    await page.getByRole('button', { name: 'Move tool' }).click();
    expect(await findArrows(page)).toEqual([]);
  });

  it('measures the tool as the library does, and draws ellipsoid, centre of mass and limits', async () => {
    const page = await openViewer();
    const { robot } = await loadArm();
    setConfiguration(robot, [0, 0, 0, -1.8, 0, 1.341593, 0, 0]);
    robotFramePlacement(createTransform(), robot, 'tool');
    const { model, data } = robot;
    const J = new Float64Array(6 * model.nv);
    computeFrameJacobian(J, model, data, findFrame(model, 'tool', 'link'), 'local-world-aligned');
    const { measure, conditionNumber } = computeManipulability(createManipulability(model.nv, 'linear'), J);
    expect(await page.locator('#manipulability').textContent()).toBe(measure.toPrecision(3));
    expect(await page.locator('#condition').textContent()).toBe(conditionNumber.toFixed(1));
    await page.getByLabel('Nearest pair').uncheck();
    const plain = await countColors(page);
    for (const [layer, color] of [
      ['Manipulability', 'violet'],
      ['Centre of mass', 'orange'],
      ['Joint limits', 'blue'],
    ] as const) {
      await page.getByLabel(layer).check();
      const drawn = await countColors(page);
      expect(drawn[color], layer).toBeGreaterThan(plain[color] + 60);
      await page.getByLabel(layer).uncheck();
      expect(await countColors(page), layer).toEqual(plain);
    }
    // At a limit the arc turns amber.
    const showLimits = async (): Promise<number> => {
      const bare = await readDrawing(page);
      await page.getByLabel('Joint limits').check();
      const count = countWarmer(bare.pixels, (await readDrawing(page)).pixels);
      await page.getByLabel('Joint limits').uncheck();
      return count;
    };
    // The closed fingers are at theirs from the start.
    const fingers = await showLimits();
    const field = page.getByRole('spinbutton', { name: 'joint_1' });
    await field.fill('500');
    await field.press('Enter');
    expect(await showLimits()).toBeGreaterThan(fingers + 60);
  });

  it('says why a start cannot be planned from', async () => {
    const page = await openViewer();
    const field = page.getByRole('spinbutton', { name: 'joint_2' });
    await field.fill('100');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Store current' }).click();
    await page.getByLabel('Start', { exact: true }).selectOption({ label: 'Stored 1' });
    await page.getByLabel('Goal', { exact: true }).selectOption({ label: 'home' });
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('#plan-message.failed').waitFor();
    expect(await page.locator('#plan-message').textContent()).toMatch(/^Invalid start: .*(link_|hand|finger).*table/);
  });

  it('loads a dropped zip whose URDF names its meshes by package', async () => {
    const page = await openViewer();
    const zip = zipSync({
      'slider_description/urdf/slider.urdf': new TextEncoder().encode(sliderUrdf),
      'slider_description/meshes/cube.stl': cube,
    });
    await dropFiles(page, { 'slider.zip': zip });
    await page.locator('.title', { hasText: 'slider' }).waitFor();
    await waitForAnswers(page);
    // Carriage from x = 1.25 on, post a ball of 0.1 at z = 1.5 over the corner at (0, 0): apart by the diagonal.
    const apart = Math.hypot(1.25, 0.5) - 0.1;
    expect(await readFacts(page)).toMatchObject({
      'Nearest pair': 'carriage – post',
      Distance: `${apart.toFixed(3)} m`,
    });
    expect(await page.locator('.joint input[type=range]').count()).toBe(1);
    expect(await page.locator('.issues .error').count()).toBe(0);
  });

  it('expands a dropped xacro with what it includes', async () => {
    const page = await openViewer();
    const text = (content: string): Uint8Array => new TextEncoder().encode(content);
    const zip = zipSync({
      'cart_description/urdf/cart.urdf.xacro': text(`<robot name="cart" xmlns:xacro="http://www.ros.org/wiki/xacro">
        <xacro:include filename="$(find cart_description)/urdf/parts.xacro"/>
        <xacro:property name="gap" value="\${2 * 0.25}"/>
        <xacro:ball name="left" y="0"/><xacro:ball name="middle" y="5"/><xacro:ball name="right" y="\${0.2 + gap}"/>
        <joint name="a" type="fixed"><parent link="left"/><child link="middle"/></joint>
        <joint name="b" type="prismatic"><parent link="middle"/><child link="right"/><axis xyz="0 1 0"/>
          <limit lower="0" upper="1" velocity="1" effort="1"/></joint>
      </robot>`),
      'cart_description/urdf/parts.xacro': text(`<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
        <xacro:macro name="ball" params="name y"><link name="\${name}"><collision><origin xyz="0 \${y} 0"/>
          <geometry><sphere radius="0.1"/></geometry></collision></link></xacro:macro></robot>`),
    });
    await dropFiles(page, { 'cart.zip': zip });
    await page.locator('.title', { hasText: 'cart' }).waitFor();
    // The middle ball is welded to the left one, so the right one is adjacent to both and only its slider is left.
    expect(await page.getByRole('slider', { name: 'b', exact: true }).count()).toBe(1);
    expect(await page.locator('.issues .error').allTextContents()).toEqual([]);
    expect(await page.getByLabel('Collision geometry').isChecked()).toBe(true);
  });

  it('loads a picked folder and says which mesh is missing', async () => {
    const page = await openViewer();
    await page.locator('#folder-input').setInputFiles(example('arm'));
    await page.locator('.title', { hasText: 'arm7' }).waitFor();
    await waitForAnswers(page);
    expect(await page.locator('.joint input[type=range]').count()).toBe(8);
    expect(await page.locator('.issues .error').count()).toBe(0);
    await page
      .locator('#file-input')
      .setInputFiles([{ name: 'slider.urdf', mimeType: 'text/xml', buffer: Buffer.from(sliderUrdf) }]);
    await page.locator('.title', { hasText: 'slider' }).waitFor();
    expect(await page.locator('.issues .error').allTextContents()).toEqual([
      expect.stringMatching(/Cube\.STL.* is not among the files; add it/),
    ]);
  });

  it('takes dropped meshes as objects that can be moved by numbers', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'a.stl': cube, 'b.stl': cube });
    await page.locator('.title', { hasText: 'a' }).waitFor();
    expect(await page.locator('.verdict').textContent()).toBe('1 contact');
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'b' });
    const x = page.getByRole('spinbutton', { name: 'x', exact: true });
    await x.fill('1250');
    await x.press('Enter');
    expect(await page.locator('.verdict').textContent()).toBe('Free');
    expect(await readFacts(page)).toMatchObject({ 'Nearest pair': 'a – b', Distance: '250.0 mm' });
  });

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
    expect(await page.getByText('Joint limits').isVisible()).toBe(false);
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
    expect(await page.locator('#protein-remark').textContent()).toMatch(
      new RegExp(`^${molecule.atomCount} atoms, heavy atoms only: .* compares with no published score$`),
    );
    const [worst] = [...clashes].sort((x, y) => y.overlap - x.overlap);
    expect(await page.getByLabel('Clashing atoms').locator('li').first().textContent()).toBe(
      `${describeAtom(molecule, worst.a)} – ${describeAtom(molecule, worst.b)}${worst.overlap.toFixed(2)} Å`,
    );
    expect((await countColors(page)).red).toBeGreaterThan(200);
    await page.getByLabel('Clashes', { exact: true }).uncheck();
    expect((await countColors(page)).red).toBe(0);

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
    await dropFiles(page, { 'part.stl': cube });
    await page.locator('.title', { hasText: 'part' }).waitFor();
    expect(await page.locator('#protein-verdict').isVisible()).toBe(false);
    expect(await page.getByText('Joint limits').isVisible()).toBe(true);
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
    const state = new ProteinState(protein, createChainTree(protein.chain));
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

    // A click on the bond chooses its torsion, one beside it none.
    const label = (await page.locator('.torsion-label').boundingBox())!;
    const reach = (await findRing(page, true)).y;
    const bond = { x: label.x + label.width / 2, y: label.y + label.height + 6 };
    const middle = { x: bond.x, y: (bond.y + reach) / 2 };
    await page.mouse.click(30, (await page.locator('#stage canvas').boundingBox())!.y + 30);
    expect(await page.locator('.torsion-label').isVisible()).toBe(false);
    await page.mouse.click(middle.x, middle.y);
    expect(await page.locator('.torsion-label').isVisible()).toBe(true);
  });

  it('runs Monte Carlo live, to the same bits as the command line', async () => {
    const page = await openViewer();
    const file = writePdb(buildPeptide('GSAEALKKAAELLKKGGW'));
    const path = join(outDir, 'peptide.pdb');
    writeFileSync(path, file);
    await dropFiles(page, { 'peptide.pdb': Buffer.from(file) });
    await page.locator('.title', { hasText: 'peptide.pdb' }).waitFor();
    await page.getByLabel('Temperature').fill('450');
    await page.getByLabel('Seed').fill('11');
    await page.getByLabel('Steps', { exact: true }).fill('12000');
    await page.getByLabel('Sample every').fill('2000');
    await page.getByLabel('pivot', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const message = page.locator('#run-message');
    await message.filter({ hasText: 'paused' }).waitFor();
    expect(await page.getByLabel('Torsion angle').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Resume' }).click();
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
    const observer = new Observer(current.conformation);
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
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('#run-start:enabled').waitFor();
    expect(await message.textContent()).toMatch(/^Step [\d,]+ of 10,000,000$/);
    for (const name of ['torsion', 'torsions', 'crankshaft', 'local', 'chi', 'rotamer'])
      await page.getByLabel(name, { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Start' }).click();
    expect(await page.locator('#run-message.failed').textContent()).toBe('Choose at least one kind of move');
  });

  it('plays a dropped path, and says when one does not fit the robot', async () => {
    const page = await openViewer();
    const path = [
      [0, 0, 0, 0, 0, 0, 0, 0],
      [0.5, 0, 0, 0, 0, 0, 0, 0],
    ];
    await dropFiles(page, { 'path.json': Buffer.from(JSON.stringify({ status: 'solved', path })) });
    await page.locator('#path-summary', { hasText: '2 waypoints' }).waitFor();
    const position = page.getByLabel('Position along the path');
    await position.focus();
    await page.keyboard.press('End');
    expect(await page.getByRole('spinbutton', { name: 'joint_1' }).inputValue()).toBe(
      ((0.5 * 180) / Math.PI).toFixed(1),
    );
    await dropFiles(page, { 'short.json': Buffer.from('[[0,0],[1,1]]') });
    await page.locator('#plan-message.failed').waitFor();
    expect(await page.locator('#plan-message').textContent()).toMatch(
      /does not fit the robot: .*got 2 numbers, expected 8/,
    );
  });

  it('reports a broken robot with line and remedy and goes on', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'broken.urdf': Buffer.from('<robot name="x">\n<link name="a">\n</robot>') });
    await page.locator('.issues .error').first().waitFor();
    expect(await page.locator('.issues .error').first().textContent()).toMatch(/broken\.urdf:\d+: error: /);
    await page.getByLabel('Example').selectOption({ label: 'Bearing assembly' });
    await page.locator('.title', { hasText: 'Bearing assembly' }).waitFor();
    await waitForAnswers(page);
    expect(await page.locator('.pairs .pair-name').allTextContents()).toEqual(['housing – cover']);
    expect(await page.locator('.pairs .number').allTextContents()).toEqual(['≤ 0.50 mm']);
  });

  it('shows what the session of its server names', async () => {
    const context = await browser.newContext({ viewport: { width: 1000, height: 640 } });
    await context.route('**/api/session.json', (route) =>
      route.fulfill({
        json: {
          title: 'served',
          robot: {
            urdf: 'files/0/slider.urdf',
            meshes: { 'package://slider_description/meshes/Cube.STL': 'files/1/cube.stl' },
          },
          scene: { file: 'files/2/scene.json', meshes: { 'part.stl': 'files/1/cube.stl' } },
          q: { slide: 0.5 },
        },
      }),
    );
    await context.route('**/files/0/slider.urdf', (route) => route.fulfill({ body: sliderUrdf }));
    await context.route('**/files/1/cube.stl', (route) => route.fulfill({ body: Buffer.from(cube) }));
    const scene = {
      version: 1,
      objects: [{ name: 'part', shape: { type: 'mesh', file: 'part.stl' }, pose: [3, 0, 0, 0, 0, 0, 1] }],
    };
    await context.route('**/files/2/scene.json', (route) => route.fulfill({ json: scene }));
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(url);
    await page.locator('.title', { hasText: 'served' }).waitFor();
    // Carriage from 0.5 + 0.5 + 0.75 to 2.75; the part begins at 3.
    expect(await readFacts(page)).toMatchObject({ 'Nearest pair': 'carriage – part', Distance: '250.0 mm' });
    expect(await page.getByRole('spinbutton', { name: 'slide' }).inputValue()).toBe('500.0');
  });

  it.each([
    { width: 1280, height: 800, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'dark' },
  ] as const)(
    'fits $width x $height ($colorScheme), names every control, shows the focus',
    async ({ width, height, colorScheme }) => {
      const page = await openViewer({ viewport: { width, height }, colorScheme });
      const layout = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - window.innerWidth,
        stage: document.querySelector('#stage canvas')!.getBoundingClientRect().toJSON() as DOMRect,
        background: getComputedStyle(document.body).backgroundColor,
      }));
      expect(layout.overflow).toBeLessThanOrEqual(0);
      expect(layout.stage.width).toBeGreaterThan(0.65 * width);
      expect(layout.stage.height).toBeGreaterThan(0.35 * height);
      expect(layout.background).toBe(colorScheme === 'dark' ? 'rgb(31, 34, 38)' : 'rgb(255, 255, 255)');
      const unnamed = await page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLInputElement>('button, select, input:not([tabindex="-1"])'))
          .filter(
            (control) => !control.getAttribute('aria-label') && !control.labels?.length && !control.textContent?.trim(),
          )
          .map((control) => control.outerHTML),
      );
      expect(unnamed).toEqual([]);
      const reached = await tabThrough(page, 60);
      expect(reached.filter(({ outline }) => outline === 'none')).toEqual([]);
      for (const what of [
        'example',
        'open-files',
        'frame-view',
        'CANVAS',
        'joint-0',
        'joint-0-slider',
        'plan',
        'layer-visual',
      ])
        expect(
          reached.map(({ control }) => control),
          what,
        ).toContain(what);
    },
  );
});

async function waitForAnswers(page: Page): Promise<void> {
  await page.locator('#check-time').filter({ hasText: 's' }).waitFor({ timeout: 60_000 });
}

/** What gets the focus by the Tab key, by id or name, and the outline it then has. */
async function tabThrough(page: Page, times: number): Promise<{ control: string; outline: string }[]> {
  await page.evaluate(() => {
    const reached: { control: string; outline: string }[] = [];
    Object.assign(window, { reached });
    document.addEventListener('focusin', ({ target }) => {
      const control = target as HTMLElement;
      const name = control.id || control.textContent?.trim() || control.tagName;
      reached.push({ control: name, outline: getComputedStyle(control).outlineStyle });
    });
  });
  for (let i = 0; i < times; i++) await page.keyboard.press('Tab');
  return page.evaluate(() => (window as unknown as { reached: { control: string; outline: string }[] }).reached);
}

async function readFacts(page: Page): Promise<Record<string, string>> {
  const names = await page.locator('.facts dt').allTextContents();
  const values = await page.locator('.facts dd').allTextContents();
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

async function dropFiles(page: Page, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const encoded = Object.entries(files).map(([name, bytes]) => ({
    name,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, encoded);
}

/** X_W of the tool for the joint values that the page shows. */
async function placeTool(page: Page, robot: SceneRobot): Promise<Float64Array> {
  const q = new Float64Array(8);
  for (let i = 0; i < 7; i++) {
    const text = await page.getByRole('spinbutton', { name: `joint_${i + 1}` }).inputValue();
    q[i] = (Number(text) * Math.PI) / 180;
  }
  setConfiguration(robot, q);
  return robotFramePlacement(createTransform(), robot, 'tool');
}

/** Middles of the pure blue arrows of the handles in the page, the upper one first. */
async function findArrows(page: Page): Promise<{ x: number; y: number }[]> {
  const { width, pixels } = await readDrawing(page);
  const found: [number, number][] = [];
  for (let i = 0; i < pixels.length / 4; i++) {
    const [r, g, b] = pixels.subarray(4 * i, 4 * i + 3);
    if (r < 25 && g < 25 && b > 220) found.push([i % width, Math.floor(i / width)]);
  }
  const { x, y } = (await page.locator('#stage canvas').boundingBox())!;
  const rows = found.map(([, row]) => row);
  const top = Math.min(...rows);
  // The upper arrow's head.
  const head = found.filter(([, row]) => row < top + 10);
  if (head.length === 0) return [];
  const mean = (k: number): number => head.reduce((sum, at) => sum + at[k], 0) / head.length;
  return [{ x: x + mean(0), y: y + mean(1) }];
}

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

/** The drawing without what lies over it, RGBA. */
async function readDrawing(page: Page): Promise<{ width: number; pixels: Buffer }> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const setLabels = (opacity: string): Promise<void> =>
    page.locator('.distance-label').evaluateAll((nodes, value) => {
      for (const node of nodes) (node as HTMLElement).style.opacity = value;
    }, opacity);
  await setLabels('0');
  const { x, y, width, height } = (await page.locator('#stage canvas').boundingBox())!;
  const png = await page.screenshot({ clip: { x, y, width, height } });
  await setLabels('');
  const drawing = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let text = '';
    for (let i = 0; i < data.length; i += 4096) text += String.fromCharCode(...data.subarray(i, i + 4096));
    return { width: canvas.width, text: btoa(text) };
  }, png.toString('base64'));
  return { width: drawing.width, pixels: Buffer.from(drawing.text, 'base64') };
}

/** Pixels that differ between two drawings of the same size. */
function countDifferent(a: Buffer, b: Buffer): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) count++;
  return count;
}

/** Red: contact. Teal: collision geometry. Orange: the arm's hand, the centre of mass, limits that are near. Blue, violet: limits, ellipsoid. */
type Kind = 'red' | 'teal' | 'orange' | 'blue' | 'violet';

/** Pixels of the drawing by kind. */
/** Pixels that something amber was laid over: red gains on blue, which nothing blue or grey does. */
function countWarmer(before: Buffer, after: Buffer): number {
  let count = 0;
  for (let i = 0; i < before.length; i += 4) if (after[i] - after[i + 2] > before[i] - before[i + 2] + 60) count++;
  return count;
}

async function countColors(page: Page): Promise<Record<Kind, number>> {
  const { pixels } = await readDrawing(page);
  const counts = { red: 0, teal: 0, orange: 0, blue: 0, violet: 0 };
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b] = pixels.subarray(i, i + 3);
    if (r > 110 && g < 0.33 * r && b < 0.33 * r) counts.red++;
    else if (g > 60 && r < 0.8 * g && b > 0.75 * g && b < 1.15 * g) counts.teal++;
    else if (r > 150 && g > 0.4 * r && g < 0.75 * r && b < 0.4 * r) counts.orange++;
    else if (b > 130 && r < 0.45 * b && g < 0.75 * b) counts.blue++;
    else if (b > g + 25 && r > g + 4) counts.violet++;
  }
  return counts;
}
