/** Starts the page: what the server's session names, else a bundled example. */
import { createApp } from './app.js';
import { examples } from './load/examples.js';
import { fetchSession } from './load/session.js';

const app = createApp();
const session = await fetchSession();
await app.showSession(session ?? examples[0].session, session === null);
