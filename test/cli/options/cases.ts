/** The rows of each command's options, and the modes in which some of them mean nothing; those of `chain` have a file of their own. */
import { CHAIN_CASES, CHAIN_MODES } from './chain-cases.js';
import { type CommandCases, differs, type Mode, OUTPUT, output } from './option-case.js';
import { PLAN_GOALS } from './plan-goal-cases.js';
import { FITTED_CACHE, SPHERE_CACHE } from './sphere-cache-cases.js';
import { WORLD_CASES, WORLD_MODES } from './world-cases.js';

type Ask = (robot: string, more?: readonly string[], q?: string) => readonly string[];

const packages = (ask: Ask, file: string): CommandCases => ({
  '--package': differs(ask(file), '--package', 'parcel=parts'),
  '--package-path': differs(ask(file), '--package-path', 'build/shelf'),
});

const mechanism = (ask: Ask): CommandCases => ({
  ...packages(ask, 'find.xacro'),
  '--srdf': differs(ask('apart.urdf', [], 'turned'), '--srdf', 'group.srdf'),
  '--xacro-arg': differs(ask('arg.xacro', [], '0,1'), '--xacro-arg', 'axis=0 1 0'),
  '--mimic': differs(ask('mimic.urdf'), '--mimic', 'ignore'),
  '--base': differs(ask('apart.urdf'), '--base', 'floating'),
  '--continuous': differs(ask('continuous.urdf'), '--continuous', 'cos-sin'),
  '--allow-missing': differs(ask('broken.urdf'), '--allow-missing'),
});

const groups = (ask: Ask): CommandCases => ({
  '--group': differs(ask('turning.urdf', ['--srdf', 'group.srdf'], '0'), '--group', 'g'),
  '--state': differs(ask('turning.urdf', ['--srdf', 'group.srdf', '--group', 'g'], '0'), '--state', '{"j1":3}'),
});

/** Of a robot whose geometry counts. */
const geometry = (ask: Ask): CommandCases => ({
  '--surface': differs(ask('solid.urdf'), '--surface'),
  '--up-axis': differs(ask('axis.urdf'), '--up-axis', 'file'),
  '--unit': differs(ask('unit.urdf'), '--unit', 'millimetre'),
  '--weld': differs(ask('open.urdf'), '--weld', '0.001'),
  '--fill-holes': differs(ask('holed.urdf'), '--fill-holes', '2'),
  '--geometry': differs(ask('visual.urdf'), '--geometry', 'visual'),
  '--spheres': differs(
    ask('apart.urdf', ['--geometry', 'spheres', '--srdf', 'spheres.srdf']),
    '--spheres',
    'spheres.json',
  ),
  '--acm': differs(ask('touching.urdf'), '--acm', 'allow.json'),
  '--acm-only': differs(ask('touching.urdf', ['--srdf', 'disable.srdf', '--acm', 'other.json']), '--acm-only'),
  '--srdf': differs(ask('touching.urdf'), '--srdf', 'disable.srdf'),
  ...packages(ask, 'package.urdf'),
  '--xacro-arg': differs(ask('arg.xacro'), '--xacro-arg', 'size=2'),
  '--mimic': differs(ask('mimic.urdf'), '--mimic', 'ignore'),
  '--allow-missing': differs(ask('missing.urdf'), '--allow-missing'),
});

const moving = (ask: Ask): CommandCases => ({
  '--base': differs(ask('apart.urdf'), '--base', 'floating'),
  '--continuous': differs(ask('continuous.urdf'), '--continuous', 'cos-sin'),
  ...groups(ask),
});

const surroundings = (ask: Ask): CommandCases => ({
  '--solid': differs(ask('apart.urdf', ['--scene', 'hollow.json']), '--solid'),
  '--scene': differs(ask('apart.urdf'), '--scene', 'scene.json'),
  '--allow-outside': differs(ask('apart.urdf', ['--scene', 'inner/outside.json']), '--allow-outside'),
  '--margin': differs(ask('apart.urdf', ['--scene', 'far.json']), '--margin', '0.5'),
  '--adjacent': differs(ask('adjacent.urdf'), '--adjacent'),
});

const query = (ask: Ask): CommandCases => ({ ...geometry(ask), ...moving(ask), ...surroundings(ask) });

