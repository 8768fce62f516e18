/** Shaders that lose what the workbench never switches on (viewer/lean-three.ts): conditions by hand, and all of three.js. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { shortenShader, withoutJson } from '../../viewer/lean-three.js';

const sources = fileURLToPath(new URL('../../node_modules/three/src/', import.meta.url));
const shaders = `${sources}renderers/shaders/`;

describe('classes without their JSON', () => {
  it('lose that method whole and nothing else', () => {
    const files = (readdirSync(sources, { recursive: true }) as string[]).filter((file) => file.endsWith('.js'));
    let count = 0;
    for (const file of files) {
      const code = readFileSync(`${sources}${file}`, 'utf8');
      const kept = withoutJson(code);
      if (kept === code) continue;
      count++;
      expect(parseSync(file, kept).errors, file).toEqual([]);
      const methods = (text: string): string[] => [...text.matchAll(/^\t(\w+)\(.*\) \{$/gm)].map(([, name]) => name);
      expect(methods(kept), file).toEqual(methods(code).filter((name) => name !== 'toJSON'));
    }
    expect(count).toBeGreaterThan(10);
  });
});

describe('shaders without what is never switched on', () => {
  it.each([
    ['#ifdef USE_MAP\na\n#endif\nb', 'b'],
    ['#ifdef USE_MAP\na\n#else\nb\n#endif', 'b'],
    ['#ifndef USE_MAP\na\n#else\nb\n#endif', 'a'],
    ['#ifdef USE_COLOR\na\n#ifdef USE_FOG\nb\n#endif\n#endif', '#ifdef USE_COLOR\na\n#endif'],
    [
      '#if defined( USE_MAP )\na\n#elif defined( USE_COLOR )\nb\n#else\nc\n#endif',
      '#if defined( USE_COLOR )\nb\n#else\nc\n#endif',
    ],
    [
      '#if defined( USE_COLOR )\na\n#elif defined( USE_MAP )\nb\n#else\nc\n#endif',
      '#if defined( USE_COLOR )\na\n#else\nc\n#endif',
    ],
    ['#if defined( USE_COLOR ) || ! defined( USE_MAP )\na\n#else\nb\n#endif', 'a'],
    ['#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )\na\n#endif\nb // c\n/* d */', 'b'],
    ['#if NUM_DIR_LIGHTS > 0\na\n#endif', '#if NUM_DIR_LIGHTS > 0\na\n#endif'],
  ])('%j', (text, kept) => expect(shortenShader(text).trim()).toBe(kept));

  it('keeps every shader of three.js in balance', () => {
    for (const file of readdirSync(shaders, { recursive: true }) as string[]) {
      if (!file.endsWith('.glsl.js')) continue;
      for (const [, text] of readFileSync(`${shaders}${file}`, 'utf8').matchAll(/`([^`]*)`/g)) {
        const kept = shortenShader(text);
        const count = (pattern: RegExp): number => kept.match(pattern)?.length ?? 0;
        expect(count(/^#\s*if/gm), file).toBe(count(/^#\s*endif/gm));
        // An include of a chunk stays or goes with its condition; nothing is made up.
        const given = new Set(text.split('\n').map((line) => line.replace(/\/\/.*|\/\*.*?\*\//g, '').trim()));
        for (const line of kept.split('\n'))
          expect(line.startsWith('#') || given.has(line), `${file}: ${line}`).toBe(true);
      }
    }
  });
});
