/**
 * What touches, how near what does not and how long asking takes, while things move: the verdict at once, the nearest pair at the
 * next frame, depths and times when there is time for them.
 */
import { findEnclosedBodies, type ScenePair } from 'clearance/scene';
import { createVerdictPanel } from './panel/verdict.js';
import { watchPointer } from './pointer-held.js';
import {
  createMeasurement,
  findNearest,
  listContacts,
  type Measurement,
  measureContacts,
  type Touching,
} from './queries.js';
import type { NearestLine } from './stage/nearest-line.js';
import { describeVerdict } from './verdict-state.js';
import { showContacts, type Workspace } from './workspace.js';

/** Quiet time after a change before depths are asked for, and between rounds of timing. */
const DEPTH_DELAY = 60;
const MEASURE_DELAY = 150;
/** While a pointer is down, depths wait for a hand that rests; times wait until it lets go. */
const HELD_DELAY = 400;

export class LiveAnswers {
  /** What was found last: what touches, and the nearest pair once that has been asked for. */
  found: { readonly verdict: string; readonly contacts: readonly Touching[]; readonly nearest: ScenePair | null } = {
    ...{ verdict: 'nothing', contacts: [], nearest: null },
  };
  readonly verdict = createVerdictPanel((a, b) => this.onAllow(a, b));
  private workspace: Workspace | null = null;
  private shown: readonly Touching[] = [];
  private depthTimer = 0;
  private measureTimer = 0;
  private nearestFrame = 0;
  private readonly pointer = watchPointer();

  constructor(
    private readonly nearestLine: NearestLine,
    private readonly onAllow: (a: string, b: string) => void,
    private readonly onFound: () => void,
  ) {}

  /** After anything moved: what touches, and its colours. What takes longer follows. */
  refresh(workspace: Workspace): void {
    this.workspace = workspace;
    const contacts = listContacts(workspace.scene, workspace.objectPairs);
    showContacts(workspace, new Set(contacts.flatMap(({ a, b }) => [a, b])));
    this.showVerdict(contacts);
    this.followLater(contacts.length > 0);
  }

  private showVerdict(contacts: readonly Touching[], remarks: readonly string[] = []): void {
    this.shown = contacts;
    if (!this.workspace) return;
    const state = describeVerdict(this.workspace.basis, contacts.length);
    this.verdict.show({ ...state, notes: [...state.notes, ...remarks] }, contacts);
    this.found = { verdict: state.kind, contacts, nearest: null };
    if (contacts.length > 0) this.onFound();
  }

  /** The nearest pair at the next frame, or with the depths where there are contacts; then the times, once nothing moves. */
  private followLater(isTouching: boolean): void {
    window.clearTimeout(this.depthTimer);
    window.clearTimeout(this.measureTimer);
    if (isTouching) {
      cancelAnimationFrame(this.nearestFrame);
      this.nearestFrame = 0;
      this.nearestLine.show(null);
      this.depthTimer = window.setTimeout(() => this.showDepths(), this.pointer.isHeld ? HELD_DELAY : DEPTH_DELAY);
    } else if (this.nearestFrame === 0) {
      this.nearestFrame = requestAnimationFrame(() => {
        this.nearestFrame = 0;
        this.showNearest();
      });
    }
    this.verdict.showTimes(null);
    const measured = this.workspace;
    const measurement = this.workspace && createMeasurement(this.workspace.scene, this.workspace.objectPairs);
    const advance = (running: Measurement): void => {
      if (this.workspace !== measured) return;
      const times = running.advance();
      if (times) this.verdict.showTimes(times);
      else this.measureTimer = window.setTimeout(() => advance(running), MEASURE_DELAY);
    };
    const begin = (): void => {
      if (this.pointer.isHeld) {
        this.measureTimer = window.setTimeout(begin, MEASURE_DELAY);
        return;
      }
      this.showEnclosed();
      if (measurement) this.measureTimer = window.setTimeout(() => advance(measurement), MEASURE_DELAY);
    };
    if (measurement) this.measureTimer = window.setTimeout(begin, MEASURE_DELAY);
  }

  private showDepths(): void {
    if (!this.workspace) return;
    this.showVerdict(measureContacts(this.workspace.scene, this.workspace.objectPairs));
    this.showNearest();
  }

  private showNearest(): void {
    if (!this.workspace) return;
    const nearest = findNearest(this.workspace.scene, this.workspace.objectPairs);
    this.nearestLine.show(nearest);
    this.verdict.showNearest(nearest);
    this.found = { ...this.found, nearest };
    this.onFound();
  }

  private showEnclosed(): void {
    if (!this.workspace) return;
    // What lies inside an open mesh touches nothing, since that is a surface: said beside the verdict.
    const enclosed = findEnclosedBodies(this.workspace.scene);
    if (enclosed.length > 0)
      this.showVerdict(
        this.shown,
        enclosed.map(({ mesh, message }) => `"${mesh}": ${message}`),
      );
  }
}
