/** `clearance motion` from the outside: answers, exit statuses, files, and what it says of programs that cannot run. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const robot = join(examples, 'arm', 'arm.urdf');
const srdf = ['--srdf', join(examples, 'arm', 'arm.srdf')];
const folder = mkdtempSync(join(tmpdir(), 'motion-'));
const motion = (file: string, ...more: string[]) =>
  callCommandLine(['motion', robot, file, ...srdf, '--acceleration', '5', ...more]);

function write(name: string, moves: readonly unknown[], more: Record<string, unknown> = {}): string {
  const file = join(folder, name);
  const start = { joint_4: -1.8, joint_6: 1.341593 };
  writeFileSync(file, JSON.stringify({ format: 'clearance.motion/1', tool: { frame: 'tool' }, start, moves, ...more }));
  return file;
}

describe('clearance motion', () => {
  it('plans the bundled program free of the table, writes samples that another command reads, and a picture', () => {
    const [out, plot] = [join(folder, 'p.csv'), join(folder, 'p.svg')];
    const program = join(examples, 'motions', 'palletise.json');
    const scene = join(examples, 'motions', 'table.json');
    const { status, out: text } = motion(
      program,
      '--scene',
      scene,
      '--out',
      out,
      '--plot',
      plot,
      '--dt',
      '0.01',
      '--json',
    );
    expect(status).toBe(0);
    const answer = JSON.parse(text);
    expect(answer).toMatchObject({ status: 'solved', valid: true, checked: 'certified', certified: true, place: null });
    expect(answer.cost).toBe(answer.duration);
    expect(answer.moves).toHaveLength(16);
    expect(answer.moves[1]).toMatchObject({ name: 'to the feeder', kind: 'lin' });
    expect(readFileSync(plot, 'utf8')).toMatch(/speed of the tool/);
    const checked = callCommandLine(['trajectory', robot, '--path', out, '--acceleration', '5', '--json']);
    expect(JSON.parse(checked.out)).toMatchObject({ status: 'valid' });
  });

  it('says which move cannot run, where and why, and ends with status 1', () => {
    const file = write('far.json', [
      { move: 'lin', to: [0.39, 0.1, 0.4] },
      { move: 'lin', name: 'too far', to: [1.2, 0.1, 0.4] },
    ]);
    const { status, out } = motion(file, '--json');
    expect(status).toBe(1);
    const { place, ...answer } = JSON.parse(out);
    expect(answer).toMatchObject({ duration: null, cost: null, samples: 0, moves: [] });
    expect(['unreachable', 'singular', 'joint-limit']).toContain(answer.status);
    expect(place).toMatchObject({ move: 1, name: 'too far' });
    expect(place.s).toBeGreaterThan(0.05);
    expect(place.q).toHaveLength(8);
    expect(motion(file).out).toMatch(/^(unreachable|singular|joint-limit): .*; too far, 0\.\d+ m along it/);
  });

  it('names the element of a program that is wrong, with status 2', () => {
    const wrong = motion(write('wrong.json', [{ move: 'lin', to: [0, 0] }]));
    expect(wrong).toMatchObject({ status: 2, out: '' });
    expect(wrong.err).toMatch(
      /wrong\.json: error: got .*expected seven numbers of a pose, or three of a position \(moves\[0\]\.to\)/,
    );
    const unknown = motion(write('unknown.json', [{ move: 'lin', to: 'nowhere' }]));
    expect(unknown.status).toBe(2);
    expect(unknown.err).toMatch(
      /unknown\.json: planMotion: program\.moves\[0\]\.to, got "nowhere", expected the name of a point/,
    );
    expect(callCommandLine(['motion', robot, write('bare.json', [])]).err).toMatch(
      /--acceleration or --torque: expected one/,
    );
  });

  it('begins where it is told, and takes states of the SRDF', () => {
    const file = write('states.json', [{ move: 'ptp', to: 'home' }]);
    const { status, out } = motion(file, '--start', 'ready', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out).duration).toBeGreaterThan(0.5);
    expect(JSON.parse(motion(file, '--start', 'home', '--json').out)).toMatchObject({
      status: 'solved',
      duration: null,
    });
  });
});
