/** Starts the page: what the server's session names, else a bundled example. */
import { createApp, useKernel } from './app.js';
import { byId } from './dom.js';
import { early } from './early.js';

/** Awaited by no module: the program may share a file with this one. */
async function start(): Promise<void> {
  try {
    useKernel(await early.kernel);
    await createApp().start();
  } catch (error) {
    // No WebGL, or a policy that forbids WebAssembly: the page cannot go on, but can say so.
    const note = byId('stage-note');
    note.hidden = false;
    note.textContent = `The viewer could not start: ${(error as Error).message}`;
    throw error;
  }
}

void start();
