/**
 * Holds every cell of docs/accuracy.md: three rounds of pairs that the page was not made from must stay within it, in part (all of
 * them with ORACLE_FULL). With CLEARANCE_WRITE_ACCURACY set it writes the page instead (scripts/accuracy.mjs does that).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { expect } from '../support/quick-expect.js';
import { columns, measureAccuracy } from './accuracy.js';
import { PAGE_ROUNDS, pairs, writePage, writeRow } from './accuracy-page.js';

const page = fileURLToPath(new URL('../../docs/accuracy.md', import.meta.url));
const UNSEEN_ROUNDS = [101, 102, 103];
/** Of a round, without ORACLE_FULL. */
const SHARE = 0.08;

if (process.env.CLEARANCE_WRITE_ACCURACY)
  describe('accuracy of pair queries', () => {
    const lines: string[] = [];

    it.each(pairs)('%s and %s: no status but ok, and collide agrees with distance', (a, b) => {
      const rounds = PAGE_ROUNDS.map((round) => measureAccuracy(a, b, round));
      expect(rounds.filter((row) => row.faults > 0)).toEqual([]);
      lines.push(writeRow(a, b, rounds));
    });

    it('writes docs/accuracy.md', () => {
      expect(lines).toHaveLength(pairs.length);
      writeFileSync(page, writePage(lines));
    });
  });
else
  describe('accuracy of pair queries', () => {
    const documented = new Map(
      (existsSync(page) ? readFileSync(page, 'utf8') : '')
        .split('\n')
        .filter((line) => /^\| [a-z-]+ \| [\d-]/.test(line))
        .map((line) => {
          const cells = line.split('|').map((cell) => cell.trim());
          return [cells[1], cells.slice(2, 2 + columns.length)] as const;
        }),
    );

    it.each(pairs)('%s and %s are as accurate as documented, whatever the seed', (a, b) => {
      const cells = documented.get(`${a}-${b}`);
      expect(cells, `docs/accuracy.md has no row ${a}-${b}: run node scripts/accuracy.mjs`).toBeDefined();
      for (const round of UNSEEN_ROUNDS) {
        const { errors, faults } = measureAccuracy(a, b, round, process.env.ORACLE_FULL ? 1 : SHARE);
        expect(faults, `round ${round}: status ok, and collide agrees with distance`).toBe(0);
        columns.forEach((column, i) => {
          const cell = (cells as string[])[i];
          if (errors[column] === null) expect(cell, column).toBe('-');
          else expect(errors[column], `round ${round}: ${column}`).toBeLessThanOrEqual(Number(cell));
        });
      }
    });

    it('the page has these rows and no others', () => {
      expect([...documented.keys()]).toEqual(pairs.map(([a, b]) => `${a}-${b}`));
    });
  });
