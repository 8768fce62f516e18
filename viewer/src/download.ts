/** Hands a text to the browser as a file to save. */
import { element } from './dom.js';

export function downloadText(name: string, text: string, type = 'text/plain'): void {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
