import type { Parsed } from './issue.js';
import { type MeshFileContent, MeshIssues, type MeshReadOptions } from './mesh-content.js';

export async function parseGltf(_bytes: Uint8Array, options: MeshReadOptions = {}): Promise<Parsed<MeshFileContent>> {
  return new MeshIssues(options.file).refuse('unsupported', 'glTF is not read yet');
}
