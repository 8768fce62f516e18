/** The rows of the options of what moves in numbers, under forces or out of an assembly. */
import { type CommandCases, differs, output } from './option-case.js';

const FLEET_MAP = ['fleet', 'floor.map', '--agents', '2', '--rounds', '0', '--json'];
const FLEET_WORLD = ['fleet', 'floor.json', '--rounds', '0', '--json'];

export const WORLD_CASES: Readonly<Record<string, CommandCases>> = {
  fleet: {
    '--json': differs(['fleet', 'floor.map', '--agents', '2', '--rounds', '0'], '--json'),
    '--quiet': {
      base: ['fleet', 'floor.map', '--agents', '2', '--rounds', '0'],
      same: ['--quiet'],
      reason: 'it says nothing but its answer',
    },
    '--agents': differs(['fleet', 'floor.map', '--scen', 'floor.scen', '--rounds', '0', '--json'], '--agents', '1'),
    '--scen': differs(FLEET_MAP, '--scen', 'floor.scen'),
    '--seed': differs(FLEET_MAP, '--seed', '5'),
    '--timeout': { refused: [...FLEET_MAP, '--timeout', '0'], why: /^--timeout "0": expected greater than 0/ },
    '--iterations': differs(FLEET_MAP, '--iterations', '1'),
    '--rounds': differs(['fleet', 'floor.map', '--agents', '9', '--iterations', '9999', '--json'], '--rounds', '40'),
    '--no-rotations': differs(
      ['fleet', 'ring.map', '--scen', 'ring.scen', '--rounds', '0', '--json'],
      '--no-rotations',
    ),
    '--out': { writes: 'paths.json', line: [...FLEET_MAP, '--out', 'paths.json'] },
    '--for': differs(FLEET_WORLD, '--for', '1'),
    '--step': differs(FLEET_WORLD, '--step', '0.05'),
    '--rate': {
      writes: 'often.csv',
      line: [...FLEET_WORLD, '--csv', 'often.csv', '--rate', '5'],
      other: 'seldom.csv',
    },
    '--record': { writes: 'run.mcap', line: [...FLEET_WORLD, '--record', 'run.mcap'] },
    '--csv': { writes: 'metrics.csv', line: [...FLEET_WORLD, '--csv', 'metrics.csv'] },
    '--checkpoint': { writes: 'run.json', line: [...FLEET_WORLD, '--checkpoint', 'run.json'] },
    '--resume': { refused: [...FLEET_WORLD, '--resume'], why: /^--resume: from which --checkpoint/ },
  },
  simulate: {
    '--json': differs(['simulate', 'world.json'], '--json'),
    '--quiet': {
      base: ['simulate', 'world.json', '--for', '0.01', '--json'],
      same: ['--quiet'],
      reason: 'nothing is warned of',
    },
    '--for': differs(['simulate', 'world.json', '--json'], '--for', '0.5'),
    '--step': differs(['simulate', 'world.json', '--json'], '--step', '0.01'),
    '--contact': differs(['simulate', 'world.json', '--json'], '--contact', 'soft'),
    '--solver': differs(['simulate', 'pile.json', '--json'], '--solver', 'gauss-seidel'),
    '--rtf': { refused: ['simulate', 'world.json', '--rtf', 'slow'], why: /--rtf: got slow/ },
    '--every': differs(['simulate', 'world.json', '--json'], '--every', '0.5'),
    '--record': { writes: 'world.mcap', line: ['simulate', 'world.json', '--record', 'world.mcap'] },
    '--checkpoint': { writes: 'world.ckpt', line: ['simulate', 'world.json', '--checkpoint', 'world.ckpt'] },
    '--resume': { refused: ['simulate', 'world.json', '--resume'], why: /needs --checkpoint/ },
    '--allow-outside': differs(['simulate', 'inner/world.json', '--json'], '--allow-outside'),
    '--allow-missing': {
      base: ['simulate', 'world.json', '--for', '0.01', '--json'],
      same: ['--allow-missing'],
      reason: 'nothing is missing',
    },
  },
  'plan-rigid': {
    ...output(['plan-rigid', 'slot.json']),
    '--quiet': { base: ['plan-rigid', 'gone.json'], same: ['--quiet'], reason: 'errors are told even with --quiet' },
    '--seed': differs(['plan-rigid', 'turn.json'], '--seed', '1'),
    '--timeout': differs(['plan-rigid', 'shut.json', '--queries', '3000'], '--timeout', '0.000001'),
    '--queries': differs(['plan-rigid', 'turn.json'], '--queries', '100'),
    '--no-shorten': differs(['plan-rigid', 'turn.json'], '--no-shorten'),
    '--certificate': {
      writes: 'rigid-proof.json',
      line: ['plan-rigid', 'slot.json', '--certificate', 'rigid-proof.json'],
    },
    '--verify': differs(['plan-rigid', 'slot.json'], '--verify', 'rigid-path.json'),
  },
  disassemble: {
    ...output(['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj']),
    '--quiet': {
      base: ['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj', '--json', '--start', 'a'],
      same: ['--quiet'],
      reason: 'errors are told even with --quiet',
    },
    '--part': differs(['disassemble', '--obstacles', 'walls.obj'], '--part', 'peg.obj'),
    '--obstacles': differs(['disassemble', '--part', 'peg.obj'], '--obstacles', 'walls.obj'),
    '--start': differs(['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj'], '--start', '0.1,0,0,0,0,0,1'),
    '--goal': differs(['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj'], '--goal', '5,0,0,0,0,0,1'),
    '--seed': {
      base: ['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj', '--goal', '1,0,0,0,0,0,1', '--start', '9'],
      same: ['--seed', '2'],
      reason: 'refused before',
    },
    '--timeout': differs(
      ['disassemble', '--part', 'peg.obj', '--obstacles', 'cell.obj', '--queries', '3000'],
      '--timeout',
      '0.000001',
    ),
    '--queries': differs(
      ['disassemble', '--part', 'peg.obj', '--obstacles', 'cell.obj', '--timeout', '0.000001'],
      '--queries',
      '1',
    ),
    '--certificate': {
      writes: 'peg-proof.json',
      line: ['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj', '--certificate', 'peg-proof.json'],
    },
    '--swept': {
      writes: 'peg-swept.stl',
      line: ['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj', '--swept', 'peg-swept.stl'],
    },
    '--swept-cell': differs(
      ['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj', '--swept', 'peg-b.stl'],
      '--swept-cell',
      '0.3',
    ),
    '--scale': differs(['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj'], '--scale', '2'),
    '--up-axis': differs(['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj'], '--up-axis', 'unknown'),
    '--unit': differs(['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj'], '--unit', 'millimetre'),
    '--weld': differs(['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj'], '--weld', '3'),
    '--fill-holes': {
      base: ['disassemble', '--part', 'peg.obj', '--obstacles', 'walls.obj', '--start', '9'],
      same: ['--fill-holes', '0.01'],
      reason: 'refused before; meshes are surfaces here',
    },
  },
  sequence: {
    ...output(['sequence', 'pegs.json', '--part-queries', '0']),
    '--quiet': { base: ['sequence', 'pegs.json'], same: ['--quiet'], reason: 'it warns of nothing here' },
    '--timeout': differs(['sequence', 'pegs.json'], '--timeout', '0.000001'),
    '--queries': { base: ['sequence', 'pegs.json'], same: ['--queries', '9000000'], reason: 'straight ways take few' },
    '--part-queries': differs(['sequence', 'locked.json'], '--part-queries', '0'),
    '--base': differs(['sequence', 'pegs.json'], '--base', 'peg'),
    '--allow-outside': differs(['sequence', 'sub/outside.json'], '--allow-outside'),
    '--out': { writes: 'pegs-out.json', line: ['sequence', 'pegs.json', '--out', 'pegs-out.json'] },
    '--scale': differs(['sequence', 'pegs.json', '--json'], '--scale', '2'),
    '--up-axis': differs(['sequence', 'pegs.json'], '--up-axis', 'unknown'),
    '--unit': differs(['sequence', 'pegs.json', '--json'], '--unit', 'millimetre'),
    '--weld': differs(['sequence', 'pegs.json'], '--weld', '3'),
    '--fill-holes': {
      base: ['sequence', 'pegs.json'],
      same: ['--fill-holes', '0.01'],
      reason: 'meshes are surfaces here',
    },
  },
};
