/**
 * A protein in the scene: backbone as a cartoon by chain (ribbons for helices and strands, which end in arrows), bonds as sticks, atoms as balls of their van der Waals radii, clashes
 * in red, boxes as edges. After a turn only what it moved is written anew.
 */
import { type Clash, findAtom, type Molecule, vanDerWaalsRadius } from 'clearance/molecule';
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { CONTACT } from '../stage/materials.js';
import { BackboneTube, type RibbonShape } from './backbone-tube.js';
import { BOX_HALF_EXTENTS, BOX_NUMBERS } from './conformation.js';
import type { LoadedProtein } from './load-protein.js';
import { findSecondary } from './secondary.js';

export interface ProteinView {
  readonly root: Group;
  readonly backbone: Group;
  readonly bonds: InstancedMesh;
  readonly atoms: InstancedMesh;
  readonly clashes: Group;
  /** Follows the positions of these atoms; all others are where they were. */
  move(positions: Float64Array, moved: ArrayLike<number>): void;
  showClashes(clashes: readonly Clash[], positions: Float64Array): void;
  /** Atoms and bonds in the colours of their elements, or of their chains. */
  colorBy(elements: boolean): void;
  /** Draws boxes, BOX_NUMBERS each, those of `renewed` in amber; none for null. */
  showBoxes(boxes: Float64Array | null, renewed: ReadonlySet<number>): void;
  dispose(): void;
}

/** Told apart from one another, and none of them red. */
const CHAINS = [0x5f86b3, 0xc79a4b, 0x6b9e78, 0x8f7ab0, 0x7a8087, 0x4f9aa3, 0xb0926f, 0x9aa653] as const;
/** By element, but for carbon; red is for contact, so oxygen is not. */
const ELEMENTS: ReadonlyMap<string, Color> = new Map(
  Object.entries({ H: 0xe4e7ea, N: 0x3560c9, O: 0xc98a3d, S: 0xd2c03c, P: 0x8d5bc0, FE: 0x8a5a33, ZN: 0x7d86b8 }).map(
    ([element, color]) => [element, new Color(color)],
  ),
);
/** Blue and amber, which nobody takes for each other. */
const BOXES = 0x1463c8;
export const RENEWED = 0xe08a00;
/** Angstrom. */
const TUBE_RADIUS = 0.45;
const BOND_RADIUS = 0.13;
const WIDEST = 2;
/** Clashing atoms lie over the same atoms in the colour of their chain. */
const OVER = 1.01;

/** Written between two pauses, so that a page stays alive with many atoms. */
const PART = 2000;

