/**
 * Keeps what the page shows over a reload and over Back and Forward: every content is an entry of the browser's history.
 *
 * Where it came from stands in the entry, given files in IndexedDB (the browser copies them, so that a file that changes on
 * disk is still readable), joint values and moved objects in the tab's session storage, which takes them at once.
 */
import type { GivenFile } from 'clearance/web';
import type { Reading } from './load/reading.js';
import type { Work } from './work.js';

/** How a content came about: what was there first, and the files given on top of it, in order. */
export interface Source {
  /** The server's session, the id of a bundled example, or nothing that is shown. */
  readonly base: 'session' | 'none' | `example:${string}`;
  readonly batches: readonly (readonly GivenFile[])[];
  /** How they are read, where the user said so. */
  readonly reading?: Reading;
}

export interface Kept {
  readonly source: Source;
  readonly work: Work | null;
}

export interface Keeper {
  /** What belongs to the history's present entry; null for a page that was just opened. */
  recall(): Promise<Kept | null>;
  /** A new entry, or the present one's new content. */
  remember(source: Source, how: 'push' | 'replace'): Promise<void>;
  saveWork(work: Work): void;
  /** Back and Forward. */
  onReturn(listener: () => void): void;
}

interface Entry {
  readonly id: string;
  readonly base: Source['base'];
  readonly hasFiles: boolean;
  readonly reading?: Reading;
}

const DATABASE = 'clearance-viewer';
const STORE = 'files';
/** Entries whose files are kept; older ones can no longer be gone back to. */
const KEPT_ENTRIES = 12;

export function createKeeper(): Keeper {
  let count = 0;
  const present = (): Entry | null => (history.state as { clearance?: Entry } | null)?.clearance ?? null;
  const workKey = (id: string): string => `clearance:work:${id}`;
  return {
    async recall() {
      const entry = present();
      if (!entry) return null;
      const batches = entry.hasFiles ? await readFiles(entry.id).catch(() => null) : [];
      // Files that are gone leave nothing to show.
      if (!batches) return null;
      return { source: { base: entry.base, batches, reading: entry.reading }, work: readWork(workKey(entry.id)) };
    },
    async remember({ base, batches, reading }, how) {
      const id = `${Date.now().toString(36).padStart(9, '0')}-${(count++).toString(36)}`;
      const entry: Entry = { id, base, hasFiles: batches.length > 0, reading };
      const state = { clearance: entry };
      if (how === 'push') history.pushState(state, '');
      else history.replaceState(state, '');
      if (batches.length > 0) await writeFiles(id, batches);
    },
    saveWork(work) {
      const entry = present();
      if (!entry) return;
      try {
        sessionStorage.setItem(workKey(entry.id), JSON.stringify(work));
      } catch {
        // Storage that is full or forbidden keeps nothing; the page goes on.
      }
    },
    onReturn(listener) {
      window.addEventListener('popstate', listener);
    },
  };
}

function readWork(key: string): Work | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Work | null;
  } catch {
    return null;
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

async function readFiles(id: string): Promise<Source['batches'] | null> {
  return (await inStore<Source['batches'] | undefined>('readonly', (store) => store.get(id))) ?? null;
}

async function writeFiles(id: string, batches: Source['batches']): Promise<void> {
  await inStore('readwrite', (store) => store.put(batches, id));
  // Ids begin with the time and sort by it.
  const keys = (await inStore('readonly', (store) => store.getAllKeys())) as string[];
  for (const old of keys.sort().slice(0, -KEPT_ENTRIES)) await inStore('readwrite', (store) => store.delete(old));
}
