/** A binary heap of numbers by keys. */

/** The least key first; of equal ones the node of the smaller number. */
export class KeyedQueue {
  private readonly nodes: number[] = [];
  private readonly keys: number[] = [];

  push(node: number, key: number): void {
    const { nodes, keys } = this;
    let i = nodes.length;
    nodes.push(node);
    keys.push(key);
    for (let up = (i - 1) >> 1; i > 0 && this.isBefore(i, up); i = up, up = (i - 1) >> 1) this.swap(i, up);
  }

  /** -1 when it is empty. */
  pop(): number {
    const { nodes, keys } = this;
    if (nodes.length === 0) return -1;
    const [first] = nodes;
    this.swap(0, nodes.length - 1);
    nodes.pop();
    keys.pop();
    for (let i = 0; ; ) {
      let down = 2 * i + 1;
      if (down + 1 < nodes.length && this.isBefore(down + 1, down)) down++;
      if (down >= nodes.length || !this.isBefore(down, i)) return first;
      this.swap(i, down);
      i = down;
    }
  }

  private isBefore(i: number, j: number): boolean {
    const { nodes, keys } = this;
    return keys[i] < keys[j] || (keys[i] === keys[j] && nodes[i] < nodes[j]);
  }

  private swap(i: number, j: number): void {
    const { nodes, keys } = this;
    [nodes[i], nodes[j]] = [nodes[j], nodes[i]];
    [keys[i], keys[j]] = [keys[j], keys[i]];
  }
}
