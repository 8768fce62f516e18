/** Macromolecular structures from disk, gzip-compressed or not. */
import { gunzipSync } from 'node:zlib';
import type { Parsed } from '../io/issue.js';
import { parseStructure, STRUCTURE_EXTENSIONS, structureFormatOf } from '../io/structure.js';
import type { Structure } from '../molecule/structure.js';
import { readBytes, refuseFile } from './load-mesh.js';

export interface LoadStructureOptions {
  /** Largest file, and largest content after unpacking; default 1 GiB. */
  readonly maximumBytes?: number;
}

/** Reads .pdb, .ent, .cif, .mmcif, .bcif and the same with .gz. `value` is null when the file cannot be used. */
export async function loadStructure(file: string, options: LoadStructureOptions = {}): Promise<Parsed<Structure>> {
  const { maximumBytes = 2 ** 30 } = options;
  const format = structureFormatOf(file);
  if (!format) {
    const known = STRUCTURE_EXTENSIONS.map((extension) => `.${extension}`).join(' ');
    const remedy = /\.mmtf(?:\.gz)?$/i.test(file)
      ? 'MMTF has been retired; convert it to BinaryCIF'
      : `expected one of ${known}, each with or without .gz`;
    return refuseFile(file, 'unknown-format', `no structure file: ${remedy}`);
  }
  const read = await readBytes(file, maximumBytes);
  if (!read.value) return { value: null, issues: read.issues };
  let bytes = read.value;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: maximumBytes });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_BUFFER_TOO_LARGE') {
        return refuseFile(file, 'file-too-large', `unpacks to more than ${maximumBytes} bytes; raise the limit`);
      }
      return refuseFile(file, 'bad-gzip', `damaged gzip data: ${message}`);
    }
  }
  return parseStructure(bytes, format, { file });
}
