/** Starts the page: what the server's session names, else a bundled example. */
import { createApp } from './app.js';
import { byId } from './dom.js';
import { examples } from './load/examples.js';
import { fetchSession } from './load/session.js';

try {
  const app = createApp();
  const session = await fetchSession();
  await app.showSession(session ?? examples[0].session, session === null);
} catch (error) {
  // No WebGL, or a policy that forbids WebAssembly: the page cannot go on, but can say so.
  const note = byId('stage-note');
  note.hidden = false;
  note.textContent = `The viewer could not start: ${(error as Error).message}`;
  throw error;
}
