/** How files are read where they do not say it: arguments of a robot's xacro file; unit and up axis of a mesh, with the size that it gets. */
import { boundPoints, type TriangleMesh } from 'clearance/geometry';
import { element, field, fillSelect, section } from '../dom.js';
import { formatLength } from '../format.js';
import type { MeshReading, XacroArgument } from '../load/reading.js';

export interface ArgumentPanel {
  readonly root: HTMLElement;
  /** `given`: what the user gave before. Without arguments the section is hidden. */
  set(
    declared: readonly XacroArgument[],
    given: Readonly<Record<string, string>>,
    onApply: (args: Readonly<Record<string, string>>) => void,
  ): void;
}

export function createArgumentPanel(): ArgumentPanel {
  const rows = element('div', { className: 'readings' });
  const apply = element('button', { type: 'submit', className: 'primary', id: 'apply-arguments' }, 'Read again');
  const form = element('form', { id: 'xacro-arguments' }, rows, element('div', { className: 'toolbar' }, apply));
  const root = section('Arguments', true, form);
  root.hidden = true;
  let inputs: readonly (readonly [XacroArgument, HTMLInputElement])[] = [];
  let onApply: (args: Readonly<Record<string, string>>) => void = () => {};
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // What is as the file has it is left to the file.
    const told = inputs.filter(([{ preset }, { value }]) => value !== (preset ?? ''));
    onApply(Object.fromEntries(told.map(([{ name }, { value }]) => [name, value])));
  });
  return {
    root,
    set(declared, given, next) {
      onApply = next;
      root.hidden = declared.length === 0;
      inputs = declared.map((argument, i) => {
        const { name, preset } = argument;
        const value = given[name] ?? preset ?? '';
        const placeholder = preset === null ? 'has to be given' : '';
        return [
          argument,
          element('input', { type: 'text', id: `argument-${i}`, value, placeholder, spellcheck: false }),
        ];
      });
      rows.replaceChildren(...inputs.map(([{ name }, input]) => field(name, input, 'field wide-name')));
    },
  };
}

export interface MeshFilePanel {
  readonly root: HTMLElement;
  /** `meshes`: as they are read, by path. Without files the section is hidden. */
  set(
    paths: readonly string[],
    meshes: ReadonlyMap<string, TriangleMesh>,
    given: Readonly<Record<string, MeshReading>>,
    onChange: (readings: Readonly<Record<string, MeshReading>>) => void,
  ): void;
}

const UNITS = ['file', 'metre', 'decimetre', 'centimetre', 'millimetre', 'micrometre', 'inch', 'foot'] as const;
const UNIT_NAMES = ['as the file says, else metre', ...UNITS.slice(1)];
const AXES = ['file', 'x', 'y', 'z'] as const;
const AXIS_NAMES = ['as the file says, else z', 'x', 'y', 'z'];

export function createMeshFilePanel(): MeshFilePanel {
  const choice = element('select', { id: 'mesh-file' });
  const unit = element('select', { id: 'mesh-unit' });
  const up = element('select', { id: 'mesh-up' });
  fillSelect(unit, UNIT_NAMES, 0);
  fillSelect(up, AXIS_NAMES, 0);
  const size = element('p', { className: 'message', id: 'mesh-size', role: 'status' });
  const root = section('Files', true, field('Mesh file', choice), field('Unit', unit), field('Up', up), size);
  root.hidden = true;
  let paths: readonly string[] = [];
  let shown: ReadonlyMap<string, TriangleMesh> = new Map();
  let readings: Readonly<Record<string, MeshReading>> = {};
  let onChange: (readings: Readonly<Record<string, MeshReading>>) => void = () => {};

  /** By the user: kept while files are read again, one after the other. */
  let chosen = '';

  function refresh(): void {
    const path = paths[choice.selectedIndex];
    const own = readings[path] ?? {};
    unit.selectedIndex = Math.max(0, UNITS.indexOf((own.unit ?? 'file') as (typeof UNITS)[number]));
    up.selectedIndex = Math.max(0, AXES.indexOf((own.upAxis ?? 'file') as (typeof AXES)[number]));
    const mesh = shown.get(path);
    size.textContent = mesh ? describeSize(mesh) : 'Not read';
  }
  choice.addEventListener('change', () => {
    chosen = paths[choice.selectedIndex];
    refresh();
  });
  for (const control of [unit, up])
    control.addEventListener('change', () => {
      chosen = paths[choice.selectedIndex];
      const own: MeshReading = { unit: UNITS[unit.selectedIndex], upAxis: AXES[up.selectedIndex] };
      onChange({ ...readings, [paths[choice.selectedIndex]]: own });
    });
  return {
    root,
    set(nextPaths, meshes, given, next) {
      [paths, shown, readings, onChange] = [nextPaths, meshes, given, next];
      root.hidden = paths.length === 0;
      fillSelect(choice, paths, Math.max(0, paths.indexOf(chosen)));
      refresh();
    },
  };
}

/** Along x, y and z. */
function describeSize({ vertices }: TriangleMesh): string {
  const bounds = boundPoints([0, 0, 0, 0, 0, 0], vertices);
  return [0, 1, 2].map((k) => formatLength(bounds[k + 3] - bounds[k])).join(' × ');
}
