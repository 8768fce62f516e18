import { decodeBase64 } from './decode-base64.js';
import { inflate } from './inflate.js';

/** The bytes of a module that scripts/pack-module.mjs wrote as text. */
export function unpackModule(text: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(text);
  return inflate(bytes, 4, new DataView(bytes.buffer).getUint32(0, true));
}
