/** How given files are read, where the user says more than they do: which robot, arguments of xacro files, unit and up axis of meshes. */
import type { LoadMeshOptions } from 'clearance/web';

export type MeshReading = Pick<LoadMeshOptions, 'unit' | 'upAxis'>;

export interface Reading {
  /** Which of several robot files is shown; default the first. */
  readonly robotFile?: string;
  readonly xacroArgs?: Readonly<Record<string, string>>;
  /** Of meshes on their own, by path; default what the files say. */
  readonly meshes?: Readonly<Record<string, MeshReading>>;
}

/** What there is to choose about the files that were given. */
export interface ReadingChoices {
  /** Robot files among which one is shown; empty where there is no choice. */
  readonly robotFiles: readonly string[];
  readonly xacroArguments: readonly XacroArgument[];
  /** Files of meshes on their own. */
  readonly meshFiles: readonly string[];
}

export const NO_CHOICES: ReadingChoices = { robotFiles: [], xacroArguments: [], meshFiles: [] };

export interface XacroArgument {
  readonly name: string;
  /** As the file writes it; null: the file has none, one has to be given. */
  readonly preset: string | null;
}
