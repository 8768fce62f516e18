/** Reads files beside the page, so that it stays alive and can break off: parsing, packages, meshes. */
import { createFileSet, type GivenFile, type LoadProgress } from 'clearance/web';
import type { Content } from './content.js';
import { type GivenContent, loadGivenFiles } from './given-files.js';
import type { Reading } from './reading.js';
import { type LoadedSession, loadSession, type Session } from './session.js';

export type LoadRequest =
  | { readonly kind: 'session'; readonly session: Session; readonly base: string }
  | { readonly kind: 'files'; readonly files: readonly GivenFile[]; readonly reading?: Reading };

export type FromLoader =
  | { readonly type: 'progress'; readonly progress: LoadProgress }
  | { readonly type: 'session'; readonly loaded: LoadedSession }
  | { readonly type: 'files'; readonly given: GivenContent }
  | { readonly type: 'failed'; readonly message: string };

const post = (message: FromLoader, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });
const onProgress = (progress: LoadProgress): void => post({ type: 'progress', progress });

self.onmessage = async ({ data }: MessageEvent<LoadRequest>) => {
  try {
    if (data.kind === 'session') {
      const loaded = await loadSession(data.session, data.base, onProgress);
      post({ type: 'session', loaded }, listBuffers(loaded.content));
    } else {
      const given = await loadGivenFiles(await createFileSet(data.files), { onProgress, ...data.reading });
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
