/** Starts the page: what the server's session names, else a bundled example. */
import { createApp } from './app.js';
import { byId } from './dom.js';
import { loadKernel } from './kernel.js';

try {
  await loadKernel();
  await createApp().start();
} catch (error) {
  // No WebGL, or a policy that forbids WebAssembly: the page cannot go on, but can say so.
  const note = byId('stage-note');
  note.hidden = false;
  note.textContent = `The viewer could not start: ${(error as Error).message}`;
  throw error;
}
