import url from 'clearance/kernel-first.wasm?url';

/** What a page takes of the kernel before it can be used; later parts come as text with what asks for them (../late-parts.ts). Rejects where a policy forbids WebAssembly. */
export async function compileKernel(): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server does not have ${url.slice(url.lastIndexOf('/') + 1)}`);
  // Not compiled as it streams: that needs a media type which not every server gives.
  return WebAssembly.compile(await response.arrayBuffer());
}
