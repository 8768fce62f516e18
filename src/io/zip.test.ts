import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { crc32, readZipDirectory, type ZipEntry } from './zip.js';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const unpack = (entry: ZipEntry): Uint8Array =>
  entry.isDeflated ? inflateRawSync(entry.bytes) : Uint8Array.from(entry.bytes);

describe('readZipDirectory', () => {
  it('lists stored and deflated files with their checksums', () => {
    const content = { 'a/b.txt': text('hello '.repeat(100)), 'c.bin': text('x'), 'ünd/d.txt': text('') };
    for (const level of [0, 6] as const) {
      const { value, issues } = readZipDirectory(zipSync(content, { level }));
      expect(issues).toEqual([]);
      expect(value!.map(({ path }) => path)).toEqual(Object.keys(content));
      for (const entry of value!) {
        const bytes = unpack(entry);
        expect([...bytes]).toEqual([...content[entry.path as keyof typeof content]]);
        expect(bytes.length).toBe(entry.unpackedSize);
        expect(crc32(bytes)).toBe(entry.checksum);
      }
    }
  });

  it('keeps names inside, and leaves folders and what Finder adds out', () => {
    const zip = zipSync({ '../../up.txt': text('a'), 'folder/': new Uint8Array(0), '__MACOSX/x': text('b') });
    expect(readZipDirectory(zip).value!.map(({ path }) => path)).toEqual(['up.txt']);
  });

  it('refuses more than it may unpack, before unpacking', () => {
    const zip = zipSync({ 'a.bin': new Uint8Array(1_000_000) });
    const { value, issues } = readZipDirectory(zip, { maximumBytes: 999_999, file: 'big.zip' });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'zip-too-large', file: 'big.zip' }]);
  });

  it('never throws, and never reads beyond a file that is cut or changed', () => {
    const zip = zipSync({ 'a.txt': text('one two three '.repeat(20)), 'b/c.txt': text('four') });
    fc.assert(
      fc.property(fc.nat(zip.length), fc.nat(zip.length - 1), fc.nat(255), (cut, place, byte) => {
        const damaged = zip.slice(0, cut === 0 ? zip.length : cut);
        if (place < damaged.length) damaged[place] = byte;
        const { value, issues } = readZipDirectory(damaged);
        if (value === null) expect(issues.length).toBeGreaterThan(0);
        for (const { bytes } of value ?? []) expect(bytes.length).toBeLessThanOrEqual(damaged.length);
      }),
      { numRuns: 500 },
    );
    for (let length = 0; length < zip.length; length++)
      expect(readZipDirectory(zip.subarray(0, length)).value).toBeNull();
  });
});
