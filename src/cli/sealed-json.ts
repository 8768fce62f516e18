/** JSON that ends with the SHA-256 of all that comes before: whether a checkpoint is as it was written. Tested by fold-checkpoint.test.ts. */
import { createHash } from 'node:crypto';

/** The last field of the file. */
const CHECKSUM = /,"sha256":"([0-9a-f]{64})"\}\s*$/;

export const UNSEALED = 'changed since it was written (its checksum is another); go on from a copy of it or start anew';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `text`: an object with a field or more, without spaces at its end. */
export function sealJson(text: string): string {
  return `${text.slice(0, -1)},"sha256":"${hashOf(text)}"}\n`;
}

/** The text as it was sealed, or null where a byte of it is another. */
export function unsealJson(text: string): string | null {
  const match = CHECKSUM.exec(text);
  if (match === null) return null;
  const content = `${text.slice(0, match.index)}}`;
  return hashOf(content) === match[1] ? content : null;
}
