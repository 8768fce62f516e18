/** Tested by path-certificate.test.ts and roadmap-file.test.ts, whose files are read by it. */
import type { ZodType } from 'zod';
import type { Parsed } from './issue.js';
import { describeFirstFault } from './schema-words.js';

const MAX_LENGTH = 512 * 1024 * 1024;

/**
 * What a JSON text holds, where it fits a schema; else one issue that says what does not, and where. `what` is what it is expected to be,
 * `arrange` makes of it what the schema reads.
 */
export function parseJsonBySchema<T>(
  text: string,
  schema: ZodType<T>,
  what: string,
  arrange: (content: unknown) => unknown = (content) => content,
): Parsed<T> {
  const fail = (code: string, message: string): Parsed<T> => ({
    value: null,
    issues: [{ severity: 'error', code, message }],
  });
  if (text.length > MAX_LENGTH) return fail('too-long', `${text.length} characters, expected at most ${MAX_LENGTH}`);
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return fail('json', `no JSON: ${(error as Error).message}`);
  }
  const arranged = arrange(content);
  const parsed = schema.safeParse(arranged);
  if (!parsed.success) return fail('structure', `no ${what}: ${describeFirstFault(parsed.error, arranged)}`);
  return { value: parsed.data, issues: [] };
}
