/** Inertias that no body has, in a file: told with link and rule by every command, and in the answers that depend on them. */
import { expect, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';
import { makeFolder } from '../support/temporary-folder.js';

const robot = (inertial: string): string => `<robot name="r"><link name="base"/><link name="arm">${inertial}
  <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
  <limit lower="-2" upper="2" effort="9" velocity="1"/></joint></robot>`;
const inertia = (ixx: number, ixy: number, iyy: number, izz: number): string =>
  `<inertial><mass value="1"/><inertia ixx="${ixx}" ixy="${ixy}" ixz="0" iyy="${iyy}" iyz="0" izz="${izz}"/></inertial>`;

const cases = [
  ['ixx 0.01, iyy = izz = 0.001', inertia(0.01, 0, 0.001, 0.001), /triangle inequality/],
  ['iyy = -0.001', inertia(0.001, 0, -0.001, 0.001), /its iyy = -0.001 is negative/],
  ['ixx = iyy = 0.01, ixy = 0.1', inertia(0.01, 0.1, 0.01, 0.01), /not all positive/],
] as const;

const ask = (folder: string, ...args: readonly string[]) => callCommandLine(args, { cwd: folder });

it.each(cases)('%s', (_name, text, rule) => {
  const folder = makeFolder({ 'r.urdf': robot(text), 'path.json': '[[0],[1]]' });
  const wanted = { complete: true, assumed: [expect.stringMatching(rule)] };
  for (const args of [
    ['dynamics', 'r.urdf', '--q', '[0]', '--compute', 'rnea,crba,energy', '--json'],
    ['trajectory', 'r.urdf', '--path', 'path.json', '--torque', '5', '--json'],
  ]) {
    const { status, out, err } = ask(folder, ...args);
    expect(status, err).toBe(0);
    const answer = JSON.parse(out) as { readonly assumed: readonly string[]; readonly rnea?: readonly number[] };
    expect(answer).toMatchObject(wanted);
    expect(answer.assumed[0]).toContain('link "arm"');
    expect(answer.assumed[0]).toContain('dynamics computes with it as it is');
    expect(err).toMatch(rule);
  }
  expect(ask(folder, 'dynamics', 'r.urdf', '--q', '[0]').out).toContain('under an assumption');
  // What does not read inertias does not rest on them.
  const check = ask(folder, 'check', 'r.urdf', '--q', '[0]', '--json');
  expect(JSON.parse(check.out)).not.toHaveProperty('assumed');
  expect(check.err).toMatch(rule);
  const info = ask(folder, 'info', 'r.urdf', '--json');
  expect(info.out).toMatch(/"code":"impossible-inertia"/);
});

it('a body without mass is taken as 0, and told', () => {
  const folder = makeFolder({ 'r.urdf': robot('') });
  const { out } = ask(folder, 'dynamics', 'r.urdf', '--q', '[0]', '--compute', 'rnea', '--json');
  expect(JSON.parse(out)).toMatchObject({ assumed: [expect.stringMatching(/joint "j": no mass on its body/)] });
});
