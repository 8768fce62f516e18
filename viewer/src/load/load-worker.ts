/** Reads files beside the page, so that it stays alive and can break off: parsing, packages, meshes. */
import { createFileSet, type GivenFile, type LoadProgress } from 'clearance/web';
import type { Content } from './content.js';
import { type GivenContent, loadGivenFiles } from './given-files.js';
import { type LoadedSession, loadSession, type Session } from './session.js';

export type LoadRequest =
  | { readonly kind: 'session'; readonly session: Session; readonly base: string }
  | { readonly kind: 'files'; readonly files: readonly GivenFile[]; readonly robotFile?: string };

/** Files that a session will ask for: they are fetched side by side, ahead of it. Absolute URLs. */
export interface FetchAhead {
  readonly kind: 'ahead';
  readonly urls: readonly string[];
}

export type FromLoader =
  | { readonly type: 'progress'; readonly progress: LoadProgress }
  | { readonly type: 'session'; readonly loaded: LoadedSession }
  | { readonly type: 'files'; readonly given: GivenContent }
  | { readonly type: 'failed'; readonly message: string };

const post = (message: FromLoader, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });
const onProgress = (progress: LoadProgress): void => post({ type: 'progress', progress });

/** Each is taken once. */
const ahead = new Map<string, Promise<Response>>();

const fetchFile: typeof fetch = (url, init) => {
  const coming = ahead.get(String(url));
  ahead.delete(String(url));
  return coming ? coming.catch(() => fetch(url, init)) : fetch(url, init);
};

self.onmessage = async ({ data }: MessageEvent<LoadRequest | FetchAhead>) => {
  if (data.kind === 'ahead') {
    for (const url of data.urls) {
      const coming = fetch(url);
      coming.catch(() => {});
      ahead.set(url, coming);
    }
    return;
  }
  try {
    if (data.kind === 'session') {
      const loaded = await loadSession(data.session, data.base, onProgress, fetchFile);
      post({ type: 'session', loaded }, listBuffers(loaded.content));
    } else {
      const given = await loadGivenFiles(await createFileSet(data.files), { onProgress, robotFile: data.robotFile });
      post({ type: 'files', given }, listBuffers(given));
    }
  } catch (error) {
    post({ type: 'failed', message: (error as Error).message });
  }
};

/** What is large goes over without a copy. */
function listBuffers({ meshes, robots, clouds }: Content): Transferable[] {
  const buffers = new Set<Transferable>();
  for (const own of [meshes, ...robots.map((robot) => robot.meshes)]) {
    for (const { vertices, triangles } of own.values()) {
      for (const { buffer } of [vertices, triangles]) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
    }
  }
  for (const cloud of clouds.values())
    if (cloud instanceof Float64Array && cloud.buffer instanceof ArrayBuffer) buffers.add(cloud.buffer);
  return [...buffers];
}
