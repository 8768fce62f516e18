/** The protein files of the reference data, by its list; none where there is no reference data. */
import { readFileSync } from 'node:fs';
import { needsShared, sharedPath } from '../shared.js';

const list = sharedPath('data', 'MANIFEST.tsv');

export const hasProteins = list !== null;
export const needsProteins = needsShared('data', 'MANIFEST.tsv');

/** Files with atoms, all but MMTF, which is refused. */
export const proteinPaths: readonly string[] = list
  ? readFileSync(list, 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([path, , , , , count]) => path.startsWith('proteins/') && !path.endsWith('.mmtf') && Number(count) > 0)
      .map(([path]) => path)
  : [];
