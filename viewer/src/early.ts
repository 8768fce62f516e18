/**
 * What begins before the page's own program is there: the content of the first view, the server's session, the kernel, the context that
 * draws, and the worker that reads files where one will be needed. A file of its own, so that it comes first.
 */
import firstUrl from 'virtual:first-content';
import { compileKernel } from './compile-kernel.js';
import type { Content } from './load/content.js';
import { examples } from './load/examples.js';
import { fetchSession } from './load/fetch-session.js';
import { unpackContent } from './load/packed-content.js';
import type { Session } from './load/session.js';
import { startReader } from './load/start-reader.js';

export interface Early {
  readonly session: Promise<Session | null>;
  readonly kernel: Promise<WebAssembly.Module>;
  /** With a context of WebGL, where there is one. */
  readonly canvas: HTMLCanvasElement;
  /** The first example's, once; null where it has to be read from its files. */
  takeFirst(): Promise<Content | null>;
  /** The one that has begun, then new ones. */
  takeReader(): Worker;
}

function beginEarly(): Early {
  // What an address or the history asks for is something else.
  const isPlain = location.hash === '' && history.state === null;
  let first = isPlain && firstUrl !== null ? fetchFirst(firstUrl) : null;
  let spare: Worker | null = isPlain && firstUrl !== null ? null : startReader();
  const session = fetchSession();
  void session.then((found) => {
    if (found) spare ??= startReader();
  });
  const kernel = compileKernel();
  // Who waits for it says so.
  kernel.catch(() => {});
  const canvas = document.createElement('canvas');
  // As three.js asks for it. The browser takes its time until it answers, in which the program comes.
  const context = canvas.getContext('webgl2', { antialias: true, alpha: true, depth: true, stencil: false });
  context?.getParameter(context.VERSION);
  return {
    session,
    kernel,
    canvas,
    async takeFirst() {
      const content = await first;
      first = null;
      return content;
    },
    takeReader() {
      const reader = spare ?? startReader();
      spare = null;
      return reader;
    },
  };
}

async function fetchFirst(url: string): Promise<Content | null> {
  try {
    const response = await fetch(url);
    return response.ok ? withAddresses(unpackContent(await response.arrayBuffer()) as Content) : null;
  } catch {
    return null;
  }
}

/** Its robot's files are where the page has them. */
function withAddresses(content: Content): Content {
  const meshes = Object.entries(examples[0].session.robot?.meshes ?? {});
  const files = new Map(meshes.map(([reference, url]) => [reference, new URL(url, document.baseURI).href]));
  return { ...content, robots: content.robots.map((robot) => ({ ...robot, files })) };
}

export const early: Early = beginEarly();