const check: Ask = (robot, more = [], q = '0,0') => ['check', robot, '--q', q, '--all', '--json', ...more];
const distance: Ask = (robot, more = [], q = '0,0') => ['distance', robot, '--q', q, '--json', ...more];
const ray: Ask = (robot, more = [], q = '0,0') => [
  'ray',
  robot,
  '--rays',
  'rays.jsonl',
  '--q',
  q,
  '--all',
  '--json',
  ...more,
];
const cast: Ask = (robot, more = [], q = '0,0') => ['cast', robot, '--from', q, '--to', q, '--json', ...more];
const acm: Ask = (robot, more = []) => ['acm', robot, '--samples', '20', '--json', ...more];
const ik: Ask = (robot, more = []) => [
  'ik',
  robot,
  '--frame',
  'link2',
  '--targets',
  'targets.jsonl',
  '--avoid',
  '--restarts',
  '2',
  '--json',
  ...more,
];
const plan: Ask = (robot, more = [], q = '0,0') => [
  'plan',
  robot,
  '--start',
  q,
  '--goal',
  q,
  '--timeout',
  '60',
  '--json',
  ...more,
];
const winding = ['plan', 'winding.urdf', '--scene', 'posts.json', '--start', '0,0', '--goal', '3,0'];
const timed = [...winding, '--timed', '--acceleration', '3', '--json'];
const timedTo = (robot: string, goal: string): string[] => [
  'plan',
  robot,
  '--goal',
  goal,
  '--timed',
  '--acceleration',
  '3',
  '--json',
];
const optimise: Ask = (robot, more = [], q = '0,0') => [
  'optimise',
  robot,
  { '0': 'one-still.json', turned: 'turned-still.json' }[q] ?? 'still.json',
  '--json',
  ...more,
];
const rounding = ['optimise', 'winding.urdf', 'optimise.json', '--scene', 'posts.json', '--json'];
const timedOptimum = [...rounding, '--timed', '--acceleration', '3'];
const timedOptimumOf = (robot: string, problem: string): string[] => [
  ...['optimise', robot, problem, '--timed', '--acceleration', '3', '--json'],
];
const trajectory: Ask = (robot, more = [], q = '0,0') => [
  'trajectory',
  robot,
  '--path',
  q === '0' ? 'one-path.json' : 'path.json',
  '--acceleration',
  '3',
  '--avoid-collision',
  '--json',
  ...more,
];
const motion: Ask = (robot, more = [], q = '0,0') => [
  'motion',
  robot,
  q === '0' ? 'one-program.json' : 'program.json',
  '--acceleration',
  '3',
  '--avoid-collision',
  '--json',
  ...more,
];
const programmed = ['motion', 'apart.urdf', 'program.json', '--acceleration', '3', '--json'];
const verify: Ask = (robot, more = [], q = '0,0') => [
  'verify-path',
  robot,
  '--path',
  q === '0' ? 'one-path.json' : 'path.json',
  '--json',
  ...more,
];
const free = ['trajectory', 'apart.urdf', '--path', 'path.json', '--acceleration', '3', '--json'];
/** The limits of a motion, and how its time is cut. */
const limitTiming = (ask: readonly string[], heavy: readonly string[], driven: readonly string[]): CommandCases => ({
  '--velocity': differs(ask, '--velocity', '0.1'),
  '--torque': differs(ask, '--torque', '2'),
  '--followers': differs(driven, '--followers'),
  '--gravity': differs([...heavy, '--torque', '2'], '--gravity', '9.81,0,0'),
  '--intervals': differs(ask, '--intervals', '20'),
  '--dt': differs(ask, '--dt', '0.01'),
});
/** Options of a motion along a path; `ask` is a command line that times one with a corner. */
const timing = (ask: readonly string[], heavy: readonly string[], driven: readonly string[]): CommandCases => ({
  '--method': differs([...ask, '--jerk', '40'], '--method', 'stops'),
  '--corners': differs(ask, '--corners', 'smooth'),
  '--deviation': differs([...ask, '--corners', 'blend'], '--deviation', '0.1'),
  '--jerk': differs([...ask, '--method', 'stops'], '--jerk', '5'),
  ...limitTiming(ask, heavy, driven),
  '--intervals': differs([...ask, '--corners', 'spline'], '--intervals', '20'),
});
const monitor: Ask = (robot, more = [], q = '0,0') => [
  'monitor',
  robot,
  q === '0' ? 'one.jsonl' : 'states.jsonl',
  '--distance',
  '0.05',
  '--json',
  ...more,
];
const fk: Ask = (robot, more = [], q = '0,0') => ['fk', robot, '--q', q, '--json', ...more];
const dynamics: Ask = (robot, more = [], q = '1,0') => [
  'dynamics',
  robot,
  '--q',
  q,
  '--compute',
  'crba,com',
  '--json',
  ...more,
];
const pair = ['pair', 'sphere:0.1', 'sphere:0.1', '--poses', 'pair-poses.jsonl', '--json'];
const meshPair = (file: string, ...more: string[]): string[] => [
  'pair',
  file,
  'sphere:0.1',
  '--query',
  'collide,distance',
  '--json',
  ...more,
];

const view: Ask = (robot, more = []) => ['view', robot, ...more];

const limits = (ask: Ask): CommandCases => ({ '--limits': differs(ask('apart.urdf', [], '0,3.1'), '--limits') });
const depth = (ask: Ask, kind = 'exact'): CommandCases => ({ '--depth': differs(ask('deep.urdf'), '--depth', kind) });

