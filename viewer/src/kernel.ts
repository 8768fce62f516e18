/** The kernel as a file of its own: the page and its workers fetch one copy, where each bundle would carry one as text. */
import { useKernel } from 'clearance/kernel';
import url from 'clearance/kernel.wasm?url';

/** Before anything else of the library is asked. Rejects where a policy forbids WebAssembly. */
export async function loadKernel(): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server does not have ${url.slice(url.lastIndexOf('/') + 1)}`);
  // Not compiled as it streams: that needs a media type which not every server gives.
  useKernel(await WebAssembly.compile(await response.arrayBuffer()));
}
