import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from './exit.js';
import { openArchives } from './workbench-archive.js';

const folder = mkdtempSync(join(tmpdir(), 'clearance-archive-'));
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const write = (name: string, bytes: Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const content = { 'scene.json': text('{"version":1}'), 'meshes/1.ply': text('ply '.repeat(300)) };

describe('openArchives', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('puts the scene file in the place of the zip, beside what it names, until it is closed', () => {
    const file = write('a.clearance.zip', zipSync(content));
    const { args, close } = openArchives(['check', file, '--all']);
    expect(args[0]).toBe('check');
    expect(args[2]).toBe('--all');
    expect(readFileSync(args[1], 'utf8')).toBe('{"version":1}');
    expect(readFileSync(join(args[1], '../meshes/1.ply'), 'utf8')).toBe('ply '.repeat(300));
    close();
    expect(existsSync(args[1])).toBe(false);
  });

  it('leaves other arguments and the viewer alone', () => {
    const file = write('b.clearance.zip', zipSync(content));
    expect(openArchives(['view', file]).args).toEqual(['view', file]);
    expect(openArchives(['check', 'robot.urdf', 'x.zip']).args).toEqual(['check', 'robot.urdf', 'x.zip']);
  });

  it('keeps entries within its folder', () => {
    const file = write('c.clearance.zip', zipSync({ ...content, '../../outside.txt': text('x') }));
    const { args, close } = openArchives(['check', file]);
    expect(existsSync(join(args[1], '../../../outside.txt'))).toBe(false);
    expect(existsSync(join(args[1], '../../outside.txt'))).toBe(false);
    close();
  });

  it('refuses what is missing, damaged or not of the viewer, and leaves nothing behind', () => {
    const whole = zipSync(content);
    const damaged = whole.slice();
    damaged[45] ^= 255;
    for (const [name, bytes, words] of [
      ['d.clearance.zip', whole.subarray(0, 60), /no zip file that can be read/],
      ['e.clearance.zip', damaged, /is damaged; save it again/],
      ['f.clearance.zip', zipSync({ 'other.txt': text('x') }), /holds no scene\.json/],
    ] as const) {
      const file = write(name, bytes);
      expect(() => openArchives(['check', file])).toThrow(words);
      expect(() => openArchives(['check', file])).toThrow(UsageError);
    }
    expect(() => openArchives(['check', join(folder, 'none.clearance.zip')])).toThrow(/no such file/);
  });
});
