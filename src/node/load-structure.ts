/** Macromolecular structures from disk, gzip-compressed or not. */

import { gunzipSync } from 'node:zlib';
import { requireLoad } from '../io/io-door.js';
import type { Parsed } from '../io/issue.js';
import { parseStructure, STRUCTURE_EXTENSIONS, structureFormatOf } from '../io/molecule/structure.js';
import { requireNotNegative } from '../math/arguments.js';
import type { Structure } from '../molecule/structure.js';
import { readBytes, refuseFile } from './load-mesh.js';

/** Structures pack to a third or a tenth; a file that unpacks to much more is refused before it takes the memory. */
const UNPACKED_FLOOR = 2 ** 23;
const UNPACKED_RATIO = 40;

export interface LoadStructureOptions {
  /** Largest file, and largest content after unpacking; default 1 GiB. */
  readonly maximumBytes?: number;
}

/** Reads .pdb, .ent, .cif, .mmcif, .bcif and the same with .gz. `value` is null when the file cannot be used. */
export async function loadStructure(file: string, options: LoadStructureOptions = {}): Promise<Parsed<Structure>> {
  requireLoad('loadStructure', file, options, { maximumBytes: requireNotNegative });
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
    const most = Math.min(maximumBytes, UNPACKED_FLOOR + UNPACKED_RATIO * bytes.length);
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: most });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_BUFFER_TOO_LARGE') {
        const message =
          most < maximumBytes
            ? `unpacks to more than ${most} bytes, far beyond what structures of ${bytes.length} packed bytes hold; unpack it by hand if that is right`
            : `unpacks to more than ${maximumBytes} bytes; raise the limit`;
        return refuseFile(file, 'file-too-large', message);
      }
      return refuseFile(file, 'bad-gzip', `damaged gzip data: ${message}`);
    }
  }
  return parseStructure(bytes, format, { file });
}
