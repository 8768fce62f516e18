/** What several elements of an MJCF file are written to, and how numbers, names and places are written in it. */
import { type Transform, transformToPose } from '../math/transform.js';
import type { Issue } from './issue.js';

export interface MjcfParts {
  readonly meshes: string[];
  readonly equalities: string[];
  readonly tendons: string[];
  readonly drives: string[];
  /** One number per drive, of the keyframe. */
  readonly controls: number[];
  readonly issues: Issue[];
}

export const list = (values: ArrayLike<number>): string => Array.from(values).join(' ');
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const pose = new Float64Array(7);

export function placeMjcf(X: Transform): string {
  const [x, y, z, ...q] = transformToPose(pose, X);
  // MJCF has the scalar first.
  return `pos="${list([x, y, z])}" quat="${list([q[3], ...q.slice(0, 3)])}"`;
}

export function warn(
  issues: Issue[],
  element: string,
  code: string,
  message: string,
  assumes: 'dropped' | 'altered',
): void {
  issues.push({ severity: 'warning', code, element, message, assumes });
}
