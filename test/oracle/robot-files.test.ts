/** Every URDF of the reference data: movable joints, mimic tags, links and collision shapes as counted independently. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatIssue } from '../../src/io/issue.js';
import { parseUrdf } from '../../src/io/urdf.js';
import { decodeXmlBytes } from '../../src/io/xml.js';
import { needsShared, sharedPath } from '../shared.js';

const manifest = sharedPath('data', 'MANIFEST.tsv');
const rows = manifest
  ? readFileSync(manifest, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .map(([path, format, , , , count, stats]) => ({ path, format, count: Number(count), stats }))
  : [];

describe.skipIf(!manifest)(`URDF files of the reference data${needsShared('data', 'MANIFEST.tsv')}`, () => {
  for (const row of rows.filter(({ format }) => format === 'urdf')) {
    const links = /links=(\d+)/.exec(row.stats);
    it(`${basename(row.path)}: counts of links, movable joints, mimic tags, collision shapes`, () => {
      const file = sharedPath('data', row.path)!;
      const { value, issues } = parseUrdf(decodeXmlBytes(readFileSync(file)).text, { file });
      for (const issue of issues) expect(formatIssue(issue)).toContain(file);
      if (!links) {
        expect(issues.length).toBeGreaterThan(0);
        return;
      }
      expect(value).not.toBeNull();
      const shapes: Record<string, number> = {};
      for (const { shape } of value!.collisions) shapes[shape.type] = (shapes[shape.type] ?? 0) + 1;
      expect({
        links: value!.model.links.length,
        movable: value!.model.joints.filter((joint) => joint.type !== 'fixed').length,
        mimic: value!.mimicTags,
        shapes,
      }).toEqual({
        links: Number(links[1]),
        movable: row.count,
        mimic: Number(/mimic=(\d+)/.exec(row.stats)![1]),
        shapes: JSON.parse(/collision=(\{[^}]*\})/.exec(row.stats)![1].replaceAll("'", '"')),
      });
    });
  }
});
