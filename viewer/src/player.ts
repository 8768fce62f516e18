/** Moves a robot along a path of configurations at constant speed of its fastest joint. */
import { differenceConfiguration, interpolateConfiguration, type Model } from 'clearance/model';

/** rad/s or m/s of the joint that moves fastest, at speed 1. */
const JOINT_SPEED = 0.8;

export interface Player {
  readonly playing: boolean;
  /** 0 to 1. */
  readonly position: number;
  readonly path: readonly Float64Array[];
  /** `times`: seconds at which each configuration is reached; default: at constant speed of the fastest joint. */
  setPath(model: Model, path: readonly Float64Array[], times?: readonly number[]): void;
  clear(): void;
  play(): void;
  pause(): void;
  seek(position: number): void;
  setSpeed(factor: number): void;
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
  let last = 0;
  let q = new Float64Array(0);

  const total = (): number => times[times.length - 1];
  function configurationAt(time: number): Float64Array {
    let i = 1;
    while (i < times.length - 1 && times[i] < time) i++;
    const span = times[i] - times[i - 1];
    return interpolateConfiguration(
      q,
      model as Model,
      path[i - 1],
      path[i],
      span > 0 ? (time - times[i - 1]) / span : 1,
    );
  }
  function step(stamp: number): void {
    if (!playing) return;
    // A tab that was in the background does not jump.
    now += speed * Math.min(0.1, (stamp - last) / 1000);
    last = stamp;
    if (now >= total()) {
      now = total();
      playing = false;
    }
    onMove(configurationAt(now));
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
      const difference = new Float64Array(model.nv);
      times = given && given.length === path.length ? given.map((time) => time - given[0]) : [0];
      for (let i = times.length; i < path.length; i++) {
        differenceConfiguration(difference, model, path[i - 1], path[i]);
        const largest = difference.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
        times.push(times[i - 1] + largest / JOINT_SPEED);
      }
      onMove(null);
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
      onMove(configurationAt(now));
    },
    setSpeed(factor) {
      speed = factor;
    },
  };
  return player;
}
