/**
 * Faults of our own that users met: names with quotes in CSV files (T23), files that other commands wrote (T29), continuous joints that drive
 * others (T54), robots of which nothing was read (T59). T14 is in src/ik/request-door.test.ts, src/trajectory/motion-curve.test.ts and
 * test/contract/misuse-doors.test.ts, T31 in attached-objects.test.ts.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { interpolateConfiguration, normalizeConfiguration } from '../../src/model/configuration.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { joint, robot } from '../models.js';
import { callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const arm = join(root, 'examples/arm/arm.urdf');
const srdf = join(root, 'examples/arm/arm.srdf');
const isBuilt = existsSync(join(root, 'dist/esm/cli.js'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-own-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isBuilt)(`files${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  const file = (name: string): string => join(folder, name);

  it('T23: a joint with a quote in its name is read back from CSV', () => {
    const urdf = file('quoted.urdf');
    const limit = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/>';
    const ball = '<collision><geometry><sphere radius="0.1"/></geometry></collision>';
    writeFileSync(
      urdf,
      `<robot name="r"><link name="a">${ball}</link><link name="b">${ball}</link><joint name="j&quot;1" type="revolute"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/>${limit}</joint></robot>`,
    );
    const planned = callCommandLine(['plan', urdf, '--start', '[0]', '--goal', '[0.5]', '--out', file('p.csv')]);
    expect(planned.status, planned.err).toBe(0);
    const timed = callCommandLine(['trajectory', urdf, '--path', file('p.csv'), '--acceleration', '1', '--json']);
    expect(timed.status, timed.err).toBe(0);
    const checked = callCommandLine(['check', urdf, '--states', file('p.csv'), '--json']);
    expect(checked.status, checked.err).toBe(0);
  });

  it('T29: what plan and trajectory write, and a bare list of lists, are states to check', () => {
    const path = file('path.json');
    const ends = ['--srdf', srdf, '--start', 'home', '--goal', 'ready'];
    const planned = callCommandLine(['plan', arm, ...ends, '--out', path]);
    expect(planned.status, planned.err).toBe(0);
    const list = file('list.json');
    const waypoints = JSON.parse(readFileSync(path, 'utf8'));
    const states = Array.isArray(waypoints) ? waypoints : waypoints.path;
    writeFileSync(list, JSON.stringify(states));
    for (const name of ['m.csv', 'm.json', 'm.mcap']) {
      const out = ['--path', path, '--acceleration', '1', '--out', file(name)];
      const timed = callCommandLine(['trajectory', arm, ...out]);
      expect(timed.status, `${name}: ${timed.err}`).toBe(0);
    }
    for (const name of ['path.json', 'list.json', 'm.csv', 'm.json', 'm.mcap']) {
      const checked = callCommandLine(['check', arm, '--srdf', srdf, '--states', file(name), '--json']);
      expect(checked.status, `${name}: ${checked.err}`).toBe(0);
    }
  });

  it('T59: where nothing is left of a robot there is no verdict', () => {
    writeFileSync(file('bare.urdf'), '<robot name="r"></robot>');
    const xmlns = 'xmlns:xacro="http://www.ros.org/wiki/xacro"';
    writeFileSync(
      file('macro.xacro'),
      `<robot name="r" ${xmlns}><xacro:macro name="m" params="p"><link name="\${p}"/></xacro:macro></robot>`,
    );
    for (const name of ['bare.urdf', 'macro.xacro']) {
      const { status, err } = callCommandLine(['check', file(name)]);
      expect(status, name).toBe(2);
      expect(err).toMatch(/no links/);
    }
  });
});

describe('continuous joints that drive others', () => {
  it.each([0.5, -1.5, 2])('T54: the follower (%f) is where it was, whatever is done to a state', (multiplier) => {
    const { model } = buildModel(
      robot([
        joint('a', 'continuous', 'base', 'la'),
        joint('b', 'continuous', 'la', 'lb', { mimic: { joint: 'a', multiplier, offset: 0 } }),
      ]),
    );
    const turnsOf = (q: Float64Array): number => (multiplier * q[0]) / (2 * Math.PI);
    const isSamePlace = (a: Float64Array, b: Float64Array): boolean =>
      Math.abs(turnsOf(a) - turnsOf(b) - Math.round(turnsOf(a) - turnsOf(b))) < 1e-9;
    const q = Float64Array.of(4);
    const normal = normalizeConfiguration(Float64Array.from(q), model, q);
    expect(isSamePlace(normal, q)).toBe(true);
    const space = createConfigurationSpace(model);
    const [a, b, m] = [Float64Array.of(-3), Float64Array.of(3), new Float64Array(1)];
    for (const end of [interpolateConfiguration(m.slice(), model, a, b, 1), space.interpolate(m.slice(), a, b, 1)])
      expect(isSamePlace(end, b)).toBe(true);
  });
});
