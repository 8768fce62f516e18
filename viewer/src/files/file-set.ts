/** Files the user gave, by path, whatever way they came: dropped, picked, or inside a zip. */
import { unzip } from 'fflate';

export interface FileSet {
  readonly paths: readonly string[];
  read(path: string): Promise<Uint8Array>;
}

/** What a zip may unpack to; more is refused before unpacking. */
const MAXIMUM_UNPACKED_BYTES = 2 ** 30;
const MAXIMUM_ENTRIES = 20_000;

/** Unpacks zips among the files; their content appears in a folder named like the zip. */
export async function createFileSet(files: ReadonlyMap<string, File>): Promise<FileSet> {
  const readers = new Map<string, () => Promise<Uint8Array>>();
  for (const [path, file] of files) {
    if (/\.zip$/i.test(path)) {
      const entries = await unpackZip(new Uint8Array(await file.arrayBuffer()), path);
      const folder = path.replace(/\.zip$/i, '');
      for (const [name, bytes] of entries) readers.set(`${folder}/${name}`, async () => bytes);
    } else {
      readers.set(path, async () => new Uint8Array(await file.arrayBuffer()));
    }
  }
  return {
    paths: [...readers.keys()].sort(),
    read(path) {
      const reader = readers.get(path);
      if (!reader) return Promise.reject(new Error(`read: path, got "${path}", expected one of the given files`));
      return reader();
    },
  };
}

function unpackZip(bytes: Uint8Array, name: string): Promise<Map<string, Uint8Array>> {
  let total = 0;
  let entries = 0;
  let excess = false;
  return new Promise((resolve, reject) => {
    unzip(
      bytes,
      {
        filter(entry) {
          if (entry.name.endsWith('/') || entry.name.startsWith('__MACOSX/')) return false;
          total += entry.originalSize;
          entries++;
          excess ||= total > MAXIMUM_UNPACKED_BYTES || entries > MAXIMUM_ENTRIES;
          return !excess;
        },
      },
      (error, content) => {
        if (excess)
          reject(
            new Error(
              `${name} unpacks to more than 1 GiB or 20,000 files; unpack it and drop only what the robot needs`,
            ),
          );
        else if (error) reject(new Error(`${name} is no zip file that can be read (${error.message})`));
        else resolve(new Map(Object.entries(content)));
      },
    );
  });
}

/** Files and folders of a drop, folders walked to the end. Must be called before the event returns. */
export async function collectDropped(transfer: DataTransfer): Promise<Map<string, File>> {
  // The entries are gone once the event handler returns, so take them all first.
  const entries = [...transfer.items].map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  const loose = [...transfer.files];
  const files = new Map<string, File>();
  const waiting = entries.filter((entry) => entry !== null);
  if (waiting.length === 0) return collectPicked(loose);
  while (waiting.length > 0) {
    const entry = waiting.pop() as FileSystemEntry;
    if (entry.isDirectory) waiting.push(...(await listFolder(entry as FileSystemDirectoryEntry)));
    else files.set(entry.fullPath.replace(/^\/+/, ''), await openEntry(entry as FileSystemFileEntry));
  }
  return files;
}

export function collectPicked(list: Iterable<File>): Map<string, File> {
  const files = new Map<string, File>();
  for (const file of list) files.set(file.webkitRelativePath || file.name, file);
  return files;
}

async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // Browsers hand out a folder in batches; an empty batch is the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

function openEntry(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
