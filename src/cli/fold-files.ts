/**
 * The files of a `chain fold` run: trajectories and a table that grow, and the checkpoint.
 *
 * Growing files are only added to. A checkpoint notes how long each was, so that a run that was killed afterwards goes on
 * by cutting them back to there; what was written behind it comes again, byte by byte.
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { DCD_FRAME_COUNT_OFFSET, encodeDcdFrame, encodeDcdHeader } from '../io/dcd.js';
import { writePdbModel } from '../io/pdb-write.js';
import type { Molecule } from '../molecule/molecule.js';
import type { AtomColumns } from '../molecule/structure.js';
import { toAtomColumns } from '../molecule/to-structure.js';
import { UsageError } from './exit.js';

/** A file that grows; opened anew, or at the length that a checkpoint noted. */
class GrowingFile {
  size: number;
  private readonly descriptor: number;

  constructor(
    readonly path: string,
    length: number | null,
  ) {
    this.descriptor = openSync(path, length === null ? 'w' : 'r+');
    this.size = length ?? 0;
    if (length === null) return;
    const { size } = fstatSync(this.descriptor);
    if (size < length) {
      throw new UsageError(`${path}: ${size} bytes, the checkpoint knows ${length}; it is another file, or was cut`);
    }
    ftruncateSync(this.descriptor, length);
  }

  append(data: Uint8Array | string): void {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    for (let at = 0; at < bytes.length; )
      at += writeSync(this.descriptor, bytes, at, bytes.length - at, this.size + at);
    this.size += bytes.length;
  }

  overwrite(bytes: Uint8Array, position: number): void {
    writeSync(this.descriptor, bytes, 0, bytes.length, position);
  }

  /** What has been written outlasts the machine, not the process alone. */
  sync(): void {
    fsyncSync(this.descriptor);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

export interface OutputSize {
  readonly path: string;
  readonly size: number;
}

/** Where the frames go: PDB models or DCD frames. */
export interface TrajectoryWriter {
  readonly file: GrowingFile;
  /** Frame number from 0 on, positions of the molecule. */
  add(frame: number, positions: Float64Array): void;
  /** Brings counts in headers up to date. */
  settle(frames: number): void;
  /** After the last frame. */
  end(): void;
}

export interface TrajectoryContent {
  readonly molecule: Molecule;
  /** Atoms that are written, ascending. */
  readonly atoms: Int32Array;
  readonly source: AtomColumns;
  /** Steps between frames. */
  readonly every: number;
}

export function trajectoryFormatOf(path: string): 'pdb' | 'dcd' | null {
  const match = /\.(pdb|ent|dcd)$/i.exec(path);
  return match ? (match[1].toLowerCase() === 'dcd' ? 'dcd' : 'pdb') : null;
}

export function openTrajectory(path: string, length: number | null, content: TrajectoryContent): TrajectoryWriter {
  const file = new GrowingFile(path, length);
  const { molecule, atoms, source, every } = content;
  if (trajectoryFormatOf(path) === 'pdb') {
    return {
      file,
      add: (frame, positions) =>
        file.append(writePdbModel(frame + 1, toAtomColumns(molecule, positions, { source, atoms }))),
      settle: () => undefined,
      end: () => file.append('END\n'),
    };
  }
  if (length === null) {
    file.append(
      encodeDcdHeader({ atomCount: atoms.length, frameCount: 0, stepInterval: every, title: 'clearance chain fold' }),
    );
  }
  const chosen = new Float64Array(3 * atoms.length);
  return {
    file,
    add: (_, positions) => {
      atoms.forEach((atom, i) => {
        for (let k = 0; k < 3; k++) chosen[3 * i + k] = positions[3 * atom + k];
      });
      file.append(encodeDcdFrame(chosen));
    },
    settle: (frames) => {
      const count = new Uint8Array(4);
      new DataView(count.buffer).setInt32(0, frames, true);
      file.overwrite(count, DCD_FRAME_COUNT_OFFSET);
    },
    end: () => undefined,
  };
}

/** A table of comma-separated values that grows. */
export function openTable(path: string, length: number | null, names: readonly string[]): GrowingFile {
  const file = new GrowingFile(path, length);
  if (length === null) file.append(`${names.join(',')}\n`);
  return file;
}

/** Written beside the old one and renamed over it, so that one whole checkpoint always exists. */
export function writeWhole(path: string, text: string): void {
  const beside = `${path}.part`;
  const descriptor = openSync(beside, 'w');
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(beside, path);
}

export function readJson(option: string, path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${option} ${path}: ${(error as Error).message}`);
  }
}
