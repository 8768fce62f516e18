/**
 * Zip files that the viewer saves, as arguments: the scene file in them takes their place, unpacked beside its robots and meshes into a
 * folder that is gone when the process ends.
 *
 * Every entry is checked against its length and checksum. Paths cannot leave the folder: `readZipDirectory` resolves them.
 * Test: workbench-archive.test.ts.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { crc32, readZipDirectory } from '../io/zip.js';
import { UsageError } from './exit.js';

const ARCHIVE = /\.clearance\.zip$/i;
const SCENE_FILE = 'scene.json';

export interface OpenedArchives {
  readonly args: readonly string[];
  /** Takes the folders away again. */
  close(): void;
}

/** `view` shows the archives themselves. Throws UsageError for one that cannot be read. */
export function openArchives(args: readonly string[]): OpenedArchives {
  const folders: string[] = [];
  const close = (): void => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  };
  if (args.includes('view') || !args.some((arg) => ARCHIVE.test(arg))) return { args, close };
  try {
    return { args: args.map((arg) => (ARCHIVE.test(arg) ? unpack(arg, folders) : arg)), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the path of the scene file. */
function unpack(file: string, folders: string[]): string {
  const { value, issues } = readZipDirectory(readArchive(file), { file });
  if (!value) throw new UsageError(`${file}: ${issues.map(({ message }) => message).join('; ')}`);
  if (!value.some(({ path }) => path === SCENE_FILE))
    throw new UsageError(`${file}: holds no ${SCENE_FILE}, expected a zip that the viewer saved`);
  const folder = mkdtempSync(join(tmpdir(), 'clearance-zip-'));
  folders.push(folder);
  for (const { path, bytes, isDeflated, unpackedSize, checksum } of value) {
    const content = isDeflated ? inflate(file, path, bytes, unpackedSize) : bytes;
    if (content.length !== unpackedSize || crc32(content) !== checksum)
      throw new UsageError(`${file}: "${path}" is damaged; save it again`);
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return join(folder, SCENE_FILE);
}

function readArchive(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`${file}: no such file`);
  }
}

function inflate(file: string, path: string, bytes: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw new UsageError(`${file}: "${path}" is damaged; save it again`);
  }
}
