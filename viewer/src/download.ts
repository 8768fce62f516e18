/** Hands texts and bytes to the browser as files to save. */
import { element } from './dom.js';

export function downloadText(name: string, text: string, type = 'text/plain'): void {
  downloadBlob(name, new Blob([text], { type }));
}

export function downloadBytes(name: string, bytes: Uint8Array, type = 'application/octet-stream'): void {
  downloadBlob(name, new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
}

export function downloadBlob(name: string, blob: Blob): void {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