/** In parts: yields between them. */
export function* buildProteinView({ molecule, report }: LoadedProtein): Generator<void, ProteinView> {
  const names = [...new Set(molecule.residues.map(({ chain }) => chain))];
  const colors = new Map(names.map((name, i) => [name, new Color(CHAINS[i % CHAINS.length])]));
  const colorOf = (residue: number): Color => colors.get(molecule.residues[residue].chain) as Color;
  const backbone = new Group();
  const tubes: BackboneTube[] = [];
  for (const run of traceBackbone(molecule)) {
    yield;
    const made = new BackboneTube(run, TUBE_RADIUS, molecule.positions, shapeRibbon(molecule, run));
    tubes.push(made);
    const { atoms, geometry } = made;
    const color = colorOf(molecule.residueOf[atoms[0]]);
    const tube = new Mesh(geometry, new MeshStandardMaterial({ color, roughness: 0.6 }));
    tube.frustumCulled = false;
    backbone.add(tube);
  }
  const bonds = createSticks(molecule);
  const atoms = createBalls(molecule, molecule.atomCount);
  for (let atom = 0; atom < molecule.atomCount; atom++) {
    if (atom % PART === 0) yield;
    placeBall(atoms, atom, molecule, atom, molecule.positions);
  }
  for (let i = 0; i < bonds.count; i++) {
    if (i % PART === 0) yield;
    placeStick(bonds, i, molecule, molecule.positions);
  }
  const clashes = new Group();
  const kept = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: BOXES }));
  kept.userData.bounded = true;
  // Thicker too, for those who see few colours.
  const renewedEdges = new LineSegments2(
    new LineSegmentsGeometry(),
    new LineMaterial({ color: RENEWED, linewidth: 2.5 }),
  );
  renewedEdges.userData.unbounded = true;
  for (const edges of [kept, renewedEdges]) edges.frustumCulled = false;
  const root = new Group();
  root.add(backbone, bonds, atoms, clashes, kept, renewedEdges);
  let { positions: shown } = molecule;
  for (const part of [...backbone.children, bonds]) part.userData.unbounded = true;
  root.userData = {
    get bounds() {
      return boundAtoms(shown);
    },
  };
  const isMoved = new Uint8Array(molecule.atomCount);
  const view: ProteinView = {
    root,
    backbone,
    bonds,
    atoms,
    clashes,
    move(positions, moved) {
      shown = positions;
      isMoved.fill(0);
      for (let i = 0; i < moved.length; i++) {
        isMoved[moved[i]] = 1;
        placeBall(atoms, moved[i], molecule, moved[i], positions);
      }
      for (let i = 0; i < bonds.count; i++) {
        if (isMoved[molecule.bonds[2 * i]] || isMoved[molecule.bonds[2 * i + 1]])
          placeStick(bonds, i, molecule, positions);
      }
      for (const mesh of [atoms, bonds]) renewInstances(mesh);
      for (const tube of tubes) {
        const first = tube.atoms.findIndex((atom) => isMoved[atom]);
        if (first >= 0) tube.update(positions, first);
      }
    },
    showClashes(found, positions) {
      const clashing = [...new Set(found.flatMap(({ a, b }) => [a, b]))];
      let balls = clashes.children[0] as InstancedMesh<IcosahedronGeometry, MeshStandardMaterial> | undefined;
      if (!balls || balls.instanceMatrix.count < clashing.length) {
        if (balls) disposeMesh(balls);
        balls = createBalls(molecule, Math.max(16, 2 * clashing.length));
        balls.material.color.copy(CONTACT);
        clashes.clear();
        clashes.add(balls);
      }
      balls.count = clashing.length;
      for (const [i, atom] of clashing.entries()) placeBall(balls, i, molecule, atom, positions, OVER);
      renewInstances(balls);
    },
    colorBy(elements) {
      const colorAt = (atom: number): Color =>
        (elements && ELEMENTS.get(molecule.elements[atom])) || colorOf(molecule.residueOf[atom]);
      for (let atom = 0; atom < molecule.atomCount; atom++) atoms.setColorAt(atom, colorAt(atom));
      for (let i = 0; i < bonds.count; i++) {
        // Carbon has its chain's colour: what a bond leads to shows.
        const [a, b] = [molecule.bonds[2 * i], molecule.bonds[2 * i + 1]];
        bonds.setColorAt(i, colorAt(ELEMENTS.has(molecule.elements[b]) ? b : a));
      }
      for (const mesh of [atoms, bonds]) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    },
    showBoxes(boxes, renewed) {
      kept.visible = boxes !== null;
      renewedEdges.visible = boxes !== null && renewed.size > 0;
      if (!boxes) return;
      const others = Array.from({ length: boxes.length / BOX_NUMBERS }, (_, i) => i).filter((i) => !renewed.has(i));
      kept.geometry.dispose();
      kept.geometry = new BufferGeometry();
      kept.geometry.setAttribute('position', new BufferAttribute(writeEdges(boxes, others), 3));
      if (renewed.size === 0) return;
      renewedEdges.geometry.dispose();
      renewedEdges.geometry = new LineSegmentsGeometry();
      renewedEdges.geometry.setPositions(writeEdges(boxes, [...renewed]));
    },
    dispose() {
      root.removeFromParent();
      root.traverse((child) => {
        if (child instanceof Mesh || child instanceof LineSegments) disposeMesh(child);
      });
    },
  };
  yield;
  view.colorBy(false);
  yield;
  view.showClashes(report.clashes, molecule.positions);
  view.showBoxes(null, new Set());
  return view;
}

function disposeMesh(mesh: Mesh | LineSegments): void {
  if (mesh instanceof InstancedMesh) mesh.dispose();
  mesh.geometry.dispose();
  for (const material of [mesh.material].flat()) material.dispose();
}

/** Runs of bonded residues by C alpha, or by phosphorus in nucleic acids; runs of one residue have no line. */
function traceBackbone(molecule: Molecule): number[][] {
  const { residues } = molecule;
  const torn = new Set(molecule.gaps.map(({ after }) => after));
  const pieces: number[][] = [];
  let open: number[] | null = null;
  let before = -1;
  residues.forEach(({ kind, chain, terminal }, residue) => {
    const name = kind === 'amino-acid' ? 'CA' : kind === 'nucleotide' ? 'P' : null;
    const atom = name === null ? -1 : findAtom(molecule, residue, name);
    if (atom < 0) {
      open = null;
      return;
    }
    const starts = before < 0 || residues[before].chain !== chain || residues[before].kind !== kind;
    if (!open || starts || torn.has(residue)) {
      open = [];
      pieces.push(open);
    }
    open.push(atom);
    before = residue;
    if (terminal) open = null;
  });
  return pieces.filter((atoms) => atoms.length > 1);
}

