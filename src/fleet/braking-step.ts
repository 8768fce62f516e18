/**
 * One step of a body on a line, as fast as its limits allow and such that it can stop at the end.
 *
 * Invariant: v^2 / (2 a) <= free. The speed after the step is the largest v' within v +- a dt and the limit for which the way that is left
 * still suffices to brake, v'^2 / (2 a) + (v + v') dt / 2 <= free; where the end lies within the step it stops there, with no more than a.
 * Writes to out: [way travelled, speed after]. `goOn` false brakes. Tested by plan-execution.test.ts.
 */
export function brakingStep(
  out: Float64Array,
  free: number,
  v: number,
  limit: number,
  acceleration: number,
  dt: number,
  goOn: boolean,
): void {
  const most = acceleration * dt;
  if (!goOn) {
    const after = Math.max(0, v - most);
    out[0] = after > 0 ? ((v + after) / 2) * dt : Math.min(free, (v * v) / (2 * acceleration));
    out[1] = after;
    return;
  }
  if (free <= (v * dt) / 2 || (v === 0 && free <= (most * dt) / 4)) {
    out[0] = free;
    out[1] = 0;
    return;
  }
  const brake = acceleration * (Math.sqrt((dt * dt) / 4 + (2 * (free - (v * dt) / 2)) / acceleration) - dt / 2);
  const after = Math.max(0, v - most, Math.min(limit, v + most, brake));
  out[0] = Math.min(free, ((v + after) / 2) * dt);
  out[1] = after;
}
