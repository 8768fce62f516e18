import type { GivenFile } from './file-set.js';

/** Files and folders of a drop, folders walked to the end. Must be called before the event returns. */
export async function collectDropped(transfer: DataTransfer): Promise<GivenFile[]> {
  // The entries are gone once the event handler returns, so take them all first.
  const entries = Array.from(transfer.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  const loose = Array.from(transfer.files);
  const waiting = entries.filter((entry) => entry !== null).reverse();
  if (waiting.length === 0) return loose;
  const files: GivenFile[] = [];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    if (entry.isDirectory) waiting.push(...(await listFolder(entry as FileSystemDirectoryEntry)));
    else files.push([entry.fullPath, await openEntry(entry as FileSystemFileEntry)]);
  }
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
