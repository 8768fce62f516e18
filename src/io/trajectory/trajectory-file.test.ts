import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrajectoryTable } from '../../trajectory/trajectory-table.js';
import {
  parseTrajectoryFile,
  writePathsCsv,
  writePathsJson,
  writeTrajectoryCsv,
  writeTrajectoryJson,
} from './trajectory-file.js';

const table: TrajectoryTable = {
  positionNames: ['a', 'odd, "name"', 'ball[0]'],
  velocityNames: ['a', 'odd, "name"'],
  times: [0, 0.1, 0.25],
  positions: [
    [0, 1, 2],
    [0.1, 1 / 3, -2e-17],
    [Math.PI, 5e-324, 1e300],
  ],
  velocities: [
    [0, 1],
    [2, 3],
    [4, 5],
  ],
  accelerations: [
    [0, -1],
    [0.1 + 0.2, 3],
    [4, 5],
  ],
};

describe('trajectory files', () => {
  it('joints of any name are read back, from paths and from trajectories', () => {
    const parts = fc.constantFrom(
      'j',
      '1',
      '"',
      ',',
      '\n',
      '\\',
      ' ',
      ':',
      'v:',
      'tau:',
      'q:',
      'time',
      'problem',
      'waypoint',
    );
    const name = fc.array(parts, { minLength: 1, maxLength: 4 }).map((list) => list.join(''));
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(names, (joints) => {
        const rows = [joints.map((_, k) => k / 3), joints.map((_, k) => 1 - k)];
        const paths = [
          { joints, path: rows },
          { joints, path: [...rows, rows[0]] },
        ];
        const solved = paths.map(({ path }) => ({ status: 'solved', length: 1, path }));
        for (const text of [writePathsCsv(joints, [rows, paths[1].path]), writePathsJson(joints, solved)])
          expect(parseTrajectoryFile(text).value).toEqual({ kind: 'paths', paths });
        const trajectory = {
          positionNames: joints,
          velocityNames: joints,
          times: [0, 1],
          positions: rows,
          velocities: rows,
        };
        for (const text of [writeTrajectoryCsv(trajectory), writeTrajectoryJson(trajectory)])
          expect(parseTrajectoryFile(text).value).toEqual({ kind: 'trajectory', trajectory });
      }),
      { seed: 13, numRuns: 1000 },
    );
  });

  it.each([
    ['csv', writeTrajectoryCsv],
    ['json', writeTrajectoryJson],
  ] as const)('%s: what was written is read back bit for bit', (format, write) => {
    for (const each of [table, { ...table, torques: table.velocities }]) {
      const { value, issues } = parseTrajectoryFile(write(each));
      expect(issues).toEqual([]);
      expect(value).toEqual({ kind: 'trajectory', trajectory: each });
      expect(parseTrajectoryFile(write(each), format).value).toEqual(value);
    }
    const { velocities, accelerations, ...positions } = table;
    const { value } = parseTrajectoryFile(write({ ...positions, velocityNames: positions.positionNames }));
    expect(value).toEqual({ kind: 'trajectory', trajectory: { ...positions, velocityNames: table.positionNames } });
    expect([velocities, accelerations]).not.toContain(undefined);
  });

  it.each([
    [
      '[[0,1],[2,3]]',
      [
        {
          joints: null,
          path: [
            [0, 1],
            [2, 3],
          ],
        },
      ],
    ],
    ['{"status":"solved","joints":["a"],"path":[[0],[1]]}', [{ joints: ['a'], path: [[0], [1]] }]],
    [
      '[{"path":[[0]]},{"path":[[1]]}]',
      [
        { joints: null, path: [[0]] },
        { joints: null, path: [[1]] },
      ],
    ],
    [
      'problem,waypoint,a,b\n0,0,1,2\n0,1,3,4\n1,0,5,6\n',
      [
        {
          joints: ['a', 'b'],
          path: [
            [1, 2],
            [3, 4],
          ],
        },
        { joints: ['a', 'b'], path: [[5, 6]] },
      ],
    ],
    [
      'a,b\r\n1,2\r\n3,4\r\n',
      [
        {
          joints: ['a', 'b'],
          path: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    ],
  ])('reads paths: %s', (text, paths) => {
    expect(parseTrajectoryFile(text)).toEqual({ value: { kind: 'paths', paths }, issues: [] });
  });

  it.each([
    ['', /no rows/],
    ['{', /no JSON/],
    ['{"times":[0]}', /joints/],
    ['{"points":[]}', /neither a trajectory/],
    ['{"joints":["a"],"times":[0,1],"positions":[[0]]}', /one per time/],
    ['{"joints":["a"],"times":[0,1],"positions":[[0],[1,2]]}', /row 1: got 2 numbers/],
    ['[[0],[1,2]]', /waypoint 1: got 2 numbers/],
    ['1,2\n3,4', /names of the columns/],
    ['a,b\n1', /got 1 fields/],
    ['a,b\n1,x', /column "b"/],
    ['a,b\n1,', /column "b"/],
    ['time,a\n1,2', /first time is 1/],
    ['a,a\n1,2', /column "a" stands there twice/],
    ['time,a,v:b,v:b\n0,1,2,3', /column "v:b" stands there twice/],
    ['{"joints":["a","a"],"path":[[1,2]]}', /joint "a" stands there twice/],
    ['{"joints":["a","a"],"times":[0],"positions":[[1,2]]}', /joint "a" stands there twice/],
    ['time,a\n0,2\n0,3', /increasing/],
  ])('says what is wrong: %j', (text, message) => {
    const { value, issues } = parseTrajectoryFile(text);
    expect(value).toBeNull();
    expect(issues[0].message).toMatch(message);
  });

  it('skips blank lines of CSV, and still counts them', () => {
    const { value } = parseTrajectoryFile('\n\na,b\r\n1,2\r\n  \r\n\n3,4\n\n');
    expect(value).toMatchObject({
      paths: [
        {
          joints: ['a', 'b'],
          path: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    });
    expect(parseTrajectoryFile('a,b\n\n1,2\n\n3\n').issues[0]).toMatchObject({ code: 'columns', line: 5 });
  });

  it('never throws for a text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), fc.constantFrom('time,a\n', '[[', '{"times":')),
        fc.string(),
        (a, b) => {
          for (const text of [a, a + b]) {
            const { value, issues } = parseTrajectoryFile(text);
            expect(value !== null || issues.length > 0).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
