/** Macromolecular structures for a page, gzip-compressed or not, by URL or from files that the user gave. */

import { requireLoad } from '../io/io-door.js';
import type { Parsed } from '../io/issue.js';
import { parseStructure, STRUCTURE_EXTENSIONS, structureFormatOf } from '../io/molecule/structure.js';
import type { Structure } from '../molecule/structure.js';
import { createFileSource, DEFAULT_MAXIMUM_BYTES, type WebOptions } from './file-source.js';
import { WEB_OPTIONS } from './web-door.js';

/** Reads .pdb, .ent, .cif, .mmcif, .bcif and the same with .gz. `value` is null when the file cannot be used. */
export async function loadStructure(file: string, options: WebOptions = {}): Promise<Parsed<Structure>> {
  requireLoad('loadStructure', file, options, WEB_OPTIONS);
  const refuse = (code: string, message: string): Parsed<Structure> => ({
    value: null,
    issues: [{ severity: 'error', code, file, message }],
  });
  const format = structureFormatOf(file);
  if (!format) {
    const known = STRUCTURE_EXTENSIONS.map((extension) => `.${extension}`).join(' ');
    return refuse('unknown-format', `no structure file: expected one of ${known}, each with or without .gz`);
  }
  const opened = await createFileSource(options).openFile(file);
  if (opened.path === null) return { value: null, issues: opened.issues };
  const { maximumBytes = DEFAULT_MAXIMUM_BYTES } = options;
  let { bytes } = opened;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      const unpacked = await gunzip(bytes, maximumBytes);
      if (!unpacked) return refuse('file-too-large', `unpacks to more than ${maximumBytes} bytes; raise the limit`);
      bytes = unpacked;
    } catch (error) {
      return refuse('bad-gzip', `damaged gzip data: ${(error as Error).message}`);
    }
  }
  const parsed = parseStructure(bytes, format, { file });
  options.onProgress?.({ file, done: 1, total: 1 });
  return { value: parsed.value, issues: parsed.issues.map((issue) => ({ ...issue, file: issue.file ?? file })) };
}

/** Null when there is more than `most`. */
async function gunzip(bytes: Uint8Array, most: number): Promise<Uint8Array | null> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
