/** What a structure file holds, for `info` and `chain info`. */
import type { Issue } from '../io/issue.js';
import { aminoAcidOf } from '../molecule/amino-acids.js';
import { moleculeAssumptions } from '../molecule/assumptions.js';
import { buildMolecule } from '../molecule/build-molecule.js';
import type { ClashReport } from '../molecule/clashes.js';
import { describeResidue, type Molecule } from '../molecule/molecule.js';
import { residueKey, type Structure } from '../molecule/structure.js';
import { loadStructure } from '../node/load-structure.js';
import { listMoleculeIssues } from './molecule-input.js';
import { countOf } from './words.js';

export interface StructureReport {
  readonly result: Record<string, unknown>;
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly usable: boolean;
}

export async function reportStructure(file: string): Promise<StructureReport> {
  const { value, issues } = await loadStructure(file);
  const molecule = value && value.models.length > 0 ? buildMolecule(value) : null;
  const info = value && describeStructure(value, molecule);
  return {
    result: info ?? { kind: 'structure' },
    text: info ? formatStructure(info) : '',
    issues: molecule ? [...issues, ...listMoleculeIssues(file, molecule)] : issues,
    usable: value !== null && !issues.some(({ severity }) => severity === 'error'),
  };
}

/** What a score of clashes is worth; null when published ones compare. */
export function remarkOnClashes({ comparable }: ClashReport): string | null {
  return comparable ? null : 'heavy atoms only, not comparable';
}

/** Residues of the twenty kinds and selenomethionine, counted once in however many models. */
function countResidues(structure: Structure): number {
  const seen = new Set<string>();
  for (const { atoms } of structure.models) {
    for (let i = 0; i < atoms.count; i++) {
      if (!aminoAcidOf(atoms.residueNames[i])) continue;
      seen.add(residueKey(atoms.chains[i], atoms.sequences[i], atoms.insertions[i]));
    }
  }
  for (const { name, chain, sequence, insertion } of structure.unplaced) {
    if (aminoAcidOf(name)) seen.add(residueKey(chain, sequence, insertion));
  }
  return seen.size;
}

function describeStructure(structure: Structure, molecule: Molecule | null) {
  const first = structure.models[0];
  const count = (kind: string) => molecule?.residues.filter((residue) => residue.kind === kind).length ?? 0;
  return {
    kind: 'structure',
    format: structure.format,
    name: structure.name,
    models: structure.models.length,
    chains: [...new Set(molecule?.residues.map(({ chain }) => chain) ?? [])],
    residues: countResidues(structure),
    aminoAcids: count('amino-acid'),
    nucleotides: count('nucleotide'),
    waters: count('water'),
    others: count('other'),
    atoms: first?.atoms.count ?? 0,
    chosenAtoms: molecule?.atomCount ?? 0,
    hydrogens: molecule?.elements.filter((element) => element === 'H').length ?? 0,
    alternateAtoms: first?.atoms.alternates.filter((letter) => letter !== '').length ?? 0,
    bonds: (molecule?.bonds.length ?? 0) / 2,
    disulfides: molecule?.disulfides.map((pair) => pair.map((i) => describeResidue(molecule.residues[i]))) ?? [],
    gaps:
      molecule?.gaps.map(({ before, after, missing, distance }) => ({
        before: describeResidue(molecule.residues[before]),
        after: describeResidue(molecule.residues[after]),
        missing,
        distance,
      })) ?? [],
    missing: structure.missing.map(describeResidue),
    assumed: molecule ? moleculeAssumptions(molecule).assumed : [],
  };
}

function formatStructure(info: ReturnType<typeof describeStructure>): string {
  const lines = [
    `${info.name || 'structure'} (${info.format}): ${countOf(info.models, 'model')}, ${countOf(info.chains.length, 'chain')} (${info.chains.join(' ')})`,
    `residues: ${info.aminoAcids} amino acids (${info.residues} of the twenty), ${info.nucleotides} nucleotides, ${countOf(info.waters, 'water')}, ${countOf(info.others, 'other')}`,
    `atoms: ${info.atoms}, ${info.chosenAtoms} in the chosen conformation, ${info.hydrogens} hydrogens, ${info.alternateAtoms} with alternate locations`,
    ...info.disulfides.map(([a, b]) => `disulfide: ${a} - ${b}`),
    ...info.gaps.map(
      ({ before, after, missing, distance }) =>
        `gap: ${before} to ${after}, ${missing} residues not observed${distance === null ? '' : `, ${distance.toFixed(1)} angstrom`}`,
    ),
  ];
  if (info.missing.length > 0) lines.push(`not observed: ${info.missing.length} residues`);
  return lines.join('\n');
}
