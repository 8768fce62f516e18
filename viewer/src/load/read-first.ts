/** The first example's content, made when the page is built; its files' addresses are the page's to say. */
import { examples } from './examples.js';
import { packContent } from './packed-content.js';
import { loadSession } from './session.js';

export async function readFirst(fetchFile: (url: string) => Promise<Response>): Promise<Uint8Array> {
  const [{ session }] = examples;
  const { content } = await loadSession(
    session,
    'http://localhost/',
    () => {},
    (url) => fetchFile(String(url)),
  );
  const problem = content.issues.find(({ severity }) => severity === 'error');
  if (problem) throw new Error(`the first example cannot be read: ${problem.message}`);
  return packContent({ ...content, robots: content.robots.map((robot) => ({ ...robot, files: new Map() })) });
}
