/** What a protein's clashes are, and what of it is drawn. */
import { type Clash, describeAtom, type Molecule, type ResidueKind } from 'clearance/molecule';
import { element, field, fillSelect, section } from '../dom.js';
import { countOf } from '../format.js';
import type { ProteinChoice } from './load-protein.js';

const SHOWN_CLASHES = 12;

export interface ProteinLayers {
  readonly backbone: boolean;
  readonly bonds: boolean;
  readonly atoms: boolean;
  readonly clashes: boolean;
  /** Atoms and bonds in the colours of their elements, not of their chains. */
  readonly elements: boolean;
  /** Level of the boxes drawn, null for none. */
  readonly level: number | null;
}

/** The clashes that the page shows, and among which atoms they were looked for. */
export interface ShownClashes {
  readonly clashes: readonly Clash[];
  readonly atomCount: number;
  /** Whether the molecule has its hydrogens. */
  readonly comparable: boolean;
}

export interface ProteinPanel {
  /** Over the view. */
  readonly chip: HTMLElement;
  readonly root: HTMLDetailsElement;
  readonly layers: ProteinLayers;
  /** Sets the layers back; `levelCount` is 0 without a tree. `leftOut`: atoms that no torsion moves, by what they are of. */
  setProtein(levelCount: number, leftOut: ReadonlyMap<ResidueKind, number>): void;
  showClashes(molecule: Molecule, shown: ShownClashes): void;
  /** Which of how many models is shown, with which hydrogens. */
  showChoice(choice: ProteinChoice, modelCount: number): void;
  /** Of the level that is drawn. */
  showBoxes(count: number, renewed: number): void;
}

const KINDS: Readonly<Record<ResidueKind, string>> = {
  'amino-acid': 'amino acids that belong to no chain',
  nucleotide: 'nucleic acids',
  water: 'water',
  other: 'ligands and ions',
};

