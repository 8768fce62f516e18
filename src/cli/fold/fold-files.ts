/**
 * The files of a `chain fold` run: trajectories and a table that grow, and the checkpoint.
 *
 * Growing files are only added to. A checkpoint notes how long each was, so that a run that was killed afterwards goes on
 * by cutting them back to there; what was written behind it comes again, byte by byte.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DCD_FRAME_COUNT_OFFSET, encodeDcdFrame, encodeDcdHeader } from '../../io/molecule/dcd.js';
import { writePdbModel } from '../../io/molecule/pdb-write.js';
import type { Molecule } from '../../molecule/molecule.js';
import type { AtomColumns } from '../../molecule/structure.js';
import { toAtomColumns } from '../../molecule/to-structure.js';
import { UsageError } from '../exit.js';

/** The system's word on a failed write (no space left, too large) does not say which file. */
function writing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError(`${path}: cannot be written: ${(error as Error).message}`);
  }
}

/** A file that grows; opened anew, or at the length that a checkpoint noted. */
class GrowingFile {
  size: number;
  private readonly descriptor: number;

  constructor(
    readonly path: string,
    length: number | null,
  ) {
    if (length !== null && !existsSync(path)) {
      throw new UsageError(`${path}: gone, the checkpoint knows ${length} bytes of it; put it back, or start anew`);
    }
    this.descriptor = writing(path, () => openSync(path, length === null ? 'w' : 'r+'));
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
    this.overwrite(bytes, this.size);
    this.size += bytes.length;
  }

  overwrite(bytes: Uint8Array, position: number): void {
    writing(this.path, () => {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.descriptor, bytes, at, bytes.length - at, position + at);
    });
  }

  /** What has been written outlasts the machine, not the process alone. */
  sync(): void {
    writing(this.path, () => fsyncSync(this.descriptor));
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

/** Written beside the old one and renamed over it, so that one whole file always exists, when the disk is full too. */
export function writeWhole(path: string, text: string): void {
  const beside = `${path}.part`;
  writing(path, () => {
    const descriptor = openSync(beside, 'w');
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, path);
  });
}

export function readText(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${option} ${path}: cannot be read: ${(error as Error).message}`);
  }
}

export function parseJson(option: string, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} ${path}: no JSON, or cut off: ${(error as Error).message}`);
  }
}
