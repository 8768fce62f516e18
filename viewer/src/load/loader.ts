/**
 * Loading beside the page: one worker reads, another makes what takes long of what was read. One thing at a time, with progress,
 * and cancelled by ending the worker.
 */
import type { TriangleMesh } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import type { LoadProgress } from 'clearance/web';
import type { FromPreparation, ToPreparation } from '../compute-worker.js';
import { startComputing } from '../computing.js';
import type { GivenProtein, LoadedProtein } from '../protein/load-protein.js';
import { keepGeometry } from '../stage/object-geometry.js';
import { type Content, createEmptyContent } from './content.js';
import type { GivenContent } from './given-files.js';
import type { FromLoader, LoadRequest } from './load-worker.js';
import { type AdoptedTree, adoptTree, adoptTrees, disposeTrees, listMeshes } from './prepare.js';
import { NO_CHOICES, type ReadingChoices } from './reading.js';
import { startReader } from './start-reader.js';

/** A protein ready to be shown; `loaded` null when there is nothing of it, and `issues` say so. */
export interface PreparedProtein {
  readonly given: GivenProtein;
  readonly file: string;
  readonly loaded: LoadedProtein | null;
  readonly issues: readonly Issue[];
}

export interface Loaded {
  readonly content: Content;
  readonly protein: PreparedProtein | null;
  /** Of files: what they hold. */
  readonly holds: GivenContent['holds'] | null;
  /** Of files that the page itself wrote. */
  readonly work: GivenContent['work'];
  readonly choices: ReadingChoices;
}

/** `stage`: what is being done, when that is no longer reading. */
export type ShownProgress = LoadProgress & { readonly stage?: string };

export interface Loader {
  /** Null when it was cancelled, or something else was asked for meanwhile. Rejects when nothing could be read at all. */
  load(
    request: LoadRequest | { readonly kind: 'protein'; readonly given: GivenProtein },
    onProgress: (progress: ShownProgress) => void,
  ): Promise<Loaded | null>;
  /** Ends what is being loaded. */
  cancel(): void;
}

const QUERIES = 'Preparing for queries';
const TORSIONS = 'Preparing torsions';

/** `startReading`, `startPreparing`: the workers; `loadMore`: what robots take that the page's program does not begin with. */
export function createLoader(
  startReading = startReader,
  startPreparing = startComputing,
  loadMore = (): Promise<void> => Promise.resolve(),
): Loader {
  /** Of the present load: what ends it. */
  let end: (() => void) | null = null;

  return {
    async load(request, onProgress) {
      end?.();
      let isEnded = false;
      let finish: ((nothing: null) => void) | null = null;
      let worker: Worker | null = null;
      const own = (): void => {
        isEnded = true;
        worker?.terminate();
        finish?.(null);
      };
      end = own;

      /** Sends to a worker and waits for the answer; null once ended. */
      const ask = <Answer extends { readonly type: string }>(
        start: () => Worker,
        message: LoadRequest | ToPreparation,
      ): Promise<Exclude<Answer, { readonly type: 'progress' | 'failed' }> | null> =>
        new Promise((resolve, reject) => {
          if (isEnded) return resolve(null);
          finish = resolve;
          worker ??= start();
          worker.onmessage = ({ data }: MessageEvent<Answer>) => {
            if (data.type === 'progress') onProgress((data as unknown as { progress: LoadProgress }).progress);
            else if (data.type === 'failed') reject(new Error((data as unknown as { message: string }).message));
            else resolve(data as Exclude<Answer, { readonly type: 'progress' | 'failed' }>);
          };
          worker.onerror = (event) => reject(new Error(event.message || 'the loading worker could not start'));
          worker.postMessage(message);
        });
      const rest = (): void => {
        worker?.terminate();
        worker = null;
      };

      /** Lets the page draw and hear; false once ended. */
      const pause = async (): Promise<boolean> => {
        await new Promise((resolve) => setTimeout(resolve));
        return !isEnded;
      };

      const prepareMeshes = async (content: Content): Promise<Content> => {
        const meshes = [...listMeshes(content)];
        const trees = new Map<TriangleMesh, AdoptedTree>();
        for (const [i, [mesh, file]] of meshes.entries()) {
          onProgress({ stage: QUERIES, file, done: i + 1, total: meshes.length });
          try {
            const answer = await ask<FromPreparation>(startPreparing, { type: 'mesh', mesh });
            if (answer?.type !== 'mesh' || !answer.tree) continue;
            const tree = await adoptTree(answer.tree, pause);
            if (!tree) break;
            trees.set(mesh, tree);
            keepGeometry(tree.bvh.mesh, answer.tree.drawn);
          } catch {
            // A worker that ran out of memory: the page makes this tree, or says why not.
            rest();
          }
        }
        const ready = adoptTrees(content, trees);
        if (await pause()) return ready;
        disposeTrees(ready, content);
        return content;
      };
      const prepareProtein = async (given: GivenProtein): Promise<PreparedProtein | null> => {
        const { file } = given;
        onProgress({ stage: 'Looking for clashes', file, done: 1, total: 1 });
        const answer = await ask<FromPreparation>(startPreparing, { type: 'protein', given });
        if (answer?.type !== 'protein') return null;
        const { read, issues } = answer;
        if (!read) return { given, file, loaded: null, issues };
        rest();
        const { Conformation, PREPARATION_PARTS } = await import('../protein/conformation.js');
        const goOn = async (part: number): Promise<boolean> => {
          onProgress({ stage: TORSIONS, file, done: part, total: PREPARATION_PARTS });
          return pause();
        };
        const conformation = read.hasAminoAcids ? await Conformation.prepare(read.molecule, goOn) : null;
        if (!isEnded) return { given, file, loaded: { ...read, conformation }, issues };
        conformation?.dispose();
        return null;
      };

      try {
        if (request.kind === 'protein') {
          const protein = await prepareProtein(request.given);
          const content = createEmptyContent(request.given.file);
          return protein && { content, protein, holds: null, work: null, choices: NO_CHOICES };
        }
        const more = loadMore();
        more.catch(() => {});
        const answer = await ask<FromLoader>(startReading, request);
        if (!answer) return null;
        await more;
        rest();
        const { content, protein: given } =
          answer.type === 'files' ? { content: answer.given, protein: answer.given.protein } : answer.loaded;
        const protein = given && (await prepareProtein(given));
        const prepared = given ? content : await prepareMeshes({ ...content, prepared: new Map() });
        if (isEnded) return null;
        const { holds, work } = answer.type === 'files' ? answer.given : { holds: null, work: answer.loaded.work };
        const choices = answer.type === 'files' ? answer.given : NO_CHOICES;
        return { content: prepared, protein, holds, work, choices };
      } finally {
        rest();
        if (end === own) end = null;
      }
    },
    cancel() {
      end?.();
    },
  };
}