/** `492 atoms of nucleic acids and 12 of water`. */
export function describeLeftOut(leftOut: ReadonlyMap<ResidueKind, number>): string {
  const parts = (Object.keys(KINDS) as ResidueKind[])
    .filter((kind) => leftOut.has(kind))
    .map((kind, i) => `${i === 0 ? countOf(leftOut.get(kind)!, 'atom') : leftOut.get(kind)} of ${KINDS[kind]}`);
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export interface ProteinPanelHandlers {
  onChange(layers: ProteinLayers): void;
  /** One of the clashes listed was chosen. */
  onClash(clash: Clash): void;
  /** The chosen clash is to go; says what was done. */
  onTurnAway(clash: Clash): string;
  /** Another model, or other hydrogens: all of it is read anew. */
  onChoose(choice: ProteinChoice): void;
}

const HYDROGENS: readonly (readonly [ProteinChoice['hydrogens'], string])[] = [
  ['as-given', 'Those of the file'],
  ['add', 'All, placed by geometry'],
  ['none', 'None'],
];

const describePair = (molecule: Molecule, { a, b }: Clash): string =>
  `${describeAtom(molecule, a)} – ${describeAtom(molecule, b)}`;

export function createProteinPanel({ onChange, onClash, onTurnAway, onChoose }: ProteinPanelHandlers): ProteinPanel {
  const verdict = element('p', { className: 'verdict', id: 'protein-verdict', role: 'status' });
  const worst = element('span', { className: 'number' });
  const worstPair = element('span', { className: 'chip-pair' });
  const chip = element('div', { className: 'chip chip-plain', id: 'protein-chip' }, verdict, worst, worstPair);
  const remark = element('p', { id: 'protein-remark' });
  const still = element('p', { className: 'message' });
  const pairs = element('ul', { className: 'pairs clash-list', 'aria-label': 'Clashing atoms', tabIndex: 0 });
  let chosen: Clash | null = null;
  const turned = element('p', { className: 'message steady', id: 'turned-away', role: 'status' });
  const turnAway = element(
    'button',
    {
      type: 'button',
      id: 'turn-away',
      disabled: true,
      onclick: () => {
        if (chosen) turned.textContent = onTurnAway(chosen);
      },
    },
    'Turn away',
  );
  const isChosen = ({ a, b }: Clash): boolean => chosen?.a === a && chosen.b === b;
  const model = element('select', { id: 'protein-model' });
  const hydrogens = element('select', { id: 'protein-hydrogens' });
  fillSelect(
    hydrogens,
    HYDROGENS.map(([, name]) => name),
    0,
  );
  const modelField = field('Model', model);
  for (const select of [model, hydrogens])
    select.addEventListener('change', () =>
      onChoose({ model: Math.max(model.selectedIndex, 0), hydrogens: HYDROGENS[hydrogens.selectedIndex][0] }),
    );
  const box = (id: string, checked: boolean): HTMLInputElement =>
    element('input', { type: 'checkbox', id: `protein-${id}`, checked, onchange: changed });
  const backbone = box('backbone', true);
  const bonds = box('bonds', true);
  const atoms = box('atoms', false);
  const clashes = box('clashes', true);
  const elements = box('elements', false);
  const boxes = box('boxes', false);
  const level = element('input', { type: 'range', id: 'protein-level', min: '0', step: '1', oninput: changed });
  const levelText = element('p', { className: 'steady', id: 'protein-level-text', role: 'status' });
  const levelField = element('div', { className: 'field' }, element('label', { htmlFor: level.id }, 'Level'), level);
  let levels = 0;
  const check = (input: HTMLInputElement, name: string): HTMLLabelElement =>
    element('label', { className: 'check', htmlFor: input.id }, input, name);
  const checks = element(
    'div',
    { className: 'checks' },
    check(backbone, 'Backbone'),
    check(bonds, 'Bonds'),
    check(atoms, 'Atoms'),
    check(clashes, 'Clashes'),
    check(elements, 'Element colours'),
    check(boxes, 'ChainTree boxes'),
  );
  const panel: ProteinPanel = {
    chip,
    root: section(
      'Protein',
      true,
      remark,
      still,
      pairs,
      element('div', { className: 'toolbar' }, turnAway),
      turned,
      modelField,
      field('Hydrogens', hydrogens),
      checks,
      levelField,
      levelText,
    ),
    get layers() {
      return {
        backbone: backbone.checked,
        bonds: bonds.checked,
        atoms: atoms.checked,
        clashes: clashes.checked,
        elements: elements.checked,
        level: boxes.checked && levels > 0 ? level.valueAsNumber : null,
      };
    },
    setProtein(levelCount, leftOut) {
      chosen = null;
      turned.textContent = '';
      still.hidden = leftOut.size === 0;
      still.textContent = `${describeLeftOut(leftOut)} hold still when torsions turn and count only until then.`;
      levels = levelCount;
      level.max = String(Math.max(levels - 1, 0));
      level.value = '0';
      for (const input of [backbone, bonds, clashes]) input.checked = true;
      for (const input of [atoms, boxes, elements]) input.checked = false;
      boxes.disabled = levels === 0;
      level.disabled = true;
      levelText.textContent = '';
    },
    showClashes(molecule, { clashes: found, atomCount, comparable }) {
      verdict.textContent = found.length === 0 ? 'No clashes' : countOf(found.length, 'clash', 'clashes');
      verdict.classList.toggle('touching', found.length > 0);
      const rate = `${((1000 * found.length) / atomCount).toFixed(1)} per 1000 atoms`;
      remark.textContent = comparable
        ? `${countOf(atomCount, 'atom')}, ${rate}`
        : `${countOf(atomCount, 'atom')}, heavy atoms only: ${rate} compares with no published score`;
      const sorted = [...found].sort((x, y) => y.overlap - x.overlap);
      worst.textContent = sorted.length > 0 ? `${sorted[0].overlap.toFixed(2)} Å` : '';
      worstPair.textContent = sorted.length > 0 ? describePair(molecule, sorted[0]) : '';
      const rows = sorted.slice(0, SHOWN_CLASHES).map((clash) => {
        const go = element(
          'button',
          {
            type: 'button',
            className: 'place',
            ariaPressed: String(isChosen(clash)),
            onclick: () => {
              chosen = clash;
              turned.textContent = '';
              for (const { firstElementChild: other } of pairs.children)
                other?.setAttribute('aria-pressed', String(other === go));
              turnAway.disabled = levels === 0;
              onClash(clash);
            },
          },
          element('span', { className: 'pair-name' }, describePair(molecule, clash)),
          element('span', { className: 'number' }, `${clash.overlap.toFixed(2)} Å`),
        );
        return element('li', {}, go);
      });
      if (found.length > SHOWN_CLASHES) rows.push(element('li', {}, `and ${found.length - SHOWN_CLASHES} more`));
      if (!found.some(isChosen)) chosen = null;
      turnAway.disabled = chosen === null || levels === 0;
      if (rows.length === 0)
        rows.push(element('li', { className: 'message' }, 'No two atoms overlap by 0.4 Å or more.'));
      pairs.replaceChildren(...rows);
    },
    showChoice(choice, modelCount) {
      fillSelect(
        model,
        Array.from({ length: modelCount }, (_, i) => String(i + 1)),
        choice.model,
      );
      modelField.hidden = modelCount < 2;
      hydrogens.selectedIndex = HYDROGENS.findIndex(([how]) => how === choice.hydrogens);
    },
    showBoxes(count, renewed) {
      const anew = renewed > 0 ? `, ${renewed} (amber) computed anew by a turn` : '';
      levelText.textContent = `Level ${level.value} of ${levels - 1}: ${countOf(count, 'box', 'boxes')}${anew}`;
    },
  };
  return panel;

  function changed(): void {
    level.disabled = panel.layers.level === null;
    if (level.disabled) levelText.textContent = '';
    onChange(panel.layers);
  }
}
