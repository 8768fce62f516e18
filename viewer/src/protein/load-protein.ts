/** A protein file as the page shows it: its atoms, its clashes as the file has them, and the chain that can be moved. */
import { type Issue, parseStructure, structureFormatOf } from 'clearance/io';
import { type AtomColumns, buildMolecule, type ClashReport, findClashes, type Molecule } from 'clearance/molecule';
import { fileNameOf } from '../files/paths.js';
import { Conformation } from './conformation.js';

export interface LoadedProtein {
  readonly name: string;
  readonly molecule: Molecule;
  /** The same without waters and ligands, which is what a simulation moves. */
  readonly polymer: Molecule;
  /** Columns of the model that both were made from. */
  readonly source: AtomColumns;
  readonly report: ClashReport;
  /** Null without amino acids: nothing can be turned then. */
  readonly conformation: Conformation | null;
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
  const hasAminoAcids = molecule.residues.some(({ kind, count }) => kind === 'amino-acid' && count > 0);
  return {
    name: structure.name || fileNameOf(path),
    molecule,
    polymer: buildMolecule(structure, { hetero: false }),
    source: structure.models[0].atoms,
    report: findClashes(molecule),
    conformation: hasAminoAcids ? new Conformation(molecule) : null,
  };
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
