/**
 * The checkpoint of a `chain fold` run, as JSON: settings, files and state, everything needed to go on with the same bits.
 *
 * It may have been cut off, edited, or be another file altogether: it ends with the SHA-256 of all that comes before, and
 * whatever is read is checked to the last field as well, since a run that goes on from a wrong state looks like any other.
 */
import { z } from 'zod';
import { UsageError } from '../exit.js';
import { sealJson, UNSEALED, unsealJson } from '../sealed-json.js';
import { type OutputSize, parseJson, readText } from './fold-files.js';
import type { FoldSettings, Sampler } from './fold-settings.js';

/** Outputs that grow, and when they do. */
export interface FoldOutputs {
  readonly steps: number;
  /** Steps between samples. */
  readonly every: number;
  readonly trajectories: readonly string[];
  readonly table: string | null;
  /** Selection that the deviation counts, as text. */
  readonly deviationOf: string;
}

export interface CurveState {
  readonly stride: number;
  readonly seen: number;
  readonly points: readonly (readonly (number | null)[])[];
}

/** Steps tried and accepted until the last sample. */
export interface Tally {
  readonly proposed: number;
  readonly accepted: number;
}

export interface FoldCheckpoint {
  readonly format: 'clearance-fold';
  readonly version: typeof CHECKPOINT_VERSION;
  readonly settings: FoldSettings;
  readonly outputs: FoldOutputs;
  readonly state: ReturnType<Sampler['save']>;
  readonly frames: number;
  readonly tally: Tally;
  readonly files: readonly OutputSize[];
  readonly curve: CurveState;
}

export const CHECKPOINT_VERSION = 3;

/** The text of a checkpoint file. */
export function formatCheckpoint(checkpoint: FoldCheckpoint): string {
  return sealJson(JSON.stringify(checkpoint));
}

const count = z.int().min(0);
const positive = z.int().min(1);
const simulationState = z.object({
  step: count,
  torsions: z.array(z.number()),
  random: z.array(z.number()),
  counts: z.array(count),
});
const settingsSchema: z.ZodType<FoldSettings> = z.object({
  input: z.union([z.object({ file: z.string(), sha256: z.string() }), z.object({ sequence: z.string() })]),
  model: positive,
  altloc: z.string(),
  chains: z.array(z.string()).nullable(),
  sideChains: z.enum(['chi', 'rigid']),
  omega: z.boolean(),
  disulfides: z.enum(['keep', 'open']),
  seed: z.int(),
  temperature: z.number(),
  anneal: z.number().nullable(),
  annealSteps: positive,
  moves: z.record(z.string(), z.number().nullable()).nullable(),
  energy: z.enum(['charmm19', 'none']),
  cutoff: z.number(),
  dielectric: z.number(),
  hardCore: z.number(),
  replicas: positive,
  highest: z.number(),
  exchangeEvery: positive,
});
const checkpointSchema: z.ZodType<FoldCheckpoint> = z.object({
  format: z.literal('clearance-fold'),
  version: z.literal(CHECKPOINT_VERSION),
  settings: settingsSchema,
  outputs: z.object({
    steps: positive,
    every: positive,
    trajectories: z.array(z.string()),
    table: z.string().nullable(),
    deviationOf: z.string(),
  }),
  state: z.union([
    simulationState,
    z.object({
      ladder: z.object({
        rounds: count,
        replicaOf: z.array(count),
        random: z.array(z.number()),
        tried: z.array(count),
        done: z.array(count),
      }),
      replicas: z.array(simulationState).min(1),
    }),
  ]),
  frames: count,
  tally: z.object({ proposed: count, accepted: count }),
  files: z.array(z.object({ path: z.string(), size: count })),
  curve: z.object({ stride: positive, seen: count, points: z.array(z.array(z.number().nullable())) }),
});

export function readCheckpoint(path: string): FoldCheckpoint {
  const text = readText('--resume', path);
  const value = parseJson('--resume', path, text) as { readonly format?: unknown; readonly version?: unknown } | null;
  if (value?.format !== 'clearance-fold') {
    throw new UsageError(`--resume ${path}: no checkpoint of chain fold, expected a file that --checkpoint wrote`);
  }
  if (value.version !== CHECKPOINT_VERSION) {
    throw new UsageError(
      `--resume ${path}: a checkpoint of version ${value.version}, expected ${CHECKPOINT_VERSION}: ` +
        'go on with the release that wrote it, or start anew',
    );
  }
  if (unsealJson(text) === null) throw new UsageError(`--resume ${path}: ${UNSEALED}`);
  const checked = checkpointSchema.safeParse(value);
  if (!checked.success) {
    const [{ path: place, message }] = checked.error.issues;
    throw new UsageError(
      `--resume ${path}: ${place.join('.')}: ${message}; the checkpoint is damaged, go on from a copy of it or start anew`,
    );
  }
  return checked.data;
}