export const CASES: Readonly<Record<string, CommandCases>> = {
  check: {
    ...query(check),
    ...output(check('touching.urdf'), check('warns.urdf')),
    ...limits(check),
    ...depth(check, 'none'),
    '--states': differs(['check', 'apart.urdf', '--json'], '--states', 'states.jsonl'),
    '--q': differs(['check', 'turning.urdf', '--json'], '--q', '0,3'),
    '--all': differs(['check', 'touching.urdf', '--scene', 'scene.json', '--json'], '--all'),
    '--first': differs(['check', 'turning.urdf', '--states', 'long.jsonl', '--json'], '--first'),
    '--path': differs(['check', 'turning.urdf', '--states', 'path.json', '--json'], '--path'),
    '--workers': {
      base: ['check', 'turning.urdf', '--states', 'long.jsonl', '--json'],
      same: ['--workers', '2'],
      reason: 'more processors give the same answers',
    },
  },
  distance: {
    ...query(distance),
    ...output(distance('touching.urdf'), distance('warns.urdf')),
    '--margin': { refused: [...distance('apart.urdf'), '--margin', '0.5'], why: /^--margin: means nothing here/ },
    '--within': differs(['distance', 'scene.json', '--json'], '--within', '100'),
    ...limits(distance),
    ...depth(distance),
    '--states': differs(['distance', 'apart.urdf', '--json'], '--states', 'states.jsonl'),
    '--q': differs(['distance', 'turning.urdf', '--json'], '--q', '0,2'),
  },
  ray: {
    ...geometry(ray),
    ...moving(ray),
    ...output(ray('touching.urdf'), ray('warns.urdf')),
    '--srdf': differs(ray('apart.urdf', ['--geometry', 'spheres']), '--srdf', 'spheres.srdf'),
    '--acm': { refused: ray('touching.urdf', ['--acm', 'allow.json']), why: /^--acm: means nothing here/ },
    '--acm-only': { refused: ray('touching.urdf', ['--acm-only']), why: /^--acm-only: means nothing/ },
    '--solid': differs(ray('apart.urdf', ['--scene', 'hollow.json']), '--solid'),
    '--scene': differs(ray('apart.urdf'), '--scene', 'scene.json'),
    '--allow-outside': differs(ray('apart.urdf', ['--scene', 'inner/outside.json']), '--allow-outside'),
    '--rays': differs(['ray', 'apart.urdf', '--json'], '--rays', 'rays.jsonl'),
    '--all': differs(['ray', 'apart.urdf', '--rays', 'rays.jsonl', '--json'], '--all'),
    '--states': differs(['ray', 'turning.urdf', '--rays', 'rays.jsonl', '--json'], '--states', 'long.jsonl'),
    '--q': differs(['ray', 'turning.urdf', '--rays', 'rays.jsonl', '--json'], '--q', '0,2'),
  },
  cast: {
    ...query(cast),
    ...output(cast('touching.urdf'), cast('warns.urdf')),
    ...limits(cast),
    '--from': differs(['cast', 'turning.urdf', '--to', '0,3', '--json'], '--from', '0,2'),
    '--to': differs(['cast', 'turning.urdf', '--from', '0,2', '--json'], '--to', '0,3'),
    '--motions': differs(['cast', 'sphere:0.1', 'sphere:0.1', '--json'], '--motions', 'casts.jsonl'),
    '--pairs': differs(['cast', '--json'], '--pairs', 'pairs.jsonl'),
    '--tolerance': differs(['cast', 'turning.urdf', '--from', '0,0', '--to', '0,3', '--json'], '--tolerance', '0.1'),
    '--scale': differs(['cast', 'big.stl', 'sphere:0.1', '--motions', 'casts.jsonl', '--json'], '--scale', '0.5'),
  },
  acm: {
    ...geometry(acm),
    ...output(acm('touching.urdf'), acm('warns.urdf')),
    '--srdf': differs(acm('apart.urdf', ['--geometry', 'spheres']), '--srdf', 'spheres.srdf'),
    '--acm': { refused: acm('touching.urdf', ['--acm', 'allow.json']), why: /^--acm: means nothing here/ },
    '--acm-only': { refused: acm('touching.urdf', ['--acm-only']), why: /^--acm-only: means nothing here/ },
    '--base': differs(acm('turning.urdf'), '--base', 'floating'),
    '--continuous': {
      base: acm('spinning.urdf'),
      same: ['--continuous', 'cos-sin'],
      reason: 'the same angles are drawn, however they are written',
    },
    '--solid': { refused: acm('solid.urdf', ['--solid']), why: /^--solid: means nothing here/ },
    '--samples': differs(['acm', 'turning.urdf', '--json'], '--samples', '7'),
    '--seed': differs(acm('turning.urdf'), '--seed', '9'),
    '--prove': differs(acm('apart.urdf'), '--prove'),
    '--timeout': differs(acm('apart.urdf', ['--prove']), '--timeout', '0'),
    '--out': { writes: 'out.srdf', line: [...acm('touching.urdf'), '--out', 'out.srdf'] },
  },
  ik: {
    ...query(ik),
    ...output(ik('apart.urdf'), ik('warns.urdf')),
    '--frame': differs(['ik', 'apart.urdf', '--targets', 'targets.jsonl', '--json'], '--frame', 'link1'),
    '--targets': differs(['ik', 'apart.urdf', '--frame', 'link2', '--json'], '--targets', 'targets.jsonl'),
    '--path': differs(['ik', 'apart.urdf', '--frame', 'link2', '--json'], '--path', 'poses.json'),
    '--task': differs(ik('apart.urdf'), '--task', 'position'),
    '--axis': differs(
      ['ik', 'apart.urdf', '--frame', 'link2', '--targets', 'axes.jsonl', '--task', 'axis', '--json'],
      '--axis',
      '1,0,0',
    ),
    '--position': differs(ik('apart.urdf'), '--position'),
    '--goal': differs(ik('apart.urdf'), '--goal', 'limits'),
    '--avoid': differs(['ik', 'touching.urdf', '--frame', 'link2', '--targets', 'targets.jsonl', '--json'], '--avoid'),
    '--avoid-collision': differs(
      ['ik', 'touching.urdf', '--frame', 'link2', '--targets', 'targets.jsonl', '--json'],
      '--avoid-collision',
    ),
    '--all': differs(['ik', 'apart.urdf', '--frame', 'link2', '--targets', 'targets.jsonl', '--json'], '--all'),
    '--starts': differs(
      ['ik', 'apart.urdf', '--frame', 'link2', '--targets', 'targets.jsonl', '--all', '--json'],
      '--starts',
      '1',
    ),
    '--restarts': differs(['ik', 'touching.urdf', ...ik('').slice(2, -3), '--json'], '--restarts', '1'),
    '--position-tolerance': differs(
      ['ik', 'apart.urdf', '--frame', 'link2', '--targets', 'near.jsonl', '--json'],
      '--position-tolerance',
      '0.1',
    ),
    '--rotation-tolerance': differs(
      ['ik', 'apart.urdf', '--frame', 'link2', '--targets', 'targets.jsonl', '--json'],
      '--rotation-tolerance',
      '2',
    ),
    '--seed': differs(
      ['ik', 'turning.urdf', '--frame', 'link2', '--targets', 'targets.jsonl', '--all', '--json'],
      '--seed',
      '9',
    ),
  },
  plan: {
    ...query(plan),
    ...output(plan('apart.urdf'), plan('warns.urdf')),
    '--start': differs(['plan', 'apart.urdf', '--goal', '1,1', '--json'], '--start', '0,1'),
    '--goal': differs(['plan', 'apart.urdf', '--json'], '--goal', '1,1'),
    '--goal-pose': differs(['plan', 'apart.urdf', '--json'], '--goal-pose', 'link2=0,0,0,0,0,0,1'),
    '--goal-tolerance': differs(
      ['plan', 'apart.urdf', '--goal-pose', 'link2=0,0,0,0,0,0,1', '--json'],
      '--goal-tolerance',
      '0.1,any',
    ),
    ...PLAN_GOALS,
    '--optimise': differs([...winding, '--json'], '--optimise', '0.2'),
    '--objective': {
      refused: ['plan', 'apart.urdf', '--goal', '1,1', '--objective', 'tool'],
      why: /^--objective: means nothing without --optimise/,
    },
    '--roadmap': { writes: 'roadmap.json', line: ['plan', 'apart.urdf', '--goal', '1,1', '--roadmap', 'roadmap.json'] },
    ...SPHERE_CACHE,
    '--repair-start': differs(['plan', 'touching.urdf', '--goal', '1,1', '--json'], '--repair-start', '0'),
    '--explain': differs(['plan', 'touching.urdf', '--goal', '1,1', '--json'], '--explain'),
    '--problems': differs(['plan', 'apart.urdf', '--json'], '--problems', 'problems.jsonl'),
    '--planner': differs(['plan', 'apart.urdf', '--goal', '1,1', '--json'], '--planner', 'unknown'),
    '--seed': differs(
      ['plan', 'winding.urdf', '--scene', 'posts.json', '--start', '0,0', '--goal', '3,0', '--json'],
      '--seed',
      '9',
    ),
    '--iterations': differs(
      ['plan', 'winding.urdf', '--scene', 'posts.json', '--start', '0,0', '--goal', '3,0', '--json'],
      '--iterations',
      '1',
    ),
    '--timeout': differs(
      ['plan', 'winding.urdf', '--scene', 'posts.json', '--start', '0,0', '--goal', '3,0', '--json'],
      '--timeout',
      '0',
    ),
    '--resolution': differs(
      [
        'plan',
        'winding.urdf',
        '--scene',
        'thin.json',
        '--start',
        '0,0',
        '--goal',
        '2.6,0',
        '--edges',
        'sampled',
        '--json',
      ],
      '--resolution',
      '3',
    ),
    '--constraint': differs([...winding, '--json'], '--constraint', 'held.json'),
    '--within': differs([...winding, '--constraint', 'held.json', '--json'], '--within', '0.5'),
    '--edges': differs(
      ['plan', 'winding.urdf', '--scene', 'posts.json', '--start', '0,0', '--goal', '3,0', '--json'],
      '--edges',
      'sampled',
    ),
    '--simplify': differs(
      ['plan', 'winding.urdf', '--scene', 'posts.json', '--start', '0,0', '--goal', '3,0', '--json'],
      '--simplify',
    ),
    '--certificate': {
      writes: 'proof.json',
      line: ['plan', 'apart.urdf', '--goal', '1,1', '--certificate', 'proof.json'],
    },
    '--out': { writes: 'plan.csv', line: ['plan', 'apart.urdf', '--goal', '1,1', '--out', 'plan.csv'] },
    ...timing(timed, timedTo('offset.urdf', '1,1'), timedTo('fast.urdf', '0.9')),
    '--timed': differs([...winding, '--json'], '--timed', '--acceleration', '3'),
    '--acceleration': differs([...winding, '--timed', '--json'], '--acceleration', '3'),
  },
  'verify-path': {
    ...query(verify),
    ...output(verify('apart.urdf'), verify('warns.urdf')),
    '--path': differs(['verify-path', 'apart.urdf', '--json'], '--path', 'path.json'),
    '--limits': differs(['verify-path', 'apart.urdf', '--path', 'beyond.jsonl', '--json'], '--limits'),
    '--certificate': differs(verify('apart.urdf'), '--certificate', 'certificate.json'),
    '--tolerance': differs(verify('apart.urdf'), '--tolerance', '10'),
    '--configurations': differs(verify('apart.urdf'), '--configurations', '1'),
  },
  optimise: {
    ...query(optimise),
    ...output(optimise('apart.urdf'), optimise('warns.urdf')),
    '--optimiser': differs(rounding, '--optimiser', 'chomp'),
    '--seeds': differs(rounding, '--seeds', '1'),
    '--seed': differs(rounding, '--seed', '5'),
    '--timeout': differs(rounding, '--timeout', '0'),
    '--workers': {
      base: rounding,
      same: ['--workers', '2'],
      reason: 'more processors give the same answer',
    },
    '--timed': differs(rounding, '--timed', '--acceleration', '3'),
    ...timing(
      timedOptimum,
      timedOptimumOf('offset.urdf', 'optimise-far.json'),
      timedOptimumOf('fast.urdf', 'one-optimise.json'),
    ),
    '--torque': differs(timedOptimum, '--torque', '0.2'),
    '--acceleration': differs([...rounding, '--timed'], '--acceleration', '3'),
    '--out': { writes: 'optimised.csv', line: [...rounding, '--out', 'optimised.csv'] },
    '--plot': { writes: 'costs.svg', line: [...rounding, '--plot', 'costs.svg'] },
    '--certificate': { writes: 'optimum.json', line: [...rounding, '--certificate', 'optimum.json'] },
  },
  trajectory: {
    ...query(trajectory),
    ...output(free, ['trajectory', 'warns.urdf', ...free.slice(2)]),
    ...timing(
      free,
      ['trajectory', 'offset.urdf', ...free.slice(2)],
      ['trajectory', 'fast.urdf', '--path', 'one-path.json', '--acceleration', '3', '--json'],
    ),
    '--path': differs(['trajectory', 'apart.urdf', '--acceleration', '3', '--json'], '--path', 'path.json'),
    '--problem': differs(
      ['trajectory', 'apart.urdf', '--path', 'paths.json', '--acceleration', '3', '--json'],
      '--problem',
      '1',
    ),
    '--acceleration': differs(['trajectory', 'apart.urdf', '--path', 'path.json', '--json'], '--acceleration', '3'),
    '--avoid-collision': differs(free, '--avoid-collision'),
    '--out': { writes: 'motion.csv', line: [...free, '--out', 'motion.csv'] },
    '--plot': { writes: 'motion.svg', line: [...free, '--plot', 'motion.svg'] },
  },
  motion: {
    ...query(motion),
    ...output(programmed, ['motion', 'warns.urdf', ...programmed.slice(2)]),
    ...limitTiming(
      programmed,
      ['motion', 'offset.urdf', ...programmed.slice(2)],
      ['motion', 'fast.urdf', 'one-program.json', '--acceleration', '3', '--json'],
    ),
    '--acceleration': differs(['motion', 'apart.urdf', 'program.json', '--json'], '--acceleration', '3'),
    '--start': differs(programmed, '--start', '0.2,0.1'),
    '--avoid-collision': differs(programmed, '--avoid-collision'),
    '--out': { writes: 'programmed.csv', line: [...programmed, '--out', 'programmed.csv'] },
    '--plot': { writes: 'programmed.svg', line: [...programmed, '--plot', 'programmed.svg'] },
  },
  monitor: {
    ...query(monitor),
    ...output(monitor('touching.urdf'), monitor('warns.urdf')),
    ...depth(monitor),
    '--limits': differs(['monitor', 'apart.urdf', 'beyond.jsonl', '--distance', '0.1', '--json'], '--limits'),
    '--distance': differs(['monitor', 'apart.urdf', 'states.jsonl', '--json'], '--distance', '0.1'),
    '--period': differs(monitor('touching.urdf'), '--period', '0.5'),
  },
  fk: {
    ...mechanism(fk),
    ...groups(fk),
    ...limits(fk),
    ...output(fk('apart.urdf'), fk('warns.urdf')),
    '--states': differs(['fk', 'apart.urdf', '--json'], '--states', 'states.jsonl'),
    '--q': differs(['fk', 'apart.urdf', '--json'], '--q', '0,1'),
    '--frames': differs(fk('apart.urdf'), '--frames', 'link2'),
  },
  dynamics: {
    ...mechanism(dynamics),
    ...groups(dynamics),
    '--state': differs(dynamics('offset.urdf', ['--srdf', 'group.srdf', '--group', 'g'], '0'), '--state', '{"j1":2}'),
    ...output(dynamics('apart.urdf'), dynamics('warns.urdf')),
    '--states': differs(['dynamics', 'apart.urdf', '--json'], '--states', 'states.jsonl'),
    '--q': differs(['dynamics', 'offset.urdf', '--compute', 'com', '--json'], '--q', '0,1'),
    '--compute': differs(['dynamics', 'apart.urdf', '--json'], '--compute', 'energy'),
    '--gravity': differs(['dynamics', 'offset.urdf', '--json'], '--gravity', '1,2,0'),
  },
  pair: {
    ...output(pair, ['pair', 'sphere:0.1', 'sphere:0.1', '--poses', 'pair-long.jsonl', '--json']),
    '--scale': differs(meshPair('big.stl'), '--scale', '0.5'),
    '--solid': differs(['pair', '--pairs', 'hollow-pair.jsonl', '--json'], '--solid'),
    '--surface': differs(meshPair('big.stl'), '--surface'),
    '--up-axis': differs(meshPair('axis.dae'), '--up-axis', 'ignore'),
    '--unit': differs(meshPair('unit.obj'), '--unit', 'millimetre'),
    '--weld': differs(meshPair('open.obj'), '--weld', '0.001'),
    '--fill-holes': differs(meshPair('holed.obj'), '--fill-holes', '2'),
    '--poses': differs(['pair', 'sphere:0.1', 'sphere:0.1', '--json'], '--poses', 'pair-poses.jsonl'),
    '--pairs': differs(['pair', '--json'], '--pairs', 'pairs.jsonl'),
    '--query': differs(pair, '--query', 'contacts'),
    '--tolerance': differs([...pair, '--query', 'tolerance'], '--tolerance', '1'),
    '--max-contacts': differs(
      ['pair', 'box:1,1,1', 'box:1,1,1', '--query', 'contacts', '--json'],
      '--max-contacts',
      '1',
    ),
    '--stats': differs(pair, '--stats'),
  },
  ...WORLD_CASES,
  spheres: {
    ...output(
      ['spheres', 'apart.urdf', '--verify', 'spheres.json'],
      ['spheres', 'warns.urdf', '--verify', 'spheres.json'],
    ),
    ...packages((file, more = []) => ['spheres', file, '--verify', 'spheres.json', '--json', ...more], 'package.urdf'),
    '--srdf': { writes: 'kept.srdf', line: ['spheres', 'apart.urdf', '--srdf', 'group.srdf', '--out', 'kept.srdf'] },
    '--xacro-arg': differs(['spheres', 'arg.xacro', '--verify', 'spheres.json', '--json'], '--xacro-arg', 'size=2'),
    '--allow-missing': differs(['spheres', 'missing.urdf', '--verify', 'spheres.json', '--json'], '--allow-missing'),
    '--solid': { refused: ['spheres', 'apart.urdf', '--solid'], why: /^--solid: means nothing here/ },
    '--surface': differs(['spheres', 'solid.urdf', '--per-link', '2'], '--surface'),
    '--up-axis': differs(['spheres', 'axis.urdf', '--per-link', '2', '--json'], '--up-axis', 'file'),
    '--unit': differs(['spheres', 'unit.urdf', '--per-link', '2'], '--unit', 'millimetre'),
    '--weld': differs(['spheres', 'open.urdf', '--per-link', '2'], '--weld', '0.001'),
    '--fill-holes': differs(['spheres', 'holed.urdf', '--per-link', '2'], '--fill-holes', '2'),
    '--geometry': differs(['spheres', 'visual.urdf', '--verify', 'spheres.json', '--json'], '--geometry', 'visual'),
    '--per-link': differs(['spheres', 'solid.urdf'], '--per-link', '1'),
    '--total': differs(['spheres', 'solid.urdf'], '--total', '2'),
    '--excess': differs(['spheres', 'solid.urdf'], '--excess', '0.2'),
    '--coarse': differs(['spheres', 'solid.urdf', '--total', '9'], '--coarse'),
    '--out': { writes: 'fitted.json', line: ['spheres', 'apart.urdf', '--out', 'fitted.json'] },
    ...FITTED_CACHE,
    '--verify': differs(['spheres', 'apart.urdf'], '--verify', 'spheres.json'),
    '--tolerance': differs(['spheres', 'apart.urdf', '--verify', 'spheres.json', '--json'], '--tolerance', '1'),
  },
  info: {
    ...output(['info', 'apart.urdf'], ['info', 'warns.urdf']),
    ...packages((file, more = []) => ['info', file, '--json', ...more], 'package.urdf'),
    '--srdf': differs(['info', 'apart.urdf', '--json'], '--srdf', 'group.srdf'),
    '--xacro-arg': differs(['info', 'arg.xacro', '--json'], '--xacro-arg', 'unknown=1'),
    '--mimic': differs(['info', 'mimic.urdf', '--json'], '--mimic', 'ignore'),
    '--base': differs(['info', 'apart.urdf', '--json'], '--base', 'floating'),
    '--continuous': differs(['info', 'continuous.urdf', '--json'], '--continuous', 'cos-sin'),
    '--up-axis': differs(['info', 'axis.dae', '--json'], '--up-axis', 'ignore'),
    '--unit': differs(['info', 'unit.obj', '--json'], '--unit', 'millimetre'),
    '--weld': differs(['info', 'open.obj', '--json'], '--weld', '0.001'),
    '--fill-holes': differs(['info', 'holed.obj', '--json'], '--fill-holes', '2'),
    '--scale': differs(['info', 'big.stl', '--json'], '--scale', '2'),
    '--allow-outside': differs(['info', 'inner/outside.json', '--json'], '--allow-outside'),
  },
  view: {
    ...geometry(view),
    ...moving(view),
    '--srdf': differs(view('apart.urdf'), '--srdf', 'group.srdf'),
    '--solid': differs(view('solid.urdf'), '--solid'),
    '--acm-only': differs(view('touching.urdf', ['--acm', 'other.json']), '--acm-only'),
    '--weld': { refused: view('open.urdf', ['--weld', '0.001']), why: /^--weld: means nothing here/ },
    '--fill-holes': { refused: view('open.urdf', ['--fill-holes', '0.1']), why: /^--fill-holes: means nothing here/ },
    '--allow-missing': { refused: view('missing.urdf', ['--allow-missing']), why: /^--allow-missing: means nothing/ },
    '--scene': differs(view('apart.urdf'), '--scene', 'scene.json'),
    '--allow-outside': differs(view('apart.urdf', ['--scene', 'inner/outside.json']), '--allow-outside'),
    // Any free one, or this one: where it is taken, that is said.
    '--port': differs(view('apart.urdf'), '--port', '47113'),
    '--open': differs(view('apart.urdf'), '--open'),
    ...output(view('apart.urdf')),
  },
  demo: {
    ...output(['demo', '--json']),
    '--once': differs(['demo', '--json'], '--once'),
    '--port': differs(['demo', '--json'], '--port', '47114'),
  },
  bench: {
    '--json': differs(['bench', 'mesh'], '--json'),
    '--quiet': { refused: ['bench', 'mesh', '--quiet'], why: /^--quiet: means nothing here/ },
  },
  ...CHAIN_CASES,
};

