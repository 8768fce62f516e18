/** The programs of examples/ run as a reader would run them, and the README's code is cut from one of them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isBuilt = existsSync(join(root, 'dist/esm/index.js'));

/** What each program must print; a program without an entry fails below. */
const expectedOutput: Readonly<Record<string, RegExp>> = {
  'broad-phase.mjs': /^(?:step [01]: 39 pairs, \d{4} box tests instead of 499500\n){2}$/,
  'check-robot.mjs':
    /a: 'base_link',\n {2}b: 'table',\n {2}distance: 0\.00(?:5|49999)\d*,[\s\S]*\}\n(?:link_\d is \d+\.\d mm into table\n)+$/,
  'check-map.mjs':
    /^40000 points in \d{4} cubes\n0\.100 m apart, child [12] of the gripper is nearest\nat least 5 cm are free\nlowered: touches after 0\.100 m\n$/,
  'compile-robot.mjs':
    /^holding: 3\.2 N m at most; ok, accelerations up to 0\.000000\ntorques differ by 0\.0{9} N m .*\nlet go: accelerations up to 48\.8 rad\/s\^2, 0\.000000 from .*\nforward kinematics: \d{3} operations\n$/,
  'decompose-mesh.mjs':
    /^0\.1: ok, 1 parts, concavity at most 0\.0\d+ m\n {2}a ball over the second step: -0\.0\d\d m\n0\.01: ok, 4 parts, concavity at most 0\.00\d+ m\n {2}a ball over the second step: 0\.010 m\n$/,
  'deliver-loads.mjs':
    /^solved: first plan 109, improved 102, at least 83; 0 conflicts\nstopped: robot 0; 6 behind\n0 pairs not proven apart while it stood, 0 after\nall are there\n$/,
  'regulate.mjs':
    /^regulator solved: gains 9\.467 5\.282, backward error below 1e-14\nafter 10 s at -?\d mm; the ruler errs by 10\.\d mm\nthe filter by 4\.2 mm\nits gain is the steady one\n$/,
  'swing-up-cart-pole.mjs':
    /^2 s: .*pole -?[0-3]\.\d degrees from upright\n(?:[468] s: .*pole -?[0-2]\.\d degrees from upright\n){3}plans kept: 0 of 400; at the end within 0\.02 rad\n$/,
  'swing-up-acrobot.mjs':
    /^converged after \d+ iterations, cost \d+\.\d\d\nits log as a picture: drawn\ntip at 2\.00 m of 2, speeds -?0\.0 -?0\.0 rad\/s\n$/,
  'hop.mjs':
    /^converged after \d+ iterations, gap 0\nin the air the foot is up to 0\.1\d m high\nit lands at 0\.400 m, 0\.000 m above the ground\nthe body sinks at \d\.\d\d m\/s, after the impulse at -?0\.\d\d m\/s\nit ends at 0\.40 m\n$/,
  'dodge.mjs':
    /^\d+ spheres contain the arm: proven\nballs touched the arm 0 times, plans kept: 0\nthe tool was within \d+ mm of its target half of the time\n$/,
  'simulate-stack.mjs':
    /^20 contacts, residual \d+e-\d\d m\/s\nenergy 196\.200 J\nbox 0 -?0\.000 -?0\.000 0\.100\n(?:box \d 0\.0\d0 -?0\.000 0\.[3579]00\n){4}fork: same bits\n$/,
  'palletise.mjs':
    /^solved, certified: 16\.\d\d s, never nearer than \d\.\d mm\n(?:place [0-3] reached after \d+\.\d\d s, at 0\.20 m\/s at most\n){4}15 of 32 moves go over into the next; accelerations up to 100\.0 %\n$/,
  'weld-seam.mjs':
    /^as programmed: joint-limit, joint "joint_\d" is at its limit [\d.]+, 1\.\d\d m along spline 1\nfree to turn: solved, 2\d\.\d s, 0\.10 m\/s at most\noff the seam's height by less than a micrometre\n$/,
  'pick-and-place.mjs':
    /^solved, grasp slanted\n(?:(?:move|approach|close|open|leave): \d+ waypoints, \d\.\d\d s, certified\n|(?:lift|transfer|lower): \d+ waypoints, \d\.\d\d s, certified, holds the can\n){8}\d{3} rows of motion over \d\.\d\d s\n$/,
  'plan-plane.mjs':
    /^shortest: solved, 9\.729 m, 0\.00 cm clear, verified\nclearance: solved, 9\.944 m, 12\.50 cm clear, verified\n0\.75 m doorway, touching free: solved\n.* blocked: impossible\n {2}proof: accepted\nforbidden places: 4 and 4 and 6 corners\n.*0\.10, 0\.65 \.\.\.\n$/,
  'plan-turning.mjs':
    /^(?:2\.\d{3} m: solved, turns by \d+ degrees, path free\n){2}(?:2\.\d{3} m: impossible, proof accepted\n){2}looked at coarsely: undecided\n(?:leg \d: solved, \d+ poses, verified\n){4}the tour: \d\d\.\d m\n$/,
  'take-apart.mjs':
    /^bar: solved, verified, clearance proven\nit sweeps \d+ cm3 at most; the mesh sticks out by up to \d+\.\d mm\ngearbox: solved\n(?: {2}\S+\n){7} {2}carrier \+ pin \+ gear-1 \+ gear-2\n(?: {2}\S+\n){4}before the lid: clip-1, clip-2, clip-3, clip-4, knob\n$/,
  'composite-joints.mjs':
    /^8 coordinates, 7 velocities\ntwo turns of the screw: 0\.300 0\.000 0\.426\nmast leans, ball turns: 0\.300 -0\.085 0\.417\nfalls freely: ok, accelerations up to 951\.6, which ask for torques of 0\.000000\n$/,
  'sphere-model.mjs':
    /^11 links, proven\n(?:.+: at most \d+ mm outside, volume x \d\.\d\d\n){2}.+, shrunk: not proven, sticks out by up to \d+\.\d mm\n$/,
  'distance-boxes.mjs':
    /^at 2: 1\.250 m apart, from 0\.5,[\d.,-]+ to 1\.75,[\d.,-]+\nat 0\.7: 0\.050 m deep, push B along 1,0,0\n$/,
  'distance-meshes.mjs':
    /^housing: 384 triangles, closed, 85\.2 cm3\nshaft 0 mm aside: 0\.179 .*\nshaft 0\.1 mm aside: 0\.084 .*\nshaft 0\.3 mm aside: they touch\n$/,
  'fold-peptide.mjs':
    /^1945\.9 kcal\/mol stretched, -\d+\.\d after 4000 steps\n(?:(?:torsion|pivot|local|chi): \d+ of \d+ accepted\n){4}gone on from half-way: 0 kcal\/mol apart\ntrajectory: 20 frames of 132 atoms\n$/,
  'forward-kinematics.mjs':
    /^0\.0000 0\.0000 1\.3710 0\.0000 0\.0000 0\.0000 1\.0000\n0\.3895 -?0\.0000 0\.4181 -?0\.0000 -1\.0000 -?0\.0000 -?0\.0000\n$/,
  'inverse-kinematics.mjs':
    /^one: solved,(?: -?\d\.\d\d){8}\n[1-9]\d postures, the last \d\.\d rad from the first\naway from limits: solved, 0\.[67]\d\d -> 0\.[45]\d\d\nposition and axis: solved, tip at 0\.500 0\.100 0\.300, axis along 0\.000 0\.000 -1\.000\n$/,
  'long-chain.mjs':
    /^326 turns kept, 174 taken back\npairs under 3: 44 new, 1533 gone\nnearest: 0\.633 between links 160 and 180\n1 of 2 moves tried are free\nauto: chain tree, 1 of 1999 joints .*\nquickest of ChainTree, grid, K-OBBTree: (?:ChainTree|another)\n$/,
  'mesh-poses.mjs':
    /^housing: 384 triangles in \d{2,3} leaves of an obb tree\nat rest 0\.179 mm are left\ncloser than 0\.2 mm from step 0, touching from step 38\n$/,
  'moving-pair.mjs':
    /^touches after 88\.9 % of the way, 5\.0 mm up\nlast clearance 0\.000 mm\nrounds with the cache \d\d, without \d\d\d\n$/,
  'first-contact.mjs':
    /^link_5 touches wire at 0\.4538 of the motion, at height 0\.549 m\nup to the wire: free, through it: blocked\n$/,
  'lidar.mjs':
    /^floor: 9503 rays, from 2\.511 m on\n(?:hand: .*\n)?(?:link_\d: \d+ rays, from 1\.\d{3} m on\n){3,6}shelf: 1288 rays, from 2\.700 m on\nto the ball: shelf, ball\nwithout them nothing is in the way\n$/,
  'monitor.mjs':
    /^400 ms: link_5 and post 15 mm apart, closing at 1\.18 m\/s, contact in 0\.01 s\n413 ms: link_5 on post began\n500 ms: .* 103 mm deep, .*\n588 ms: link_5 on post ended\n600 ms: link_5 and post 15 mm apart, parting at 1\.18 m\/s\n$/,
  'send-jobs.mjs':
    /^begun: 37\.5 % of job [0-9a-f]{8} is done\nended: \d{2,3} of 400 states have something near\n0 answers differ from those of one go\naltered: the order was altered\n$/,
  'optimise-path.mjs':
    /^trajopt: solved, length 3\.1\d, free at every time\nchomp: solved, length 3\.[12]\d, free at every time\nstraight: link_5 and shelf_middle at 0\.46, -94 mm\n(?:\S+ - \S+: \d+\.\d mm, most by coordinate \d\n)+$/,
  'parallel-checks.mjs': /^\d{3} of 1000 states are free\n0 of them are answered differently on one thread\n$/,
  'nearest-pair.mjs': /^closest at step 25: link_6 and post, 80\.9 mm apart\n$/,
  'plan-group.mjs':
    /^solved: \d waypoints, length \d\.\d\d, \d+ checks\nmotion of \d\.\d\d s, certified free\nto the pose: solved, \d+ waypoints\n$/,
  'plan-certified.mjs':
    /^spheres contain the links\n(?:seed \d: solved by rrt-connect, \d+ waypoints, certified\n {2}by the verifier: free at every time\n){2}$/,
  'plan-path.mjs':
    /^straight line: blocked\nsolved: \d+ configurations, length \d\.\d\d\nshortened: \d+ configurations, length \d\.\d\d\n$/,
  'protein-clashes.mjs':
    /^helix: \d+ atoms, radius of gyration \d\.\d\d angstrom, 0 clashes \(0 per 1000 atoms\)\ntight: \d+ atoms, .* [1-9]\d* clashes .*\n(?: {2}A\/.* overlap by \d\.\d\d angstrom\n){3}$/,
  'protein-energy.mjs':
    /^\d+ polar hydrogens are missing; .*\nhelix: (-\d+\.\d\d) kcal.*\nbroken in the middle: (-?\d+\.\d\d) kcal.*\ncomputed anew: \2 kcal\/mol\ntaken back: \1 kcal.*\n$/,
  'protein-hydrogens.mjs':
    /^128 atoms, 141 hydrogens placed\nheavy atoms only: .* not comparable\n(?: {2}A\/.*\n)+with hydrogens: .* atoms, comparable\n(?: {2}A\/.*\n)+$/,
  'select-atoms.mjs':
    /^backbone: 69 atoms, .*\nsidechain and resname LYS: 20 atoms, .*\nresidue 4-8 and name CA: 5 atoms, .*\nheavy and within 5 of .*: 29 atoms, .*\n$/,
  'exchange-replicas.mjs':
    /^300, 433, 624, 900 K, 2000 steps each\nstretched 1947\.1 kcal\/mol, the coldest replica -\d+\.\d\n$/,
  'ray-cast.mjs':
    /^wall 1: 17\.80 mm thick\nwall 2: 17\.80 mm thick\nfirst hit: triangle \d+, from the front\n\d{4} of 10000 rays hit\nthe middle is outside the material, 10\.18 mm from it\n$/,
  'self-collision.mjs':
    /^406 pairs of links are checked\n0 degrees: free\n20 degrees: free\n24 degrees: link_0 on link_29\n28 degrees: link_0 on .*\n$/,
  'snake-checks.mjs':
    /^chain tree: 300 links in a row: .*\nafter 12 turns link_1 touches link_25; pair by pair 0 of the answers differ\n$/,
  'time-path.mjs':
    /^(?:corners within \d[.\d]* rad: solved, \d\.\d\d s, valid, at the limit: [a-z, ]+\n){3}\d+ samples as CSV: time,[\w,]+\.\.\.\n$/,
  'track-circle.mjs':
    /^after the first second the tool is within [1-9]\d{0,2} nm of the circle\nthe elbow moved \d+ mm at most\n$/,
};
/** Programs that write the generated geometry; make-meshes.test.ts holds them to it. */
const generators = /^make-/;

