/**
 * What the page may say of a scene. "Free" only where everything the files name was checked and something was: contacts come
 * first, then what is missing, then that there is nothing to check.
 */
import { type Issue, toAssumptions } from 'clearance/io';
import { type Assumption, countCheckedPairs, listFileShapes, type Scene } from 'clearance/scene';
import { countOf, formatLength } from './format.js';

export type VerdictKind = 'free' | 'contact' | 'incomplete' | 'nothing';

export interface VerdictState {
  readonly kind: VerdictKind;
  readonly text: string;
  /** What else has to be said: why a verdict is not about everything. */
  readonly notes: readonly string[];
}

export interface Basis {
  /** Pairs that a check looks at. */
  readonly pairs: number;
  /** Robots and objects there are to show. */
  readonly things: number;
  /** Nearer than this counts as contact. Metres. */
  readonly margin: number;
  readonly assumed: readonly Assumption[];
}

/** Of the readers' issues and of what the robots lack; once per content. */
export function createBasis(
  scene: Scene,
  issues: readonly Issue[],
  {
    objectPairs,
    things,
    files,
  }: { readonly objectPairs: boolean; readonly things: number; readonly files: readonly RobotFileNames[] },
): Basis {
  // Which meshes a robot lacks is known from its bodies: whether a file matters depends on the geometry that is checked.
  const ownFiles = new Set(files.flatMap((names) => [...names.values()]));
  const ownNames = new Set(files.flatMap((names) => [...names.keys()]));
  for (const { description } of scene.robots)
    for (const { shape } of [...description.collisions, ...description.visuals])
      for (const { file } of listFileShapes(shape)) ownNames.add(file);
  const isMesh = ({ assumes, file, message }: Issue): boolean =>
    assumes === 'dropped' &&
    ((file !== undefined && ownFiles.has(file)) || [...ownNames].some((name) => message.startsWith(`"${name}"`)));
  const assumed = toAssumptions(issues.filter((issue) => !isMesh(issue)));
  for (const { description, missing, links, assumed: own } of scene.robots) {
    assumed.push(...(description.assumed ?? []));
    // That nothing of it can touch anything.
    if (links.length === 0) assumed.push(...own.filter(({ element }) => element.startsWith('robot ')));
    for (const { link, shape } of missing)
      for (const { file } of listFileShapes(shape))
        assumed.push({ kind: 'dropped', element: `link "${link}"`, message: `"${file}": missing` });
  }
  const seen = new Set<string>();
  const once = assumed.filter(({ kind, element, message }) => {
    const key = `${kind} ${element} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  return { pairs: countPairs(scene, objectPairs), things, margin: scene.margin, assumed: once };
}

type RobotFileNames = ReadonlyMap<string, string>;

function countPairs(scene: Scene, objectPairs: boolean): number {
  let free = 0;
  let moving = 0;
  for (const { attachment } of scene.objects.values()) attachment ? moving++ : free++;
  for (const { links } of scene.robots) moving += links.length;
  return countCheckedPairs(scene).checked + moving * free + (objectPairs ? (free * (free - 1)) / 2 : 0);
}

export function describeVerdict({ pairs, things, margin, assumed }: Basis, contacts: number): VerdictState {
  const dropped = assumed.filter(({ kind }) => kind === 'dropped');
  const missing = dropped.length > 0 ? describeDropped(dropped) : null;
  const notes = noteOthers(assumed);
  if (margin !== 0) notes.push(`closer than ${formatLength(margin)} counts as contact`);
  if (contacts > 0)
    return {
      kind: 'contact',
      text: countOf(contacts, 'contact'),
      notes: missing === null ? notes : [`Incomplete: ${missing}`, ...notes],
    };
  if (things === 0)
    return { kind: 'nothing', text: 'Nothing to check', notes: missing === null ? notes : [missing, ...notes] };
  if (missing !== null) return { kind: 'incomplete', text: `Incomplete: ${missing}`, notes };
  if (pairs === 0)
    return { kind: 'nothing', text: 'Nothing to check', notes: ['no two parts that may not touch', ...notes] };
  return { kind: 'free', text: 'Free', notes };
}

const MESH = /\.(stl|dae|obj|ply|off|gltf|glb|tris)\b/i;

function describeDropped(dropped: readonly Assumption[]): string {
  const meshes = dropped.filter(({ message, element }) => MESH.test(message) || MESH.test(element)).length;
  const others = dropped.length - meshes;
  const parts = [
    meshes > 0 ? `${countOf(meshes, 'mesh', 'meshes')} missing` : '',
    others > 0 ? `${countOf(others, 'part')} left out` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

function noteOthers(assumed: readonly Assumption[]): string[] {
  const altered = assumed.filter(({ kind }) => kind === 'altered').length;
  const guessed = assumed.filter(({ kind }) => kind === 'guessed').length;
  return [
    altered > 0 ? `${countOf(altered, 'thing')} read otherwise than written` : '',
    guessed > 0 ? `${countOf(guessed, 'guess', 'guesses')}` : '',
  ].filter(Boolean);
}