const assembly = (file: string): string[] => ['check', file, '--json'];
const rayFile = (file: string): string[] => ['ray', file, '--rays', 'rays.jsonl', '--all', '--json'];
const info = (file: string): string[] => ['info', file, '--json'];

const PLANNING = [
  ...[
    '--start',
    '--goal',
    '--goal-pose',
    '--goal-look',
    '--problems',
    '--planner',
    '--seed',
    '--iterations',
    '--timeout',
  ],
  ...['--edges', '--simplify', '--timed', '--out', '--certificate'],
  ...['--constraint', '--optimise', '--roadmap', '--repair-start', '--explain', '--retreat'],
];
const MECHANISM = [
  ...['--srdf', '--package', '--package-path', '--xacro-arg', '--mimic', '--base', '--continuous'],
  ...['--allow-missing', '--group', '--state'],
];
/** Those that need no other. */
const TIMING = [
  ...['--corners', '--velocity', '--acceleration', '--jerk', '--torque', '--followers', '--intervals', '--dt', '--out'],
];

export const MODES: Readonly<Record<string, Mode>> = {
  ...WORLD_MODES,
  'check of a scene': {
    command: 'check',
    line: ['check', 'assembly.json'],
    accepts: {
      '--solid': differs(assembly('assembly.json'), '--solid'),
      '--surface': differs(assembly('solid-robot.json'), '--surface'),
      '--up-axis': differs(assembly('axis-assembly.json'), '--up-axis', 'ignore'),
      '--unit': differs(assembly('unit-assembly.json'), '--unit', 'millimetre'),
      '--weld': differs(assembly('open-assembly.json'), '--weld', '0.001'),
      '--fill-holes': differs(assembly('holed-assembly.json'), '--fill-holes', '2'),
      '--geometry': differs(assembly('visual-robot.json'), '--geometry', 'visual'),
      ...packages((file) => assembly(file), 'package-robot.json'),
      '--xacro-arg': differs(assembly('arg-robot.json'), '--xacro-arg', 'size=0.5'),
      '--mimic': differs(assembly('mimic-robot.json'), '--mimic', 'ignore'),
      '--continuous': differs(assembly('turned-robot.json'), '--continuous', 'cos-sin'),
      '--allow-missing': differs(assembly('missing-robot.json'), '--allow-missing'),
      '--allow-outside': differs(assembly('inner/outside.json'), '--allow-outside'),
      '--margin': differs(assembly('assembly.json'), '--margin', '1'),
      '--depth': differs(assembly('deep-assembly.json'), '--depth', 'hull'),
    },
    optional: OUTPUT,
  },
  'ray on a scene': {
    command: 'ray',
    line: ['ray', 'assembly.json', '--rays', 'rays.jsonl'],
    accepts: {
      '--solid': differs(rayFile('assembly.json'), '--solid'),
      '--surface': differs(rayFile('solid-robot.json'), '--surface'),
      '--up-axis': differs(rayFile('axis-assembly.json'), '--up-axis', 'ignore'),
      '--unit': differs(rayFile('unit-assembly.json'), '--unit', 'millimetre'),
      '--weld': differs(rayFile('open-assembly.json'), '--weld', '0.001'),
      '--fill-holes': differs(rayFile('holed-assembly.json'), '--fill-holes', '2'),
      '--geometry': differs(rayFile('visual-robot.json'), '--geometry', 'visual'),
      ...packages((file) => rayFile(file), 'package-robot.json'),
      '--xacro-arg': differs(rayFile('arg-robot.json'), '--xacro-arg', 'size=0.5'),
      '--mimic': differs(rayFile('mimic-robot.json'), '--mimic', 'ignore'),
      '--continuous': differs(rayFile('turned-robot.json'), '--continuous', 'cos-sin'),
      '--allow-missing': differs(rayFile('missing-robot.json'), '--allow-missing'),
      '--allow-outside': differs(rayFile('inner/outside.json'), '--allow-outside'),
    },
    optional: [...OUTPUT, '--rays', '--all'],
  },
  'cast of shapes': {
    command: 'cast',
    line: ['cast', 'sphere:0.1', 'sphere:0.1', '--motions', 'casts.jsonl'],
    accepts: {
      '--solid': differs(['cast', '--pairs', 'hollow-pair.jsonl', '--json'], '--solid'),
      '--surface': differs(['cast', 'big.stl', 'sphere:0.1', '--motions', 'inside.jsonl', '--json'], '--surface'),
      '--up-axis': differs(
        ['cast', 'axis.dae', 'sphere:0.1', '--motions', 'up.jsonl', '--json'],
        '--up-axis',
        'ignore',
      ),
      '--unit': differs(['cast', 'unit.obj', 'sphere:0.1', '--motions', 'up.jsonl', '--json'], '--unit', 'millimetre'),
      '--weld': differs(['cast', 'open.obj', 'sphere:0.1', '--motions', 'casts.jsonl', '--json'], '--weld', '0.001'),
      '--fill-holes': differs(
        ['cast', 'holed.obj', 'sphere:0.1', '--motions', 'casts.jsonl', '--json'],
        '--fill-holes',
        '2',
      ),
      '--tolerance': differs(
        ['cast', 'sphere:0.1', 'sphere:0.1', '--motions', 'casts.jsonl', '--json'],
        '--tolerance',
        '0.1',
      ),
    },
    optional: [...OUTPUT, '--scale', '--motions', '--pairs'],
  },
  'info of a robot': {
    command: 'info',
    line: ['info', 'apart.urdf'],
    accepts: {},
    optional: [...OUTPUT, '--srdf', '--package', '--package-path', '--xacro-arg', '--mimic', '--base', '--continuous'],
  },
  'info of a mesh': {
    command: 'info',
    line: ['info', 'big.stl'],
    accepts: {},
    optional: [...OUTPUT, '--up-axis', '--unit', '--weld', '--fill-holes', '--scale'],
  },
  'info of a scene': {
    command: 'info',
    line: ['info', 'assembly.json'],
    accepts: { ...packages((file) => info(file), 'packaged.json') },
    optional: [...OUTPUT, '--allow-outside'],
  },
  'ik without --avoid': {
    command: 'ik',
    line: ['ik', 'apart.urdf', '--frame', 'link2', '--targets', 'targets.jsonl'],
    accepts: {},
    optional: [
      ...OUTPUT,
      ...[
        '--srdf',
        '--package',
        '--package-path',
        '--xacro-arg',
        '--mimic',
        '--base',
        '--continuous',
        '--allow-missing',
      ],
      ...[
        '--group',
        '--state',
        '--frame',
        '--targets',
        '--task',
        '--position',
        '--goal',
        '--avoid',
        '--avoid-collision',
      ],
      ...['--all', '--restarts', '--seed', '--path', '--position-tolerance', '--rotation-tolerance'],
    ],
  },
  'plan without --timed': {
    command: 'plan',
    line: ['plan', 'apart.urdf', '--goal', '1,1'],
    accepts: {},
    optional: [...OUTPUT, ...Object.keys(query(plan)), ...PLANNING],
  },
  'optimise without --timed': {
    command: 'optimise',
    line: ['optimise', 'apart.urdf', 'optimise-far.json'],
    accepts: {},
    optional: [
      ...[...OUTPUT, ...Object.keys(query(optimise))],
      ...['--optimiser', '--seeds', '--seed', '--timeout', '--workers', '--timed', '--out', '--plot', '--certificate'],
    ],
  },
  'trajectory without surroundings': {
    command: 'trajectory',
    line: ['trajectory', 'apart.urdf', '--path', 'path.json', '--acceleration', '3'],
    accepts: {},
    optional: [
      ...OUTPUT,
      ...MECHANISM,
      ...TIMING,
      '--scene',
      '--plot',
      '--avoid-collision',
      '--path',
      '--problem',
      '--method',
    ],
  },
  'motion without surroundings': {
    command: 'motion',
    line: ['motion', 'apart.urdf', 'program.json', '--acceleration', '3'],
    accepts: {},
    optional: [
      ...OUTPUT,
      ...MECHANISM,
      ...TIMING.filter((option) => option !== '--corners' && option !== '--jerk'),
      ...['--scene', '--plot', '--avoid-collision', '--start'],
    ],
  },
  'trajectory of one that is given': {
    command: 'trajectory',
    line: ['trajectory', 'apart.urdf', '--path', 'timed.csv'],
    accepts: {},
    optional: [
      ...OUTPUT,
      ...MECHANISM.filter((option) => option !== '--group' && option !== '--state'),
      ...TIMING.filter((option) => option !== '--corners' && option !== '--intervals'),
      ...['--scene', '--plot', '--avoid-collision', '--path'],
    ],
  },
  'view of a mesh': {
    command: 'view',
    line: ['view', 'big.stl'],
    accepts: {},
    optional: [...OUTPUT, '--solid', '--surface', '--up-axis', '--unit', '--scene', '--port', '--open'],
  },
  ...CHAIN_MODES,
};
