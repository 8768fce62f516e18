/** Typed arrays that grow by doubling while a file of unknown length is read. */

export class Float64Buffer {
  data: Float64Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) this.grow();
    this.data[this.length++] = value;
  }

  push3(x: number, y: number, z: number): void {
    const at = this.length;
    if (at + 3 > this.data.length) this.grow();
    this.data[at] = x;
    this.data[at + 1] = y;
    this.data[at + 2] = z;
    this.length = at + 3;
  }

  /** The values in an array of just their length. */
  take(): Float64Array {
    return this.length === this.data.length ? this.data : this.data.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Float64Array(this.data.length * 2);
    larger.set(this.data);
    this.data = larger;
  }
}

export class Int32Buffer {
  data: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) this.grow();
    this.data[this.length++] = value;
  }

  private grow(): void {
    const larger = new Int32Array(this.data.length * 2);
    larger.set(this.data);
    this.data = larger;
  }
}
