/** What the server's session says is shown first. */
import type { Session } from './session.js';

/** Null when the server has no session: the page then shows a bundled example. */
export async function fetchSession(): Promise<Session | null> {
  try {
    const response = await fetch(new URL('api/session.json', document.baseURI), { cache: 'no-store' });
    if (!response.ok) return null;
    const session: unknown = await response.json();
    return typeof session === 'object' && session !== null ? (session as Session) : null;
  } catch {
    // Static servers that answer every path with the page itself have no session either.
    return null;
  }
}
