/**
 * Interleaved A/B timing. Both sides answer the same list of inputs; blocks of both alternate, the order within a
 * round flips each time, so that drift of the machine meets both alike. The ratio is the median of the rounds' own
 * ratios and `spread` is the distance between their quartiles: absolute times belong to this machine and moment only.
 */

const quantile = (sorted, fraction) => sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];
const sortNumbers = (values) => [...values].sort((a, b) => a - b);
export const median = (values) => quantile(sortNumbers(values), 0.5);

/** Runs f(i) for all inputs, `repeats` times; nanoseconds per call. */
function timeBlock(f, inputs, repeats) {
  const start = process.hrtime.bigint();
  for (let r = 0; r < repeats; r++) for (let i = 0; i < inputs; i++) f(i);
  return Number(process.hrtime.bigint() - start) / (repeats * inputs);
}

/** How often to run through the inputs so that one block takes about `milliseconds`. */
function countRepeats(f, inputs, milliseconds) {
  const once = timeBlock(f, inputs, 1) * inputs;
  return Math.max(1, Math.round((milliseconds * 1e6) / Math.max(once, 1)));
}

/**
 * @param request { suite, name, inputs: number of inputs, ours: (i) => void, peer: ((i) => void) | null, peerName,
 *   unit: 'ns' | 'us' | 'ms', rounds?, blockMs? }
 */
export function compare({ suite, name, inputs, ours, peer = null, peerName = null, unit, rounds = 15, blockMs = 60 }) {
  const scale = { ns: 1, us: 1e3, ms: 1e6 }[unit];
  // Warm-up: enough rounds for the optimiser to settle on both sides before the first one counts.
  for (let r = 0; r < 3; r++) {
    timeBlock(ours, inputs, countRepeats(ours, inputs, blockMs));
    if (peer) timeBlock(peer, inputs, 1);
  }
  const repeats = countRepeats(ours, inputs, blockMs);
  const peerRepeats = peer ? countRepeats(peer, inputs, blockMs) : 0;
  const times = [];
  const peerTimes = [];
  for (let r = 0; r < rounds; r++) {
    if (peer && r % 2) peerTimes.push(timeBlock(peer, inputs, peerRepeats));
    times.push(timeBlock(ours, inputs, repeats));
    if (peer && !(r % 2)) peerTimes.push(timeBlock(peer, inputs, peerRepeats));
  }
  const ratios = sortNumbers(peer ? times.map((time, r) => time / peerTimes[r]) : times.map((t) => t / median(times)));
  return {
    suite,
    case: name,
    ours: median(times) / scale,
    peer: peer ? median(peerTimes) / scale : null,
    peerName,
    ratio: peer ? quantile(ratios, 0.5) : null,
    unit,
    n: inputs,
    spread: quantile(ratios, 0.75) - quantile(ratios, 0.25),
  };
}
