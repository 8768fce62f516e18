/**
 * Edges of a graph in which all states are neighbours, in the order of their keys: a heap of edges for each state, and a heap of states by the
 * key of their next edge, so that no more than one edge of a state is compared with others'.
 *
 * A state's edges are made a heap at once, O(edges), and taken one by one, O(log edges). The key of an edge is the base of its state and its own
 * key; states that are opened anew lose the edges they had. Of equal keys the state that was opened first, and the end of the smaller number.
 * Source: lists of edges sorted by state: Wilson, Thomason, Kingston, Kavraki, Gammell 2024, section III, doi:10.48550/arXiv.2411.17902.
 * Tested by test/contract/optimal-planners.test.ts.
 */
interface StateEdges {
  readonly from: number;
  readonly base: number;
  /** Of heaps: keys, and the ends they belong to. */
  readonly keys: number[];
  readonly ends: number[];
  readonly order: number;
}

export interface QueuedEdge {
  readonly from: number;
  readonly to: number;
  readonly key: number;
}

export class EdgeQueue {
  private lists = new Map<number, StateEdges>();
  private readonly keys: number[] = [];
  private readonly heads: StateEdges[] = [];
  private opened = 0;

  /** Whether the state has been opened since the queue was emptied. */
  has(from: number): boolean {
    return this.lists.has(from);
  }

  open(from: number, base: number): void {
    this.lists.set(from, { from, base, keys: [], ends: [], order: this.opened++ });
  }

  add(from: number, to: number, key: number): void {
    const { keys, ends } = this.lists.get(from)!;
    keys.push(key);
    ends.push(to);
  }

  /** What was added to a state is in the queue from now on. */
  close(from: number): void {
    const list = this.lists.get(from)!;
    for (let i = (list.keys.length >> 1) - 1; i >= 0; i--) siftDown(list, i);
    this.pushHead(list);
  }

  /** The edge of the least key, which is taken out; null where there is none. */
  take(): QueuedEdge | null {
    for (;;) {
      const list = this.heads[0];
      if (!list) return null;
      // Opened anew since.
      if (this.lists.get(list.from) !== list) {
        this.popHead();
        continue;
      }
      const { from, base, keys, ends } = list;
      const edge = { from, to: ends[0], key: base + keys[0] };
      const key = keys.pop()!;
      const end = ends.pop()!;
      if (keys.length > 0) {
        keys[0] = key;
        ends[0] = end;
        siftDown(list, 0);
        this.keys[0] = base + keys[0];
        this.siftHead(0);
      } else this.popHead();
      return edge;
    }
  }

  clear(): void {
    this.lists = new Map();
    this.keys.length = 0;
    this.heads.length = 0;
    this.opened = 0;
  }

  private pushHead(list: StateEdges): void {
    if (list.keys.length === 0) return;
    const { keys, heads } = this;
    let i = heads.length;
    heads.push(list);
    keys.push(list.base + list.keys[0]);
    for (let up = (i - 1) >> 1; i > 0 && this.isBefore(i, up); i = up, up = (i - 1) >> 1) this.swap(i, up);
  }

  private popHead(): void {
    const { keys, heads } = this;
    const key = keys.pop()!;
    const list = heads.pop()!;
    if (heads.length === 0) return;
    keys[0] = key;
    heads[0] = list;
    this.siftHead(0);
  }

  private siftHead(at: number): void {
    for (let i = at; ; ) {
      let down = 2 * i + 1;
      if (down >= this.heads.length) return;
      if (down + 1 < this.heads.length && this.isBefore(down + 1, down)) down++;
      if (!this.isBefore(down, i)) return;
      this.swap(i, down);
      i = down;
    }
  }

  private isBefore(i: number, j: number): boolean {
    const { keys, heads } = this;
    return keys[i] < keys[j] || (keys[i] === keys[j] && heads[i].order < heads[j].order);
  }

  private swap(i: number, j: number): void {
    const { keys, heads } = this;
    [keys[i], keys[j]] = [keys[j], keys[i]];
    [heads[i], heads[j]] = [heads[j], heads[i]];
  }
}

function siftDown({ keys, ends }: StateEdges, at: number): void {
  const key = keys[at];
  const end = ends[at];
  let i = at;
  for (;;) {
    let down = 2 * i + 1;
    if (down >= keys.length) break;
    const next = down + 1;
    if (next < keys.length && (keys[next] < keys[down] || (keys[next] === keys[down] && ends[next] < ends[down])))
      down = next;
    if (!(keys[down] < key || (keys[down] === key && ends[down] < end))) break;
    keys[i] = keys[down];
    ends[i] = ends[down];
    i = down;
  }
  keys[i] = key;
  ends[i] = end;
}
