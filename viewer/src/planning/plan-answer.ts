/** What the page asks of the planning worker, and what comes back: plain data. */
import type { Shape } from 'clearance/geometry';

import type { Pose } from 'clearance/math';
import type { Held } from '../holding.js';
import type { Content } from '../load/content.js';
import type { PairRule } from '../load/pair-rules.js';
import type { ClearanceProfile } from './clearance-profile.js';

/** What the user did to the scene. */
export type SceneEdit =
  | { readonly type: 'move'; readonly object: string; readonly pose: Pose }
  /** A new object, or another shape for one of that name. */
  | { readonly type: 'put'; readonly object: string; readonly shape: Shape; readonly pose: Pose }
  | { readonly type: 'remove'; readonly object: string }
  | ({ readonly type: 'attach'; readonly object: string } & Held)
  | { readonly type: 'detach'; readonly object: string; readonly pose: Pose }
  /** Whether a pair may touch, how near counts as contact, where a robot's base stands. */
  | ({ readonly type: 'rule' } & PairRule)
  | { readonly type: 'margin'; readonly margin: number }
  | { readonly type: 'base'; readonly robot: number; readonly pose: Pose }
  /** Joint values of another robot. */
  | { readonly type: 'stand'; readonly robot: number; readonly q: Float64Array };

/** From where, through what, to where: full configurations of the robot. */
export interface PlanEnds {
  readonly start: Float64Array;
  readonly via?: readonly Float64Array[];
  readonly goal: Float64Array;
}

/** How a path is sought where none is at hand. */
export interface PlanSettings {
  /** Of the library's list, or `auto`: quick searches first, then exact ones. */
  readonly planner: string;
  readonly seed: number;
  /** Limits of an exact search. */
  readonly iterations: number;
  readonly seconds: number;
  /** What of the tool is kept on the whole way. */
  readonly hold: Hold;
  /** Link that is kept; null: nothing can be. */
  readonly tool: string | null;
  /** Without a path, look for the reasons. */
  readonly explain: boolean;
  /** Search by a roadmap, and show it. */
  readonly roadmap: boolean;
}

/** As it is at the start: its axis, its orientation, its height, or the straight line to the goal. */
export type Hold = 'none' | 'axis' | 'orientation' | 'height' | 'line';

export interface PlanAnswer {
  /** `searching`: no path yet, and the search goes on. */
  readonly status: 'solved' | 'searching' | 'none' | 'invalid-start' | 'invalid-goal';
  /** Why there is no path. */
  readonly reason: string;
  /** Full configurations, from start to goal; empty unless solved. */
  readonly path: readonly Float64Array[];
  readonly length: number;
  /** What became of the path before, or how this one came about. */
  readonly how: 'loaded' | 'kept' | 'repaired' | 'replanned' | 'searched';
  /**
   * What is proven: `motions`, each free at every time, by spheres around the links or exactly where these cannot tell;
   * `certificate`: the whole of it with the exact shapes, written down; null: not looked at yet, or not proven.
   */
  readonly proof: 'motions' | 'certificate' | null;
  /** False where something is missing from the scene: then free is not known to be free. */
  readonly complete: boolean;
  /** With a certificate: no pair comes closer than this at any time. Metres. */
  readonly clearance: number | null;
  readonly profile: ClearanceProfile | null;
  /** How well what is kept is kept. */
  readonly note?: string;
  /** Why there is no path, where that was asked for. */
  readonly reasons?: readonly string[];
  /** Free motions of the roadmap by the tool's places: two points each. */
  readonly lines?: Float32Array;
  /** Work in the worker up to this answer. */
  readonly milliseconds: number;
  /** States and motions asked. */
  readonly checks: number;
}

export interface TogetherAnswer {
  readonly solved: boolean;
  readonly reason: string;
  /** Of each robot; empty unless solved. */
  readonly paths: readonly (readonly Float64Array[])[];
  /** Seconds, of all paths. */
  readonly times: readonly number[];
  readonly complete: boolean;
  readonly milliseconds: number;
}

export type ToPlanning =
  | {
      readonly type: 'plan-open';
      readonly content: Content;
      readonly robot: number;
      readonly edits: readonly SceneEdit[];
    }
  | {
      readonly type: 'plan';
      readonly request: number;
      readonly edits: readonly SceneEdit[];
      readonly ends: PlanEnds;
      readonly group: string | null;
      /** Keep no path of before. */
      readonly anew: boolean;
      readonly settings: PlanSettings;
    }
  /** Whether a path that comes from elsewhere is free. */
  | {
      readonly type: 'plan-check';
      readonly request: number;
      readonly edits: readonly SceneEdit[];
      readonly path: readonly Float64Array[];
    }
  /** All robots at once, from starts to goals in the scene's order. */
  | {
      readonly type: 'plan-together';
      readonly request: number;
      readonly edits: readonly SceneEdit[];
      readonly starts: readonly Float64Array[];
      readonly goals: readonly Float64Array[];
      readonly seed: number;
    }
  /** Makes ready what the first question needs. */
  | { readonly type: 'plan-warm'; readonly ends: PlanEnds; readonly group: string | null }
  | { readonly type: 'plan-cancel' };

export type FromPlanning =
  | {
      readonly type: 'plan-ready';
      readonly planners: readonly { readonly name: string; readonly about: string }[];
    }
  | { readonly type: 'plan-answer'; readonly request: number; readonly answer: PlanAnswer }
  | { readonly type: 'plan-together-answer'; readonly request: number; readonly answer: TogetherAnswer }
  /** Iterations of a search that goes on. */
  | { readonly type: 'plan-progress'; readonly request: number; readonly iterations: number }
  | { readonly type: 'plan-settled'; readonly request: number }
  | { readonly type: 'plan-failed'; readonly request: number; readonly message: string };
