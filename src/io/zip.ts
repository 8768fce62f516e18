/**
 * Lists what a zip file holds; unpacking the bytes is the host's work (`DecompressionStream` in a page, zlib in Node).
 *
 * Method: the end record is looked for from the back, it leads to the central directory, whose entries lead to their local
 * headers. Counts, sizes and places are checked against the file's length before anything is allocated.
 * Source: PKWARE, .ZIP File Format Specification (APPNOTE.TXT), sections 4.3.7, 4.3.12 and 4.3.16.
 * Refused with words: encrypted entries, methods other than stored and deflated, ZIP64, files in several parts.
 * Test: zip.test.ts.
 */
import type { Issue, Parsed } from './issue.js';

export interface ZipEntry {
  /** With `/` between folders, as written, `.` and `..` resolved; never absolute. */
  readonly path: string;
  /** As it lies in the file. */
  readonly bytes: Uint8Array;
  readonly isDeflated: boolean;
  readonly unpackedSize: number;
  readonly checksum: number;
}

export interface ZipOptions {
  readonly file?: string;
  /** What all entries may unpack to; default 1 GiB. */
  readonly maximumBytes?: number;
}

const MAXIMUM_ENTRIES = 20_000;
const END_RECORD = 0x06054b50;
const END_LENGTH = 22;
const MAXIMUM_COMMENT = 0xffff;
const DIRECTORY_RECORD = 0x02014b50;
const DIRECTORY_LENGTH = 46;
const LOCAL_RECORD = 0x04034b50;
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

/** Files of the archive, folders left out; `value` is null when it cannot be read as a whole. */
export function readZipDirectory(bytes: Uint8Array, options: ZipOptions = {}): Parsed<ZipEntry[]> {
  const { file, maximumBytes = 2 ** 30 } = options;
  const refuse = (code: string, message: string): Parsed<ZipEntry[]> => {
    const issue: Issue = { severity: 'error', code, ...(file === undefined ? {} : { file }), message };
    return { value: null, issues: [issue] };
  };
  const broken = (what: string): Parsed<ZipEntry[]> =>
    refuse('bad-zip', `no zip file that can be read: ${what}; pack it again`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end < 0) return broken('it has no end record, as when it is cut short');
  const count = view.getUint16(end + 10, true);
  const start = view.getUint32(end + 16, true);
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count)
    return broken('it is one of several parts');
  if (count === 0xffff || start === 0xffffffff)
    return refuse('zip-unsupported', 'a ZIP64 archive; unpack it and give the files themselves');
  if (count > MAXIMUM_ENTRIES)
    return refuse('zip-too-large', `${count} files, at most ${MAXIMUM_ENTRIES} are read; give only what is needed`);
  const entries: ZipEntry[] = [];
  let total = 0;
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + DIRECTORY_LENGTH > end || view.getUint32(at, true) !== DIRECTORY_RECORD)
      return broken('its list of files is damaged');
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const unpackedSize = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const next = at + DIRECTORY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const local = view.getUint32(at + 42, true);
    if (next > end) return broken('its list of files is damaged');
    const name = decodeName(bytes.subarray(at + DIRECTORY_LENGTH, at + DIRECTORY_LENGTH + nameLength));
    const checksum = view.getUint32(at + 16, true);
    at = next;
    const path = toRelativePath(name);
    if (local + LOCAL_LENGTH > bytes.length || view.getUint32(local, true) !== LOCAL_RECORD)
      return broken(`"${path}" is not where its list of files says`);
    const localLength = view.getUint16(local + 26, true);
    const localName = decodeName(bytes.subarray(local + LOCAL_LENGTH, local + LOCAL_LENGTH + localLength));
    if (localName !== name) return broken(`"${path}" has another name where it stands`);
    if (name.endsWith('/') || path === '' || path.startsWith('__MACOSX/')) continue;
    if ((flags & 1) !== 0) return refuse('zip-unsupported', `"${path}" is encrypted; pack it without a password`);
    if (method !== STORED && method !== DEFLATED)
      return refuse('zip-unsupported', `"${path}" is packed by method ${method}; pack it as an ordinary zip (deflate)`);
    total += unpackedSize;
    if (total > maximumBytes)
      return refuse('zip-too-large', `unpacks to more than ${maximumBytes} bytes; give only what is needed`);
    const begin = local + LOCAL_LENGTH + localLength + view.getUint16(local + 28, true);
    if (begin + packed > bytes.length) return broken(`"${path}" is cut short`);
    if (method === STORED && packed !== unpackedSize) return broken(`"${path}" has another size than it says`);
    entries.push({
      path,
      bytes: bytes.subarray(begin, begin + packed),
      isDeflated: method === DEFLATED,
      unpackedSize,
      checksum,
    });
  }
  return { value: entries, issues: [] };
}

/** CRC-32 as zip files carry it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = CRC_TABLE[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = (c & 1) !== 0 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** The last record that can be the end: its comment fills the rest of the file. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_LENGTH - MAXIMUM_COMMENT);
  for (let at = view.byteLength - END_LENGTH; at >= lowest; at--) {
    if (view.getUint32(at, true) !== END_RECORD) continue;
    if (at + END_LENGTH + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return -1;
}

/** Archives without the UTF-8 flag mostly hold UTF-8 all the same; bytes that are none are kept apart, one to one. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }
}

function toRelativePath(name: string): string {
  const parts: string[] = [];
  for (const part of name.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
