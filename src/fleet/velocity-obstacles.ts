/**
 * The velocity nearest to a wished one that meets nobody for a while, if the others take their share: optimal reciprocal collision avoidance.
 *
 * Method: for each neighbour the velocities that lead to a meeting within the horizon are a cone with a round tip; the least change that leaves it
 * gives a half-plane of allowed velocities, at the robot's share of that change. The nearest allowed velocity within the speed limit is found by
 * taking one half-plane after the other; where there is none, all are opened by the least slack that leaves one, by bisection.
 * Source: van den Berg, Guy, Lin, Manocha 2011, "Reciprocal n-body collision avoidance", doi:10.1007/978-3-642-19457-3_1, sections 4 and 5.
 * Shapes: half-planes of three numbers, nx, ny, c: allowed is n v >= c. Frames: the plane. Units: metres, seconds.
 * Cost: O(neighbours^2). It proposes only: what makes robots safe is avoiding-drive.ts. Tested by avoiding-drive.test.ts.
 */

export class VelocityChooser {
  private planes = new Float64Array(3 * 64);
  private count = 0;
  /** What `choose` found. */
  x = 0;
  y = 0;

  begin(): void {
    this.count = 0;
  }

  /**
   * A neighbour at dx, dy from here, its velocity relative to ours the negative of wx, wy; `radius` the sum of both; own velocity vx, vy; `share` of
   * the change that is ours, 0.5 or 1.
   */
  add(
    dx: number,
    dy: number,
    wx: number,
    wy: number,
    radius: number,
    vx: number,
    vy: number,
    share: number,
    horizon: number,
  ): void {
    const d2 = dx * dx + dy * dy;
    const far2 = radius * radius;
    let nx: number;
    let ny: number;
    let change: number;
    if (d2 > far2) {
      const tx = wx - dx / horizon;
      const ty = wy - dy / horizon;
      const along = tx * dx + ty * dy;
      const t2 = tx * tx + ty * ty;
      if (along < 0 && along * along > far2 * t2) {
        const t = Math.sqrt(t2);
        nx = tx / t;
        ny = ty / t;
        change = radius / horizon - t;
      } else {
        // The nearer leg of the cone; its outer normal.
        const leg = Math.sqrt(d2 - far2);
        const side = dx * ty - dy * tx > 0 ? 1 : -1;
        const ax = (dx * leg - side * dy * radius) / d2;
        const ay = (side * dx * radius + dy * leg) / d2;
        nx = -side * ay;
        ny = side * ax;
        change = -(nx * wx + ny * wy);
      }
    } else {
      // They overlap: apart at once.
      const d = Math.sqrt(d2);
      nx = d > 0 ? -dx / d : 1;
      ny = d > 0 ? -dy / d : 0;
      change = radius - d - (nx * wx + ny * wy);
    }
    if (3 * this.count === this.planes.length) {
      const grown = new Float64Array(6 * this.count);
      grown.set(this.planes);
      this.planes = grown;
    }
    const o = 3 * this.count++;
    this.planes[o] = nx;
    this.planes[o + 1] = ny;
    this.planes[o + 2] = nx * vx + ny * vy + share * change;
  }

  choose(wishX: number, wishY: number, limit: number): void {
    if (this.solve(wishX, wishY, limit, 0)) return;
    let low = 0;
    let high = 4 * limit + 1;
    while (!this.solve(wishX, wishY, limit, high) && high < 1e6) high *= 2;
    for (let k = 0; k < 24; k++) {
      const middle = (low + high) / 2;
      if (this.solve(wishX, wishY, limit, middle)) high = middle;
      else low = middle;
    }
    this.solve(wishX, wishY, limit, high);
  }

  private solve(wishX: number, wishY: number, limit: number, slack: number): boolean {
    const { planes, count } = this;
    const wish = Math.sqrt(wishX * wishX + wishY * wishY);
    const scale = wish > limit ? limit / wish : 1;
    let x = wishX * scale;
    let y = wishY * scale;
    for (let i = 0; i < count; i++) {
      const nx = planes[3 * i];
      const ny = planes[3 * i + 1];
      const c = planes[3 * i + 2] - slack;
      if (nx * x + ny * y >= c) continue;
      // On the border: the point n c + t d, between what the limit and the earlier ones leave.
      const room = limit * limit - c * c;
      if (room < 0) return false;
      let low = -Math.sqrt(room);
      let high = -low;
      for (let j = 0; j < i; j++) {
        const mx = planes[3 * j];
        const my = planes[3 * j + 1];
        const across = mx * ny - my * nx;
        const rest = planes[3 * j + 2] - slack - c * (mx * nx + my * ny);
        if (Math.abs(across) < 1e-12) {
          if (rest > 0) return false;
        } else if (across > 0) low = Math.max(low, rest / across);
        else high = Math.min(high, rest / across);
      }
      if (low > high) return false;
      const t = Math.min(high, Math.max(low, scale * (wishX * ny - wishY * nx)));
      x = c * nx + t * ny;
      y = c * ny - t * nx;
    }
    this.x = x;
    this.y = y;
    return true;
  }
}
