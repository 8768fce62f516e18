/** A list of proxy ids in which each occurs once: what moved since somebody last looked. */
export class ProxyList {
  count = 0;
  ids = new Int32Array(0);
  private listed = new Uint8Array(0);

  reserve(capacity: number): void {
    const ids = new Int32Array(capacity);
    ids.set(this.ids);
    const listed = new Uint8Array(capacity);
    listed.set(this.listed);
    this.ids = ids;
    this.listed = listed;
  }

  has(id: number): boolean {
    return this.listed[id] === 1;
  }

  add(id: number): void {
    if (this.listed[id] === 1) return;
    this.listed[id] = 1;
    this.ids[this.count++] = id;
  }

  clear(): void {
    const { ids, listed } = this;
    for (let i = 0; i < this.count; i++) listed[ids[i]] = 0;
    this.count = 0;
  }
}
