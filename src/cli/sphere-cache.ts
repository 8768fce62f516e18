/**
 * Fitted spheres in a folder, by the hash of what they were fitted to. A file that cannot be read, or holds something else, counts as absent;
 * one that cannot be written is done without.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FittedSpheres, SphereLevel } from '../geometry/sphere-cover/fit-spheres.js';

type Written<T> = { [Key in keyof T]: T[Key] extends Float64Array ? number[] : T[Key] };
type WrittenSpheres = Written<Omit<FittedSpheres, 'levels'>> & { levels: Written<SphereLevel>[] };

class FolderMemory extends Map<string, FittedSpheres> {
  constructor(private readonly folder: string) {
    super();
  }

  override get(key: string): FittedSpheres | undefined {
    const known = super.get(key);
    if (known) return known;
    try {
      const { bound, levels, ...rest } = JSON.parse(readFileSync(this.fileOf(key), 'utf8')) as WrittenSpheres;
      const value = {
        ...rest,
        bound: toSpheres(bound),
        levels: levels.map((level) => ({ ...level, spheres: toSpheres(level.spheres) })),
      };
      if (value.levels.length === 0) return undefined;
      super.set(key, value);
      return value;
    } catch {
      return undefined;
    }
  }

  override set(key: string, value: FittedSpheres): this {
    const { bound, levels, ...rest } = value;
    const written: WrittenSpheres = {
      ...rest,
      bound: Array.from(bound),
      levels: levels.map((level) => ({ ...level, spheres: Array.from(level.spheres) })),
    };
    const file = this.fileOf(key);
    try {
      // Whole or not at all, whoever else writes it.
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(written));
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // It is fitted again next time.
    }
    return super.set(key, value);
  }

  private fileOf(key: string): string {
    return join(this.folder, `spheres-${key}.json`);
  }
}

/** Throws on what are no spheres. */
function toSpheres(list: readonly number[]): Float64Array {
  const numbers = Float64Array.from(list);
  const isWrong = numbers.length === 0 || numbers.length % 4 !== 0 || !numbers.every(Number.isFinite);
  if (isWrong) throw new TypeError('spheres, expected four numbers each');
  return numbers;
}

export function createFolderMemory(folder: string): Map<string, FittedSpheres> {
  return new FolderMemory(folder);
}
