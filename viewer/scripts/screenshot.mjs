/**
 * Takes the pictures of README and docs with the built viewer in headless Chromium: the arm on its way around the shelf; a
 * fleet; a puzzle's bar on its way, with the balls that prove it; a gearbox apart; a peptide whose torsion is turned until it
 * clashes, with boxes of its ChainTree; the same peptide in a Monte Carlo run.
 *
 *   npm run build && node viewer/scripts/screenshot.mjs [FOLDER]
 *
 * CHROMIUM_PATH names the browser when it is not /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { writePdb } from '../../dist/esm/io.js';
import { buildPeptide } from '../../dist/esm/molecule.js';

const folder = process.argv[2] ?? fileURLToPath(new URL('../../docs/images', import.meta.url));
const server = spawn(process.execPath, [fileURLToPath(new URL('../../dist/esm/cli.js', import.meta.url)), 'view'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let url = '';
for await (const line of createInterface(server.stdout)) {
  url = /http:\S+/.exec(line)?.[0] ?? '';
  if (url) break;
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic'],
});

async function openPage() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  await page.locator('#verdict').waitFor();
  return page;
}

async function save(page, name) {
  await page.waitForTimeout(800);
  const path = join(folder, name);
  await page.screenshot({ path });
  console.log(path);
}

/** The planned path, stopped near its tightest place. */
async function showArm() {
  const page = await openPage();
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.locator('#plan-proof', { hasText: 'Certified' }).waitFor();
  const play = page.locator('#play');
  if ((await play.textContent()) === 'Pause') await play.click();
  await page.locator('#path-position').evaluate((slider) => {
    slider.value = String(Number(slider.max) * 0.247);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await save(page, 'viewer.png');
  await page.close();
}

async function showFleet() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${url}fleet.html`);
  await page.locator('#fleet-words', { hasText: 'not proven apart' }).waitFor();
  await page.locator('#fleet-heat').check();
  await page.waitForTimeout(6000);
  await save(page, 'fleet.png');
  await page.close();
}

/** Two helices joined by a turn. */
function buildHairpin() {
  const sequence = 'GSEELLKKALELLKRGGSPEELLKRALELAKKG';
  const turn = [
    [-90, 0],
    [60, 40],
    [-80, 120],
    [-100, -20],
  ];
  const radians = (degrees) => (degrees * Math.PI) / 180;
  return buildPeptide(
    sequence,
    Array.from(sequence, (_, i) => {
      const [phi, psi] = turn[i - 14] ?? [-60, -45];
      return { phi: radians(phi), psi: radians(psi) };
    }),
  );
}

async function showProtein() {
  const page = await openPage();
  const buffer = Buffer.from(writePdb(buildHairpin()));
  await page.locator('#file-input').setInputFiles([{ name: 'hairpin.pdb', mimeType: 'chemical/x-pdb', buffer }]);
  await page.locator('#protein-verdict').waitFor();
  await page.getByRole('tab', { name: 'Turn' }).click();
  await page.getByLabel('Residue', { exact: true }).selectOption({ label: 'A/GLY 17' });
  await page.getByLabel('Angle', { exact: true }).selectOption({ label: 'ψ' });
  const field = page.getByLabel('Angle in degrees');
  await field.fill('168');
  await field.press('Enter');
  await page.getByRole('tab', { name: 'Clashes' }).click();
  await page.getByLabel('ChainTree boxes').check();
  await page.locator('#protein-level').fill('3');
  await page.locator('#frame-view').click();
  await page.locator('#frame-view').blur();
  await save(page, 'protein.png');

  await page.getByLabel('ChainTree boxes').uncheck();
  await page.getByRole('tab', { name: 'Turn' }).click();
  await page.getByRole('button', { name: 'Reset all' }).click();
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.locator('#frame-view').click();
  await page.getByLabel('Temperature').fill('350');
  await page.getByLabel('Steps', { exact: true }).fill('1000000');
  await page.getByLabel('Sample every').fill('200');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('#run-message', { hasText: /^Step [4-9]\d,|^Step \d{3},/ }).waitFor({ timeout: 120_000 });
  await page.locator('#panel').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
  await save(page, 'monte-carlo.png');
  await page.close();
}

async function showParts() {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce' });
  const slide = (id, value) =>
    page.locator(id).evaluate((slider, to) => {
      slider.value = to;
      slider.dispatchEvent(new Event('input'));
    }, value);
  const open = async (example) => {
    await page.goto(`${url}rigid.html?example=${example}`);
    await page.waitForFunction(() => document.getElementById('rigid-contact').dataset.distance);
  };
  await open('keyhole');
  await page.locator('#rigid-take-out').click();
  await page.waitForFunction(() => document.getElementById('rigid-way').dataset.pose);
  await slide('#rigid-time', '0.52');
  await save(page, 'rigid-part.png');
  await open('gearbox');
  await page.locator('#rigid-sequence').click();
  await page.waitForFunction(() => document.getElementById('rigid-sequence-words').dataset.status);
  await slide('#rigid-explode', '1');
  await save(page, 'rigid-sequence.png');
  await page.close();
}

try {
  await showParts();
  await showArm();
  await showFleet();
  await showProtein();
} finally {
  await browser.close();
  server.kill();
}
