/** Functions that are called every so many seconds of a world's time. Tested by fleet-world.test.ts. */

export function removeFrom<T>(list: T[], entry: T): void {
  const k = list.indexOf(entry);
  if (k >= 0) list.splice(k, 1);
}

/** What rounding may leave of a time. */
const ROUNDING = 1e-9;

export class MonitorList<World> {
  private readonly entries: { readonly seconds: number; readonly monitor: (world: World) => void; next: number }[] = [];

  /** Returns what takes it away. */
  add(now: number, seconds: number, monitor: (world: World) => void): () => void {
    const entry = { seconds, monitor, next: now + seconds };
    this.entries.push(entry);
    return () => removeFrom(this.entries, entry);
  }

  /** Calls those that are due, once each. */
  call(now: number, world: World): void {
    for (const entry of [...this.entries]) {
      if (now < entry.next - ROUNDING) continue;
      entry.next += entry.seconds * (Math.floor((now + ROUNDING - entry.next) / entry.seconds) + 1);
      entry.monitor(world);
    }
  }
}
