/**
 * What a file seems to be, from its first bytes: for the message when it is not what its name says.
 *
 * A checkout without Git LFS, a web server's error page and a renamed export are the common ones. Never decides what is
 * read: only what is said about a file that a reader refused or found empty.
 */

export interface FileKind {
  /** As a message says it, with what to do where there is something. */
  readonly description: string;
  /** Extensions that such a file has. */
  readonly extensions: readonly string[];
}

const HEAD_BYTES = 4096;

/** Files known by their first bytes. */
const MAGICS: readonly (readonly [bytes: readonly number[], description: string])[] = [
  [[0x1f, 0x8b], 'a gzip archive: unpack it'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive (or a file in one, such as 3MF): unpack or export it'],
  [[0x42, 0x5a, 0x68], 'a bzip2 archive: unpack it'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an xz archive: unpack it'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a Zstandard archive: unpack it'],
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG picture'],
  [[0xff, 0xd8, 0xff], 'a JPEG picture'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x7f, 0x45, 0x4c, 0x46], 'a program'],
];

/** Texts known by how they begin; the first that fits counts. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, description: string, ...extensions: string[]])[] = [
  [/^version https:\/\/git-lfs/, 'a Git LFS pointer: run git lfs pull'],
  [/^(<!doctype html|<html)/i, 'an HTML page, as servers send for a missing file: download it again'],
  [/^ply\s/, 'a PLY file', 'ply'],
  [/^solid\b[^\n]*\s+facet\s/i, 'a text STL file', 'stl'],
  [/^(ST|C|N)*OFF\b/, 'an OFF file', 'off'],
  [/^glTF/, 'a binary glTF file', 'glb', 'gltf'],
  [/^# Octomap OcTree/, 'an OctoMap', 'bt', 'ot'],
  [/^(#[^\n]*\n)?\s*VERSION\s+0?\.\d/, 'a PCD point cloud', 'pcd'],
  [/^ISO-10303-21;/, 'a STEP file: export a mesh from it'],
  [/^\s*DBRep_DrawableShape|^CASCADE Topology/, 'an OpenCASCADE shape: export a mesh from it'],
  [/^(HEADER|ATOM |HETATM|REMARK|CRYST1|MODEL )/, 'a PDB structure', 'pdb', 'ent'],
  [/^data_\S*\s/, 'an mmCIF structure', 'cif', 'mmcif'],
  [/^(<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*<COLLADA\b/, 'a COLLADA file', 'dae'],
  [/^(<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*<robot\b/, 'a robot file (URDF, xacro or SRDF)', 'urdf', 'xacro', 'srdf'],
  [/^(<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*<[A-Za-z]/, 'an XML file', 'dae', 'urdf', 'xacro', 'srdf', 'xml'],
  [/^\{[\s\S]{0,2000}"asset"\s*:/, 'a glTF file', 'gltf', 'glb'],
  [/^[{[]/, 'a JSON file', 'json', 'gltf', 'glb'],
];
const OBJ_LINE = /^(v|f)[ \t]+[-+]?[\d.]/m;

/** Null when nothing is recognised. */
function describeFileKind(bytes: Uint8Array): FileKind | null {
  const kind = (description: string, ...extensions: string[]): FileKind => ({ description, extensions });
  if (bytes.length === 0) return kind('an empty file: export or download it again');
  for (const [magic, description] of MAGICS) if (magic.every((byte, i) => bytes[i] === byte)) return kind(description);
  const head = bytes.subarray(0, HEAD_BYTES);
  if (bytes.length >= 8 && head.every((byte) => byte === 0)) return kind('a file of zeros: copy or download it again');
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return kind('text in UTF-16: save it as UTF-8', 'dae', 'urdf', 'xacro', 'srdf', 'json');
  const text = new TextDecoder().decode(head).trimStart();
  for (const [pattern, description, ...extensions] of BEGINNINGS)
    if (pattern.test(text)) return kind(description, ...extensions);
  if (isBinaryStl(bytes)) return kind('a binary STL file', 'stl');
  if (head.includes(0)) return kind('a binary file of a kind that is not known here', 'stl', 'ply', 'glb', 'bt', 'pcd');
  return OBJ_LINE.test(text) ? kind('a Wavefront OBJ file', 'obj') : null;
}

/** What the file is instead of what its extension says; null when that fits, or nothing is recognised. */
export function describeWrongContent(bytes: Uint8Array, extension: string): string | null {
  const kind = describeFileKind(bytes);
  return kind && !kind.extensions.includes(extension.toLowerCase()) ? kind.description : null;
}

function isBinaryStl(bytes: Uint8Array): boolean {
  if (bytes.length < 134) return false;
  const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
  return bytes.length === 84 + 50 * count;
}
