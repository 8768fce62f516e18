/** Bytes of padded standard base64. By the host's `atob` where it has one; some engines have none. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  if (typeof atob !== 'function') return decodeByLetter(text);
  const letters = atob(text);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < out.length; i++) out[i] = letters.charCodeAt(i);
  return out;
}

export function decodeByLetter(text: string): Uint8Array<ArrayBuffer> {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const value = new Uint8Array(128);
  for (let i = 0; i < 64; i++) value[alphabet.charCodeAt(i)] = i;
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === 61) length--;
  const out = new Uint8Array(Math.floor((length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    bits = ((bits << 6) | value[text.charCodeAt(i)]) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[at++] = (bits >> held) & 255;
    }
  }
  return out;
}
