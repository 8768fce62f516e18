/**
 * Certificates of paths as JSON: `{"version":1,"margin":0,"segments":[{"from":[q],"to":[q],"intervals":[[t, h], ...],"clearance":d}]}`, or a
 * list of them, null for a path that has none. Numbers are written with all their digits and read back to the same bits, since the
 * ends of a segment must be those of the path. Whether a certificate proves anything is for `verifyPathCertificate` to say.
 * Tested by path-certificate.test.ts.
 */
import { z } from 'zod';
import { requireList, requireObject, requireText } from '../../math/arguments.js';
import type { PathCertificate } from '../../scene/motion/certify-path.js';
import type { Parsed } from '../issue.js';
import { parseJsonBySchema } from '../json-by-schema.js';

/** In the order of the paths; null: that path has none. */
export type PathCertificateFile = readonly (PathCertificate | null)[];

const numbers = z.array(z.number());
const certificateSchema = z.object({
  version: z.literal(1),
  margin: z.number().min(0),
  segments: z.array(
    z.object({
      from: numbers,
      to: numbers,
      intervals: z.array(z.tuple([z.number(), z.number().min(0)])),
      clearance: z.number().nullable(),
    }),
  ),
});

export function writePathCertificates(certificates: PathCertificateFile): string {
  requireList('writePathCertificates', 'certificates', certificates);
  for (const [i, certificate] of certificates.entries())
    if (certificate !== null) requireObject('writePathCertificates', `certificates[${i}]`, certificate);
  return `${JSON.stringify(certificates.length === 1 ? certificates[0] : certificates)}\n`;
}

export function parsePathCertificates(text: string): Parsed<PathCertificateFile> {
  requireText('parsePathCertificates', 'text', text);
  return parseJsonBySchema(text, z.array(certificateSchema.nullable()), 'certificate of a path', (content) =>
    Array.isArray(content) ? content : [content],
  );
}