/** Of a run of amino acids, by where their C alphas are in the file; null for nucleic acids. */
function shapeRibbon(molecule: Molecule, atoms: readonly number[]): RibbonShape | null {
  const { residueOf, residues, positions } = molecule;
  if (residues[residueOf[atoms[0]]].kind !== 'amino-acid') return null;
  const secondary = findSecondary(atoms.flatMap((atom) => [...positions.subarray(3 * atom, 3 * atom + 3)]));
  return { secondary, guides: atoms.map((atom) => findAtom(molecule, residueOf[atom], 'O')) };
}

const place = new Matrix4();
const from = new Vector3();
const to = new Vector3();
const middle = new Vector3();
const size = new Vector3();
const turn = new Quaternion();
const UP = new Vector3(0, 1, 0);

function createBalls(molecule: Molecule, count: number): InstancedMesh<IcosahedronGeometry, MeshStandardMaterial> {
  // Fewer triangles each the more balls there are.
  const { atomCount } = molecule;
  const detail = count < 6_000 && atomCount < 20_000 ? 3 : count < 30_000 ? 2 : 1;
  const balls = new InstancedMesh(
    new IcosahedronGeometry(1, detail),
    new MeshStandardMaterial({ roughness: 0.7 }),
    count,
  );
  balls.frustumCulled = false;
  balls.userData.unbounded = true;
  return balls;
}

function placeBall(
  balls: InstancedMesh,
  i: number,
  { elements }: Molecule,
  atom: number,
  positions: Float64Array,
  factor = 1,
): void {
  const radius = factor * vanDerWaalsRadius(elements[atom]);
  place.makeScale(radius, radius, radius);
  place.setPosition(positions[3 * atom], positions[3 * atom + 1], positions[3 * atom + 2]);
  balls.setMatrixAt(i, place);
}

/** With room for the widest of them. */
function boundAtoms(positions: Float64Array): Box3 {
  const bounds = new Box3();
  for (let i = 0; i < positions.length; i += 3) bounds.expandByPoint(from.fromArray(positions, i));
  return bounds.expandByScalar(WIDEST);
}

function createSticks({ bonds }: Molecule): InstancedMesh {
  const material = new MeshStandardMaterial({ roughness: 0.6 });
  const sticks = new InstancedMesh(new CylinderGeometry(1, 1, 1, 6, 1, true), material, bonds.length / 2);
  sticks.frustumCulled = false;
  return sticks;
}

function placeStick(sticks: InstancedMesh, i: number, { bonds }: Molecule, positions: Float64Array): void {
  from.fromArray(positions, 3 * bonds[2 * i]);
  to.fromArray(positions, 3 * bonds[2 * i + 1]);
  middle.addVectors(from, to).multiplyScalar(0.5);
  to.sub(from);
  // A little beyond the atoms, where sticks meet at an angle.
  size.set(BOND_RADIUS, to.length() + BOND_RADIUS, BOND_RADIUS);
  turn.setFromUnitVectors(UP, to.normalize());
  sticks.setMatrixAt(i, place.compose(middle, turn, size));
}

function renewInstances(mesh: InstancedMesh): void {
  mesh.instanceMatrix.needsUpdate = true;
  mesh.boundingSphere = null;
  mesh.boundingBox = null;
}

/** Corners of a box by bits: 1 for +x, 2 for +y, 4 for +z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7] as const;

function writeEdges(boxes: Float64Array, chosen: readonly number[]): Float32Array {
  const out = new Float32Array(3 * EDGES.length * chosen.length);
  let at = 0;
  for (const index of chosen) {
    const box = BOX_NUMBERS * index;
    for (const corner of EDGES) {
      for (let row = 0; row < 3; row++) {
        let value = boxes[box + 9 + row];
        for (let k = 0; k < 3; k++) {
          const half = boxes[box + BOX_HALF_EXTENTS + k];
          value += boxes[box + 3 * row + k] * ((corner >> k) & 1 ? half : -half);
        }
        out[at++] = value;
      }
    }
  }
  return out;
}
