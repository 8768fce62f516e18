/** The parts that travel with the page. */
import bearing from '../../../examples/assembly/bearing-parts.json';
import gearbox from '../../../examples/assembly/gearbox.json';
import keyhole from '../../../examples/assembly/keyhole.json';
import type { ExamplePart } from './messages.js';

const files = import.meta.glob<string>('../../../examples/assembly/*/*.stl', {
  query: '?url',
  import: 'default',
  eager: true,
});

export interface RigidExample {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly ExamplePart[];
  /** Part that is chosen at first. */
  readonly chosen: string;
}

const urlOf = (file: string): string => new URL(files[`../../../examples/assembly/${file}`], location.href).href;
const poseOf = (state: { readonly position: readonly number[]; readonly quaternion_xyzw: readonly number[] }) => [
  ...state.position,
  ...state.quaternion_xyzw,
];
const listParts = (parts: readonly { readonly name: string; readonly file: string }[]): ExamplePart[] =>
  parts.map(({ name, file }) => ({ name, url: urlOf(file) }));

export const rigidExamples: readonly RigidExample[] = [
  { id: 'bearing', title: 'Bearing', parts: listParts(bearing.parts), chosen: 'shaft' },
  { id: 'gearbox', title: 'Gearbox, 13 parts', parts: listParts(gearbox.parts), chosen: 'lid' },
  {
    id: 'keyhole',
    title: 'Puzzle: a bar through a keyhole',
    parts: [
      { name: 'bar', url: urlOf(keyhole.robot.mesh), pose: poseOf(keyhole.start), goal: poseOf(keyhole.goal) },
      { name: 'wall', url: urlOf(keyhole.environment.mesh) },
    ],
    chosen: 'bar',
  },
];
