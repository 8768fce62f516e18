/** The constraints of `plan --constraint`. */
import { readFileSync } from 'node:fs';
import type { FrameConstraint } from '../planning/constraints/frame-constraint.js';
import { UsageError } from './exit.js';

/** The list of a file: {"constraints": [...]} or the list alone. What is in it is read where it is used. */
export function readConstraintFile(option: string, file: string): readonly FrameConstraint[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${option} "${file}": ${(error as Error).message}`);
  }
  const list = Array.isArray(value) ? value : (value as { constraints?: unknown } | null)?.constraints;
  if (!Array.isArray(list) || list.length === 0)
    throw new UsageError(`${option} "${file}": expected {"constraints": [...]} with at least one`);
  return list as readonly FrameConstraint[];
}
