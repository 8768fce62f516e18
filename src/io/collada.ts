import type { Parsed } from './issue.js';
import { type MeshFileContent, MeshIssues, type MeshReadOptions } from './mesh-content.js';

export function parseCollada(_bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  return new MeshIssues(options.file).refuse('unsupported', 'COLLADA is not read yet');
}
