import { defineConfig } from 'vitest/config';
import { doorAliases } from './viewer/doors.js';

const viewerTests = 'test/package/viewer*.test.ts';

/** unit: needs nothing beside the project. oracle: reads reference data. package, viewer: pack, install, open a browser. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        resolve: { alias: doorAliases },
        assetsInclude: ['**/*.stl'],
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'viewer/src/**/*.test.ts',
            'test/*.test.ts',
            'test/{contract,regression,cli,examples}/**/*.test.ts',
          ],
          // Only against tests that hang: a busy machine must not fail one.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        resolve: { alias: doorAliases },
        test: { name: 'oracle', include: ['test/oracle/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
      },
      {
        test: {
          name: 'viewer',
          include: [viewerTests],
          globalSetup: 'test/package/viewer-setup.ts',
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          exclude: [viewerTests],
          globalSetup: 'test/package/setup.ts',
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
