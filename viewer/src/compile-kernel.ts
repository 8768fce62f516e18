import url from 'clearance/kernel.wasm?url';

/** Fetched and compiled. Rejects where a policy forbids WebAssembly. */
export async function compileKernel(): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server does not have ${url.slice(url.lastIndexOf('/') + 1)}`);
  // Not compiled as it streams: that needs a media type which not every server gives.
  return WebAssembly.compile(await response.arrayBuffer());
}
