/** A protein file as the page shows it: its atoms, its clashes, and the boxes of its ChainTree level by level. */
import { createChainTree, disposeChain } from 'clearance/chain';
import { type Issue, parseStructure, structureFormatOf } from 'clearance/io';
import { createTransform, multiplyTransform } from 'clearance/math';
import { buildMolecule, type ClashReport, createProteinChain, findClashes, type Molecule } from 'clearance/molecule';
import { fileNameOf } from '../files/paths.js';

/** Where the half extents of a box begin, after its pose; 15 numbers a box. */
export const BOX_HALF_EXTENTS = 12;
export const BOX_NUMBERS = 15;

/** As ChainTreeData lays out its boxes. */
const TREE_BOX_STRIDE = 16;
const TREE_BOX_HALF_EXTENTS = 12;

export interface LoadedProtein {
  readonly name: string;
  readonly molecule: Molecule;
  readonly report: ClashReport;
  /** From the one box around the whole chain down to the links: BOX_NUMBERS per box, in the file's frame, angstrom. */
  readonly levels: readonly Float64Array[];
}

/** Null when the file holds no atoms; `issues` says why. The first model is shown. */
export async function loadProtein(path: string, bytes: Uint8Array, issues: Issue[]): Promise<LoadedProtein | null> {
  const format = structureFormatOf(path);
  if (!format) throw new TypeError(`loadProtein: path, got "${path}", expected the name of a structure file`);
  let content = bytes;
  if (/\.gz$/i.test(path)) {
    try {
      content = await gunzip(bytes);
    } catch {
      issues.push({ severity: 'error', code: 'gzip', file: path, message: 'is not gzip, or is cut short' });
      return null;
    }
  }
  const { value: structure, issues: found } = parseStructure(content, format);
  issues.push(...found.map((issue) => ({ ...issue, file: issue.file ?? path })));
  if (!structure || structure.models.length === 0) return null;
  if (structure.models.length > 1) {
    const message = `holds ${structure.models.length} models; the first is shown`;
    issues.push({ severity: 'info', code: 'several-models', file: path, message });
  }
  const molecule = buildMolecule(structure);
  if (molecule.atomCount === 0) {
    issues.push({ severity: 'error', code: 'no-atoms', file: path, message: 'holds no atoms' });
    return null;
  }
  return {
    name: structure.name || fileNameOf(path),
    molecule,
    report: findClashes(molecule),
    levels: molecule.residues.some(({ kind, count }) => kind === 'amino-acid' && count > 0)
      ? collectBoxes(molecule)
      : [],
  };
}

/** The boxes that the tree of the backbone's torsions keeps (side chains are part of their links), placed by the poses of the links that they hang on. */
function collectBoxes(molecule: Molecule): Float64Array[] {
  const { chain, linkCount, base } = createProteinChain(molecule, { sideChains: 'rigid' });
  const tree = createChainTree(chain);
  const poses = tree.writeLinkPoses(new Float64Array(12 * linkCount));
  const { layout, frames, boxes } = tree.data;
  const levels: Float64Array[] = [];
  const pose = createTransform();
  const transformAt = (all: Float64Array, i: number): Float64Array => all.subarray(12 * i, 12 * i + 12);
  for (let level = layout.height; level >= 0; level--) {
    const out = new Float64Array(BOX_NUMBERS * layout.counts[level]);
    for (let j = 0; j < layout.counts[level]; j++) {
      const node = layout.starts[level] + j;
      multiplyTransform(pose, transformAt(poses, j << level), transformAt(frames, node));
      for (let k = 0; k < 3; k++) pose[9 + k] += base[k];
      const half = TREE_BOX_STRIDE * node + TREE_BOX_HALF_EXTENTS;
      out.set(pose, BOX_NUMBERS * j);
      out.set(boxes.subarray(half, half + 3), BOX_NUMBERS * j + BOX_HALF_EXTENTS);
    }
    levels.push(out);
  }
  tree.dispose();
  disposeChain(chain);
  return levels;
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
