/** What a protein's clashes are, and what of it is drawn. */
import { describeAtom } from 'clearance/molecule';
import { element, section } from '../dom.js';
import { countOf } from '../format.js';
import { BOX_NUMBERS, type LoadedProtein } from './load-protein.js';

const SHOWN_CLASHES = 12;

export interface ProteinLayers {
  readonly backbone: boolean;
  readonly atoms: boolean;
  readonly clashes: boolean;
  /** Level of the boxes drawn, null for none. */
  readonly level: number | null;
}

export interface ProteinPanel {
  readonly root: HTMLDetailsElement;
  readonly layers: ProteinLayers;
  show(protein: LoadedProtein): void;
}

export function createProteinPanel(onChange: (layers: ProteinLayers) => void): ProteinPanel {
  const verdict = element('p', { className: 'verdict', id: 'protein-verdict', role: 'status' });
  const remark = element('p', { id: 'protein-remark' });
  const pairs = element('ul', { className: 'pairs', 'aria-label': 'Clashing atoms' });
  const box = (id: string, checked: boolean): HTMLInputElement =>
    element('input', { type: 'checkbox', id: `protein-${id}`, checked, onchange: changed });
  const backbone = box('backbone', true);
  const atoms = box('atoms', false);
  const clashes = box('clashes', true);
  const boxes = box('boxes', false);
  const level = element('input', { type: 'range', id: 'protein-level', min: '0', step: '1', oninput: changed });
  const levelText = element('p', { id: 'protein-level-text', role: 'status' });
  const levelField = element('div', { className: 'field' }, element('label', { htmlFor: level.id }, 'Level'), level);
  let levels: LoadedProtein['levels'] = [];
  const check = (input: HTMLInputElement, name: string): HTMLLabelElement =>
    element('label', { className: 'check', htmlFor: input.id }, input, name);
  const checks = element(
    'div',
    { className: 'checks' },
    check(backbone, 'Backbone'),
    check(atoms, 'Atoms'),
    check(clashes, 'Clashes'),
    check(boxes, 'ChainTree boxes'),
  );
  const panel: ProteinPanel = {
    root: section('Protein', true, verdict, remark, pairs, checks, levelField, levelText),
    get layers() {
      return {
        backbone: backbone.checked,
        atoms: atoms.checked,
        clashes: clashes.checked,
        level: boxes.checked && levels.length > 0 ? level.valueAsNumber : null,
      };
    },
    show({ molecule, report, levels: given }) {
      const { clashes: found, score, comparable } = report;
      verdict.textContent = found.length === 0 ? 'No clashes' : countOf(found.length, 'clash', 'clashes');
      verdict.classList.toggle('touching', found.length > 0);
      const rate = `${score.toFixed(1)} per 1000 atoms`;
      remark.textContent = comparable
        ? `${countOf(molecule.atomCount, 'atom')}, ${rate}`
        : `${countOf(molecule.atomCount, 'atom')}, heavy atoms only: ${rate} compares with no published score`;
      const rows = [...found]
        .sort((x, y) => y.overlap - x.overlap)
        .slice(0, SHOWN_CLASHES)
        .map(({ a, b, overlap }) =>
          element(
            'li',
            {},
            element('span', { className: 'pair-name' }, `${describeAtom(molecule, a)} – ${describeAtom(molecule, b)}`),
            element('span', { className: 'number' }, `${overlap.toFixed(2)} Å`),
          ),
        );
      if (found.length > SHOWN_CLASHES) rows.push(element('li', {}, `and ${found.length - SHOWN_CLASHES} more`));
      pairs.replaceChildren(...rows);
      pairs.hidden = rows.length === 0;
      levels = given;
      level.max = String(Math.max(levels.length - 1, 0));
      level.value = '0';
      backbone.checked = true;
      clashes.checked = true;
      atoms.checked = false;
      boxes.checked = false;
      boxes.disabled = levels.length === 0;
      showLevel();
    },
  };
  return panel;

  function showLevel(): void {
    const shown = panel.layers.level;
    level.disabled = shown === null;
    levelText.textContent =
      shown === null
        ? ''
        : `Level ${shown} of ${levels.length - 1}: ${countOf(levels[shown].length / BOX_NUMBERS, 'box', 'boxes')}`;
  }

  function changed(): void {
    showLevel();
    onChange(panel.layers);
  }
}
