/** The API pages build without a warning: every type that a public name mentions is public, every link has a target. */
import { expect, it } from 'vitest';
import { findTool, projectRoot, runNode } from './run.js';

it('typedoc has nothing to remark', () => {
  // Warnings are errors in typedoc.json, so that the run throws when there are any.
  expect(runNode([findTool('typedoc', 'typedoc'), '--emit', 'none'], projectRoot)).not.toMatch(/warning|error/i);
});
