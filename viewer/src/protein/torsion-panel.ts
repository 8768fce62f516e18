/** Which torsion is chosen and what its angle is: by lists, a slider and a number, so by keyboard alone too. */
import { describeResidue, type ProteinChain, type ProteinTorsion } from 'clearance/molecule';
import { element, field, fillSelect, section } from '../dom.js';
import { countOf } from '../format.js';
import type { TurnWork } from './conformation.js';

export interface TorsionPanelHandlers {
  /** Torsion, or -1 for none. */
  onChoose(torsion: number): void;
  /** Radians; `isLast` when the value is not being slid any more. */
  onTurn(value: number, isLast: boolean): void;
  onReset(): void;
}

export interface TorsionPanel {
  readonly root: HTMLDetailsElement;
  /** Null hides the section: nothing turns. In parts, of which null takes one. */
  setProtein(protein: ProteinChain | null): Generator<void>;
  choose(torsion: number): void;
  show(value: number | null, work: TurnWork | null): void;
  setReset(canReset: boolean): void;
  /** Nothing can be turned while a simulation runs. */
  setEnabled(enabled: boolean): void;
}

const DEGREE = Math.PI / 180;
const GREEK = { phi: 'φ', psi: 'ψ', omega: 'ω', chi: 'χ' } as const;

export function symbolOf({ name, chi }: ProteinTorsion): string {
  return name === 'chi' ? `χ${chi}` : GREEK[name];
}

export function createTorsionPanel(handlers: TorsionPanelHandlers): TorsionPanel {
  const residue = element('select', { id: 'torsion-residue' });
  const angle = element('select', { id: 'torsion-name' });
  const value = element('input', { type: 'number', id: 'torsion-value', step: '1', 'aria-label': 'Angle in degrees' });
  const slider = element('input', {
    type: 'range',
    id: 'torsion-slider',
    min: '-180',
    max: '180',
    step: '1',
    'aria-label': 'Torsion angle',
  });
  const reset = element('button', { type: 'button', onclick: () => handlers.onReset() }, 'Reset all');
  const hint = element('p', { className: 'message' }, 'Click a bond, then drag its ring. Esc takes a drag back.');
  const work = element('p', { className: 'message steady', id: 'torsion-work' });
  const controls = element(
    'fieldset',
    { className: 'plain' },
    element('legend', { className: 'visually-hidden' }, 'Torsion'),
    element('div', { className: 'torsion-choice' }, field('Residue', residue), field('Angle', angle)),
    element(
      'div',
      { className: 'torsion-value' },
      slider,
      element('span', { className: 'joint-value' }, value, element('span', { className: 'unit' }, '°')),
    ),
    element('div', { className: 'toolbar' }, reset),
  );
  const root = section('Torsions', true, controls, hint, work);
  let protein: ProteinChain | null = null;
  let rows: Row[] = [];

  residue.addEventListener('change', () => {
    const row = rows[residue.selectedIndex - 1];
    if (!row) return handlers.onChoose(-1);
    // The same angle of another residue, where it has one.
    const before = angle.selectedOptions[0]?.textContent;
    const same = row.torsions.find((torsion) => symbolOf(protein!.torsions[torsion]) === before);
    handlers.onChoose(same ?? row.torsions[0]);
  });
  angle.addEventListener('change', () => {
    const row = rows[residue.selectedIndex - 1];
    if (row) handlers.onChoose(row.torsions[angle.selectedIndex]);
  });
  slider.addEventListener('input', () => handlers.onTurn(DEGREE * slider.valueAsNumber, false));
  slider.addEventListener('change', () => handlers.onTurn(DEGREE * slider.valueAsNumber, true));
  value.addEventListener('change', () => {
    if (Number.isFinite(value.valueAsNumber)) handlers.onTurn(DEGREE * value.valueAsNumber, true);
    else value.value = value.defaultValue;
  });

  return {
    root,
    *setProtein(next) {
      protein = next;
      root.hidden = !next || next.torsions.length === 0;
      rows = next ? listRows(next) : [];
      fillSelect(residue, ['none'], 0);
      fillSelect(angle, []);
      for (const [i, row] of rows.entries()) {
        if (i % PART === 0) yield;
        residue.append(new Option(describeResidue(next!.molecule.residues[row.residue]), String(i + 1)));
      }
    },
    choose(torsion) {
      const at = protein && torsion >= 0 ? protein.torsions[torsion].residue : -1;
      residue.selectedIndex = 1 + rows.findIndex((row) => row.residue === at);
      const own = rows[residue.selectedIndex - 1]?.torsions ?? [];
      fillSelect(
        angle,
        own.map((i) => symbolOf(protein!.torsions[i])),
        own.indexOf(torsion),
      );
      for (const control of [angle, slider, value]) control.disabled = own.length === 0;
    },
    show(radians, done) {
      const text = radians === null ? '' : (radians / DEGREE).toFixed(1);
      slider.value = radians === null ? '0' : text;
      slider.setAttribute('aria-valuetext', text === '' ? 'no torsion chosen' : `${text} degrees`);
      value.value = value.defaultValue = text;
      work.textContent = done
        ? `Last turn: ${countOf(done.boxes, 'box', 'boxes')} computed anew, ${countOf(done.boxTests, 'pair')} of boxes and ${done.linkPairs} of links tested`
        : '';
    },
    setReset(canReset) {
      reset.disabled = !canReset;
    },
    setEnabled(enabled) {
      controls.disabled = !enabled;
    },
  };
}

/** Residues between two pauses. */
const PART = 1000;

/** A residue that has torsions, and these in the order of the list. */
interface Row {
  readonly residue: number;
  readonly torsions: number[];
}

const ORDER = Object.keys(GREEK);

function listRows({ torsions }: ProteinChain): Row[] {
  const rows = new Map<number, Row>();
  torsions.forEach(({ residue }, i) => {
    const row = rows.get(residue) ?? { residue, torsions: [] };
    row.torsions.push(i);
    rows.set(residue, row);
  });
  for (const row of rows.values()) {
    row.torsions.sort(
      (x, y) => ORDER.indexOf(torsions[x].name) - ORDER.indexOf(torsions[y].name) || torsions[x].chi - torsions[y].chi,
    );
  }
  return [...rows.values()].sort((x, y) => x.residue - y.residue);
}
