/** Fitted spheres in a folder, by the hash of what they were fitted to. A file that cannot be read counts as absent. */
import { readFileSync, writeFileSync } from 'node:fs';
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
        bound: Float64Array.from(bound),
        levels: levels.map((level) => ({ ...level, spheres: Float64Array.from(level.spheres) })),
      };
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
    writeFileSync(this.fileOf(key), JSON.stringify(written));
    return super.set(key, value);
  }

  private fileOf(key: string): string {
    return join(this.folder, `spheres-${key}.json`);
  }
}

export function createFolderMemory(folder: string): Map<string, FittedSpheres> {
  return new FolderMemory(folder);
}
