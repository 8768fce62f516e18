/** A protein in the scene: backbone as tubes by chain, atoms as balls of their van der Waals radii, clashes in red, boxes as edges. */

import { findAtom, type Molecule, vanDerWaalsRadius } from 'clearance/molecule';
import {
  BufferAttribute,
  BufferGeometry,
  CatmullRomCurve3,
  Color,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  TubeGeometry,
  Vector3,
} from 'three';
import { CONTACT } from '../stage/materials.js';
import { BOX_HALF_EXTENTS, BOX_NUMBERS, type LoadedProtein } from './load-protein.js';

export interface ProteinView {
  readonly root: Group;
  readonly backbone: Group;
  readonly atoms: InstancedMesh;
  readonly clashes: InstancedMesh;
  /** Draws the boxes of one level, 0 for the one around the whole chain; none for null. */
  showLevel(level: number | null): void;
  dispose(): void;
}

/** Told apart from one another, and none of them red. */
const CHAINS = [0x5f86b3, 0xc79a4b, 0x6b9e78, 0x8f7ab0, 0x7a8087, 0x4f9aa3, 0xb0926f, 0x9aa653] as const;
const BOXES = 0x1463c8;
/** Angstrom. */
const TUBE_RADIUS = 0.45;
const TUBE_STEPS = 5;
/** Clashing atoms lie over the same atoms in the colour of their chain. */
const OVER = 1.01;

export function createProteinView({ molecule, report, levels }: LoadedProtein): ProteinView {
  const names = [...new Set(molecule.residues.map(({ chain }) => chain))];
  const colors = new Map(names.map((name, i) => [name, new Color(CHAINS[i % CHAINS.length])]));
  const colorOf = (residue: number): Color => colors.get(molecule.residues[residue].chain) as Color;
  const backbone = new Group();
  for (const { residue, points } of traceBackbone(molecule)) {
    const tube = new TubeGeometry(new CatmullRomCurve3(points), TUBE_STEPS * (points.length - 1), TUBE_RADIUS, 8);
    backbone.add(new Mesh(tube, new MeshStandardMaterial({ color: colorOf(residue), roughness: 0.6 })));
  }
  const everyAtom = Array.from({ length: molecule.atomCount }, (_, atom) => atom);
  const atoms = createBalls(molecule, everyAtom, 1);
  for (const atom of everyAtom) atoms.setColorAt(atom, colorOf(molecule.residueOf[atom]));
  const clashing = [...new Set(report.clashes.flatMap(({ a, b }) => [a, b]))];
  const clashes = createBalls(molecule, clashing, OVER);
  (clashes.material as MeshStandardMaterial).color.copy(CONTACT);
  const boxes = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: BOXES }));
  boxes.userData.bounded = true;
  const root = new Group();
  root.add(backbone, atoms, clashes, boxes);
  return {
    root,
    backbone,
    atoms,
    clashes,
    showLevel(level) {
      boxes.visible = level !== null;
      if (level === null) return;
      boxes.geometry.dispose();
      boxes.geometry = new BufferGeometry();
      boxes.geometry.setAttribute('position', new BufferAttribute(writeEdges(levels[level]), 3));
    },
    dispose() {
      root.removeFromParent();
      root.traverse((child) => {
        if (child instanceof InstancedMesh) child.dispose();
        if (child instanceof Mesh || child instanceof LineSegments) {
          child.geometry.dispose();
          child.material.dispose();
        }
      });
    },
  };
}

interface BackbonePiece {
  /** One of its residues. */
  readonly residue: number;
  readonly points: Vector3[];
}

/** Runs of bonded residues by C alpha, or by phosphorus in nucleic acids; runs of one residue have no line. */
function traceBackbone(molecule: Molecule): BackbonePiece[] {
  const { positions, residues } = molecule;
  const torn = new Set(molecule.gaps.map(({ after }) => after));
  const pieces: BackbonePiece[] = [];
  let open: BackbonePiece | null = null;
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
      open = { residue, points: [] };
      pieces.push(open);
    }
    open.points.push(new Vector3().fromArray(positions, 3 * atom));
    before = residue;
    if (terminal) open = null;
  });
  return pieces.filter(({ points }) => points.length > 1);
}

function createBalls(molecule: Molecule, atoms: readonly number[], factor: number): InstancedMesh {
  // Fewer triangles each the more balls there are.
  const detail = atoms.length < 6_000 ? 3 : atoms.length < 30_000 ? 2 : 1;
  const material = new MeshStandardMaterial({ roughness: 0.7 });
  const balls = new InstancedMesh(new IcosahedronGeometry(1, detail), material, atoms.length);
  const place = new Matrix4();
  atoms.forEach((atom, i) => {
    const radius = factor * vanDerWaalsRadius(molecule.elements[atom]);
    const [x, y, z] = molecule.positions.subarray(3 * atom, 3 * atom + 3);
    balls.setMatrixAt(i, place.makeScale(radius, radius, radius).setPosition(x, y, z));
  });
  return balls;
}

/** Corners of a box by bits: 1 for +x, 2 for +y, 4 for +z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7] as const;

function writeEdges(boxes: Float64Array): Float32Array {
  const count = boxes.length / BOX_NUMBERS;
  const out = new Float32Array(3 * EDGES.length * count);
  let at = 0;
  for (let box = 0; box < boxes.length; box += BOX_NUMBERS) {
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
