/**
 * What begins before the page's own program is there: the worker that reads files, the files of the first view, the server's session, the
 * kernel. Small, so that it comes first.
 */
import { compileKernel } from './compile-kernel.js';
import { examples } from './load/examples.js';
import { fetchSession } from './load/fetch-session.js';
import type { FetchAhead } from './load/load-worker.js';
import type { Session, SessionRobot } from './load/session.js';
import { startReader } from './load/start-reader.js';

export interface Early {
  readonly session: Promise<Session | null>;
  readonly kernel: Promise<WebAssembly.Module>;
  /** The one that has begun, then new ones. */
  takeReader(): Worker;
}

export function beginEarly(): Early {
  let spare: Worker | null = startReader();
  // What an address or the history asks for is something else.
  if (location.hash === '' && history.state === null) {
    const urls = listUrls(examples[0].session).map((url) => new URL(url, document.baseURI).href);
    spare.postMessage({ kind: 'ahead', urls } satisfies FetchAhead);
  }
  const kernel = compileKernel();
  // Who waits for it says so.
  kernel.catch(() => {});
  return {
    session: fetchSession(),
    kernel,
    takeReader() {
      const reader = spare ?? startReader();
      spare = null;
      return reader;
    },
  };
}

function listUrls({ robot, scene }: Session): string[] {
  return [
    ...(robot ? listRobotUrls(robot) : []),
    ...(scene ? [scene.file, ...Object.values(scene.meshes ?? {})] : []),
    ...Object.values(scene?.robots ?? {}).flatMap(listRobotUrls),
  ];
}

function listRobotUrls({ urdf, srdf, meshes }: SessionRobot): string[] {
  return [urdf, ...(srdf === undefined ? [] : [srdf]), ...Object.values(meshes ?? {})];
}
