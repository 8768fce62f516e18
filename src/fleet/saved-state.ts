/** What `save` of a run wrote, read again for `restore`. */
import { requireObject, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';

/** Throws MisuseError on no JSON, another format, or the state of another setup. */
export function readSavedState(text: string, format: string, setup: string): ReturnType<typeof JSON.parse> {
  requireText('restore', 'text', text);
  let data: ReturnType<typeof JSON.parse>;
  try {
    data = JSON.parse(text);
  } catch {
    throw new MisuseError('restore: text, got no JSON, expected what save wrote');
  }
  requireObject('restore', 'text', data, 'what save wrote');
  if (data.format !== format || data.setup !== setup)
    throw new MisuseError('restore: text, got the state of another world, expected one that save wrote for this world');
  return data;
}
