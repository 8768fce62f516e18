/** Moves a robot along a path of configurations at constant speed of its fastest joint. */
import type { Model } from 'clearance/model';
import { configurationAt, listTimes } from './planning/path-times.js';

export interface Player {
  readonly playing: boolean;
  /** 0 to 1. */
  readonly position: number;
  readonly path: readonly Float64Array[];
  /** `times`: seconds at which each configuration is reached; default: at constant speed of the fastest joint. */
  setPath(model: Model, path: readonly Float64Array[], times?: readonly number[]): void;
  /** Another path for the same motion: position and motion go on. Without a word to `onMove` while it stands at the start. */
  replacePath(path: readonly Float64Array[]): void;
  clear(): void;
  play(): void;
  pause(): void;
  seek(position: number): void;
  setSpeed(factor: number): void;
  /** Turns back at either end. */
  setLoop(loop: boolean): void;
}

/** `onMove` gets the configuration to show, or null when only the state (playing, position) changed. */
export function createPlayer(onMove: (q: Float64Array | null) => void): Player {
  let model: Model | null = null;
  let path: readonly Float64Array[] = [];
  /** Seconds at which each configuration is reached. */
  let times: number[] = [0];
  let now = 0;
  let speed = 1;
  let playing = false;
  let loop = false;
  let direction = 1;
  let last = 0;
  let q = new Float64Array(0);

  const total = (): number => times[times.length - 1];
  const show = (): void => onMove(configurationAt(q, model as Model, path, times, now));
  function step(stamp: number): void {
    if (!playing) return;
    // A tab that was in the background does not jump.
    now += direction * speed * Math.min(0.1, (stamp - last) / 1000);
    last = stamp;
    if (direction > 0 ? now >= total() : now <= 0) {
      now = direction > 0 ? total() : 0;
      if (loop) direction = -direction;
      else playing = false;
    }
    show();
    if (playing) requestAnimationFrame(step);
  }
  const player: Player = {
    get playing() {
      return playing;
    },
    get position() {
      return total() > 0 ? now / total() : 0;
    },
    get path() {
      return path;
    },
    setPath(nextModel, nextPath, given) {
      player.clear();
      if (nextPath.length < 2) return;
      model = nextModel;
      path = nextPath;
      q = new Float64Array(model.nq);
      times = listTimes(model, path, given);
      onMove(null);
    },
    replacePath(nextPath) {
      if (!model || nextPath.length < 2) return;
      const position = player.position;
      path = nextPath;
      times = listTimes(model, path);
      now = position * total();
      if (now > 0) show();
    },
    clear() {
      playing = false;
      path = [];
      times = [0];
      now = 0;
    },
    play() {
      if (playing || path.length < 2) return;
      if (now >= total()) now = 0;
      playing = true;
      requestAnimationFrame((stamp) => {
        last = stamp;
        step(stamp);
      });
      onMove(null);
    },
    pause() {
      playing = false;
      onMove(null);
    },
    seek(position) {
      if (path.length < 2) return;
      now = Math.min(Math.max(position, 0), 1) * total();
      show();
    },
    setSpeed(factor) {
      speed = factor;
    },
    setLoop(next) {
      loop = next;
      if (!loop) direction = 1;
    },
  };
  return player;
}
