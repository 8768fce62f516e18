/** The pointer over a protein: which atom it is over is said beside it, and what of its residue is locked. */
import { describeAtom, type ProteinChain } from 'clearance/molecule';
import { element } from '../dom.js';
import { rayOf } from '../stage/picking.js';
import type { Stage } from '../stage/stage.js';
import { explainLocks } from './explain-locks.js';
import type { LoadedProtein } from './load-protein.js';

/** Angstrom from the ray within which an atom is meant. */
const REACH = 0.7;
/** Pixels from the pointer. */
const BESIDE = 14;

export interface AtomHover {
  clear(): void;
}

export function listenForAtoms(stage: Stage, container: HTMLElement, shown: () => LoadedProtein | null): AtomHover {
  const label = element('div', { className: 'hover-label', id: 'atom-hover', hidden: true });
  container.append(label);
  let frame = 0;
  const clear = (): void => {
    cancelAnimationFrame(frame);
    label.hidden = true;
  };

  function show(event: PointerEvent): void {
    const protein = shown();
    if (!protein) return;
    const { molecule, conformation } = protein;
    const { origin, direction } = rayOf(stage, event);
    const atom = findAtomOnRay(conformation?.positions ?? molecule.positions, origin, direction);
    label.hidden = atom < 0;
    if (atom < 0) return;
    label.textContent = describe(protein, atom, conformation?.protein ?? null);
    const { left, top, width } = container.getBoundingClientRect();
    const x = Math.max(Math.min(event.clientX - left + BESIDE, width - label.offsetWidth - 4), 4);
    label.style.transform = `translate(${Math.round(x)}px, ${Math.round(event.clientY - top + BESIDE)}px)`;
  }

  stage.canvas.addEventListener('pointermove', (event) => {
    cancelAnimationFrame(frame);
    if (event.buttons !== 0 || event.pointerType === 'touch' || !shown()) label.hidden = true;
    else frame = requestAnimationFrame(() => show(event));
  });
  stage.canvas.addEventListener('pointerleave', clear);
  return { clear };
}

function describe({ molecule }: LoadedProtein, atom: number, chain: ProteinChain | null): string {
  const locks = chain ? explainLocks(chain, molecule.residueOf[atom]) : [];
  return [describeAtom(molecule, atom), ...locks].join(' · ');
}

/** The first along the ray of those that it passes within REACH; -1: none. */
export function findAtomOnRay(
  positions: ArrayLike<number>,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
): number {
  const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
  const [dx, dy, dz] = [direction[0] / length, direction[1] / length, direction[2] / length];
  let [found, first] = [-1, Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] - origin[0];
    const y = positions[i + 1] - origin[1];
    const z = positions[i + 2] - origin[2];
    const along = x * dx + y * dy + z * dz;
    if (along <= 0 || along >= first || x * x + y * y + z * z - along * along > REACH * REACH) continue;
    [found, first] = [i / 3, along];
  }
  return found;
}
