/** The residues of a protein: their sequence as a strip with what is locked and why, and phi against psi of each as a Ramachandran plot. */
import { describeResidue, type ProteinChain } from 'clearance/molecule';
import { element, section } from '../dom.js';
import { explainLocks } from './explain-locks.js';

export interface ResiduePanel {
  readonly root: HTMLElement;
  /** Null, or one without torsions, hides all of it. In parts: yields between them. */
  setProtein(protein: ProteinChain | null): Generator<void>;
  /** `torsions`: radians, by torsion of the chain. */
  show(torsions: ArrayLike<number>): void;
  /** Marks a residue; -1 for none. */
  mark(residue: number): void;
}

const SVG = 'http://www.w3.org/2000/svg';
const DEGREE = Math.PI / 180;
/** One letter per amino acid of the code; others are shown as X. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ALA: 'A', ARG: 'R', ASN: 'N', ASP: 'D', CYS: 'C', GLN: 'Q', GLU: 'E', GLY: 'G', HIS: 'H', ILE: 'I' },
  ...{ LEU: 'L', LYS: 'K', MET: 'M', PHE: 'F', PRO: 'P', SER: 'S', THR: 'T', TRP: 'W', TYR: 'Y', VAL: 'V' },
};

/** Residues between two pauses. */
const PART = 400;

interface Shown {
  readonly residue: number;
  readonly phi: number;
  readonly psi: number;
  readonly letter: HTMLElement;
  readonly dot: SVGElement | null;
}

export function createResiduePanel(onChoose: (residue: number) => void): ResiduePanel {
  const strip = element('div', {
    className: 'sequence',
    id: 'sequence',
    role: 'listbox',
    tabIndex: 0,
    'aria-label': 'Sequence',
  });
  const plot = draw('svg', {
    viewBox: '-180 -180 360 360',
    role: 'img',
    'aria-label': 'Ramachandran plot: phi across, psi up',
    id: 'ramachandran',
  });
  plot.classList.add('ramachandran');
  const name = element('p', { className: 'message steady', id: 'residue-name', role: 'status' });
  const root = element(
    'div',
    {},
    section('Sequence', true, strip, name),
    section(
      'Ramachandran',
      true,
      plot as unknown as HTMLElement,
      element('p', { className: 'message' }, 'φ across, ψ up, from −180° to 180°'),
    ),
  );
  let shown: Shown[] = [];
  let marked = -1;
  let chain: ProteinChain | null = null;
  strip.addEventListener('click', ({ target }) => {
    const found = shown.find(({ letter }) => letter === target);
    if (found) onChoose(found.residue);
  });
  strip.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 10, ArrowUp: -10 }[event.key];
    if (step === undefined || shown.length === 0) return;
    event.preventDefault();
    const at = shown.findIndex(({ residue }) => residue === marked);
    onChoose(shown[Math.min(Math.max(at + step, 0), shown.length - 1)].residue);
  });

  return {
    root,
    *setProtein(protein) {
      root.hidden = !protein || protein.torsions.length === 0;
      chain = protein;
      marked = -1;
      name.textContent = '';
      const axes = [draw('path', { d: 'M-180 0H180M0-180V180' })];
      plot.replaceChildren(...axes);
      shown = [];
      strip.replaceChildren();
      if (!protein) return;
      for (const one of listResidues(protein)) {
        if (shown.length % PART === 0) yield;
        const { residue, letter, dot } = one;
        shown.push(one);
        strip.append(letter);
        if (!dot) continue;
        dot.addEventListener('click', () => onChoose(residue));
        plot.append(dot);
      }
    },
    show(torsions) {
      for (const { phi, psi, dot } of shown) {
        if (!dot) continue;
        dot.setAttribute('cx', wrap(torsions[phi]).toFixed(1));
        dot.setAttribute('cy', (-wrap(torsions[psi])).toFixed(1));
      }
    },
    mark(residue) {
      marked = residue;
      strip.removeAttribute('aria-activedescendant');
      name.textContent =
        chain && residue >= 0
          ? [describeResidue(chain.molecule.residues[residue]), ...explainLocks(chain, residue)].join(' · ')
          : '';
      for (const entry of shown) {
        const isMarked = entry.residue === residue;
        entry.letter.setAttribute('aria-selected', String(isMarked));
        entry.dot?.classList.toggle('marked', isMarked);
        if (!isMarked) continue;
        strip.setAttribute('aria-activedescendant', entry.letter.id);
        entry.letter.scrollIntoView({ block: 'nearest' });
        if (entry.dot) plot.append(entry.dot);
      }
    },
  };
}

/** All amino acids; a dot where both angles are there, pale letters where none turns. */
function* listResidues({ torsions, molecule }: ProteinChain): Generator<Shown> {
  const angles = new Map<number, { phi: number; psi: number }>();
  torsions.forEach(({ residue, name }, i) => {
    const own = angles.get(residue) ?? { phi: -1, psi: -1 };
    if (name === 'phi' || name === 'psi') own[name] = i;
    angles.set(residue, own);
  });
  const all = molecule.residues.flatMap(({ kind, count }, residue) =>
    kind === 'amino-acid' && count > 0 ? [residue] : [],
  );
  for (const residue of all) {
    const own = angles.get(residue);
    const { phi, psi } = own ?? { phi: -1, psi: -1 };
    const { name } = molecule.residues[residue];
    const title = describeResidue(molecule.residues[residue]);
    const dot = phi >= 0 && psi >= 0 ? draw('circle', { r: '5' }) : null;
    if (dot) {
      const words = draw('title', {});
      words.textContent = title;
      dot.append(words);
      if (name === 'GLY') dot.classList.add('glycine');
    }
    const letter = element(
      'span',
      { id: `residue-${residue}`, role: 'option', title, 'aria-label': title, 'aria-selected': 'false' },
      LETTERS[name] ?? 'X',
    );
    letter.classList.toggle('locked', own === undefined);
    yield { residue, phi, psi, letter, dot };
  }
}

function draw(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/** Degrees from -180 to 180. */
function wrap(radians: number): number {
  const turns = radians / DEGREE / 360;
  return 360 * (turns - Math.round(turns));
}
