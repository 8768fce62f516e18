/** What the page of free bodies and its worker say to each other. Poses are x y z qx qy qz qw; units as the files'. */

export interface PartData {
  readonly name: string;
  /** Three numbers each, of the part's own frame. */
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  readonly pose: readonly number[];
  /** Where an example wants it to go; else out of the others' box. */
  readonly goal: readonly number[] | null;
}

export interface ExamplePart {
  readonly name: string;
  readonly url: string;
  readonly pose?: readonly number[];
  readonly goal?: readonly number[];
}

export type ToRigid =
  | { readonly type: 'example'; readonly title: string; readonly parts: readonly ExamplePart[] }
  | { readonly type: 'files'; readonly files: readonly { readonly name: string; readonly bytes: ArrayBuffer }[] }
  /** What another worker had read. */
  | { readonly type: 'restore'; readonly parts: readonly PartData[] }
  | { readonly type: 'choose'; readonly part: number }
  /** Of the chosen part; asks for a contact. */
  | { readonly type: 'pose'; readonly pose: readonly number[] }
  | { readonly type: 'take-out'; readonly pose: readonly number[]; readonly seed: number }
  | { readonly type: 'cancel' }
  | { readonly type: 'sequence' };

export interface ContactAnswer {
  readonly pose: readonly number[];
  readonly touches: boolean;
  /** 0 where it touches. */
  readonly distance: number;
  /** Of the nearest points, or of a place of contact: on the others, on the part. */
  readonly points: readonly number[];
  readonly other: string;
}

export interface TightPlace {
  readonly motion: number;
  readonly t: number;
  readonly distance: number;
  readonly other: string;
  /** Corners: of the others where they stand, of the part in its own frame. */
  readonly obstacleCorners: readonly number[];
  readonly partCorners: readonly number[];
}

export interface WayAnswer {
  readonly status: string;
  readonly reason: string;
  readonly method: string;
  readonly path: readonly (readonly number[])[];
  readonly clearance: number;
  readonly tight: TightPlace | null;
  /** The certificate: motion, time within it, proven distance. */
  readonly balls: Float64Array;
  /** Reference point of the balls, in the part's frame. */
  readonly center: readonly number[];
  readonly queries: number;
  readonly milliseconds: number;
}

export interface SequenceStepAnswer {
  readonly parts: readonly number[];
  /** What moves all parts of the step from where they were, in world. */
  readonly displacements: readonly (readonly number[])[];
  readonly method: string;
  readonly clearance: number;
}

export interface SequenceAnswer {
  readonly status: string;
  readonly reason: string;
  readonly precedence: readonly (readonly [string, string])[];
  readonly milliseconds: number;
}

export type FromRigid =
  | { readonly type: 'parts'; readonly title: string; readonly parts: readonly PartData[] }
  | { readonly type: 'contact'; readonly answer: ContactAnswer }
  | {
      readonly type: 'progress';
      readonly queries: number;
      readonly poses: readonly [number, number];
      /** New edges of the trees: six numbers each, and by edge the side. */
      readonly edges: Float32Array;
      readonly sides: Uint8Array;
    }
  | { readonly type: 'way'; readonly answer: WayAnswer }
  | { readonly type: 'step'; readonly step: SequenceStepAnswer }
  | { readonly type: 'sequence'; readonly answer: SequenceAnswer }
  | { readonly type: 'failed'; readonly message: string };