const programs = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.mjs') && !generators.test(file));

describe.skipIf(!isBuilt)(`examples${isBuilt ? '' : ' (skipped: nothing built, run npm run build)'}`, () => {
  it.each(programs)('%s prints what it promises', (program) => {
    const result = spawnSync(process.execPath, [join('examples', program)], { cwd: root, encoding: 'utf8' });
    expect(expectedOutput[program], `an entry for ${program} in expectedOutput`).toBeDefined();
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(expectedOutput[program]);
    // Numbers and names, not whether an assertion holds.
    expect(result.stdout).not.toMatch(/\b(?:true|false)$|Infinity|NaN/m);
  });

  it.each(programs)('%s stays below 80 lines', (program) => {
    expect(readFileSync(join(root, 'examples', program), 'utf8').split('\n').length).toBeLessThan(80);
  });
});

const readCode = (language: string): string[] =>
  [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(
      new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'),
    ),
  ].map((match) => match[1].trim());

describe('README', () => {
  it('cuts its code from the examples that run here', () => {
    const blocks = readCode('js');
    const sources = programs.map((program) => readFileSync(join(root, 'examples', program), 'utf8'));
    expect(blocks.length).toBeGreaterThan(0);
    const invented = blocks.filter((block) => !sources.some((source) => source.includes(block)));
    expect(invented).toEqual([]);
  });

  /** All but the viewer, which serves until it is stopped. */
  const commands = readCode('sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('clearance ') && !line.startsWith('clearance view'));

  it.skipIf(!isBuilt).each(commands)('%s: does what the page shows', (line) => {
    const words = line
      .replace(/\s+#.*/, '')
      .split(/\s+/)
      .slice(1);
    const result = spawnSync(process.execPath, ['dist/esm/cli.js', ...words], { cwd: root, encoding: 'utf8' });
    expect(result.stderr).not.toMatch(/error/i);
    expect(result.status).toBe(Number(/# exit status (\d)/.exec(line)?.[1] ?? 0));
    expect(result.stdout.trim()).not.toBe('');
  });
});
