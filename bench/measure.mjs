/**
 * Interleaved A/B timing. Both sides answer the same inputs in blocks of about `blockMs`; blocks of both alternate, the
 * order within a round flips each time, so that drift of the machine meets both alike. Where one pass over the inputs
 * takes longer than a block, a round takes the next few inputs, the same ones for both sides. The ratio is the median of
 * the rounds' own ratios and `spread` is the distance between their quartiles: absolute times belong to this machine and
 * moment only.
 */

const quantile = (sorted, fraction) => sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];
const sortNumbers = (values) => [...values].sort((a, b) => a - b);
/** Processor time of this program so far, microseconds. */
export const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
export const median = (values) => quantile(sortNumbers(values), 0.5);

/** Tells on standard error what is being measured, and on a terminal how far it is (share from 0 to 1). */
export function startProgress(label) {
  const { stderr } = process;
  stderr.write(stderr.isTTY ? `${label}` : `${label}\n`);
  let last = performance.now();
  return {
    update: (share) => {
      const now = performance.now();
      if (!stderr.isTTY || now - last < 200) return;
      last = now;
      stderr.write(`\r${label} ${Math.round(100 * share)} %`);
    },
    stop: () => {
      if (stderr.isTTY) stderr.write('\r\u001B[K');
    },
  };
}

/** Runs f for `size` inputs from `start` on, `repeats` times; nanoseconds per call. */
function timeBlock(f, { start, size, inputs }, repeats) {
  const begin = process.hrtime.bigint();
  for (let r = 0; r < repeats; r++) for (let i = 0; i < size; i++) f((start + i) % inputs);
  return Number(process.hrtime.bigint() - begin) / (repeats * size);
}

const countRepeats = (nsPerCall, size, blockMs) => Math.max(1, Math.round((blockMs * 1e6) / (nsPerCall * size)));

/**
 * @param request { suite, name, inputs: number of inputs, ours: (i) => void, peer: ((i) => void) | null, peerName,
 *   unit: 'ns' | 'us' | 'ms', rounds?, blockMs? }
 */
export function compare({ suite, name, inputs, ours, peer = null, peerName = null, unit, rounds = 15, blockMs = 60 }) {
  const scale = { ns: 1, us: 1e3, ms: 1e6 }[unit];
  const slower = peer ?? ours;
  const probe = timeBlock(slower, { start: 0, size: Math.min(inputs, 2), inputs }, 1);
  const size = Math.min(inputs, Math.max(1, Math.floor((blockMs * 1e6) / probe)));
  // Warm-up: a few blocks for the optimiser to settle on both sides before the first one counts.
  let [oursNs, peerNs] = [1e6, probe];
  for (let r = 0; r < 3; r++) {
    const block = { start: (r * size) % inputs, size, inputs };
    oursNs = timeBlock(ours, block, countRepeats(oursNs, size, blockMs));
    if (peer) peerNs = timeBlock(peer, block, countRepeats(peerNs, size, blockMs));
  }
  const times = [];
  const peerTimes = [];
  for (let r = 0; r < Math.max(rounds, Math.ceil(inputs / size)); r++) {
    const block = { start: (r * size) % inputs, size, inputs };
    const timePeer = () => peerTimes.push(timeBlock(peer, block, countRepeats(peerNs, size, blockMs)));
    if (peer && r % 2) timePeer();
    times.push(timeBlock(ours, block, countRepeats(oursNs, size, blockMs)));
    if (peer && !(r % 2)) timePeer();
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

/**
 * As `compare`, against a native program (native-program.mjs) that times itself: `timePeer(calls)` resolves to its
 * nanoseconds per call. Both go through the same inputs in turn.
 */
export async function compareWithProgram(request) {
  const { suite, name, inputs, ours, timePeer, peerName, unit, rounds = 9, blockMs = 60 } = request;
  const scale = { ns: 1, us: 1e3, ms: 1e6 }[unit];
  let next = 0;
  const timeOurs = (calls) => {
    const begin = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) ours((next + i) % inputs);
    next = (next + calls) % inputs;
    return Number(process.hrtime.bigint() - begin) / calls;
  };
  const callsFor = (ns) => Math.max(1, Math.round((blockMs * 1e6) / ns));
  let [oursNs, peerNs] = [timeOurs(Math.min(inputs, 4)), await timePeer(Math.min(inputs, 4))];
  for (let r = 0; r < 3; r++) {
    oursNs = timeOurs(callsFor(oursNs));
    peerNs = await timePeer(callsFor(peerNs));
  }
  const times = [];
  const peerTimes = [];
  for (let r = 0; r < rounds; r++) {
    if (r % 2) peerTimes.push(await timePeer(callsFor(peerNs)));
    times.push(timeOurs(callsFor(oursNs)));
    if (r % 2 === 0) peerTimes.push(await timePeer(callsFor(peerNs)));
  }
  const ratios = sortNumbers(times.map((time, r) => time / peerTimes[r]));
  return {
    suite,
    case: name,
    ours: median(times) / scale,
    peer: median(peerTimes) / scale,
    peerName,
    ratio: quantile(ratios, 0.5),
    unit,
    n: inputs,
    spread: quantile(ratios, 0.75) - quantile(ratios, 0.25),
  };
}

/**
 * `compare` for functions that answer all inputs in one call: the times are per input. `ours` and `peer` are called in
 * turn, the order flipping each round.
 * @param request as for `compare`, with ours: () => void and peer: () => void
 */
export function compareBatch({ suite, name, inputs, ours, peer, peerName, unit, rounds = 7 }) {
  const scale = { ns: 1, us: 1e3, ms: 1e6 }[unit] * inputs;
  const time = (f) => {
    const begin = process.hrtime.bigint();
    f();
    return Number(process.hrtime.bigint() - begin);
  };
  for (const f of [ours, peer, ours]) f();
  const times = [];
  const peerTimes = [];
  for (let r = 0; r < rounds; r++) {
    if (r % 2) peerTimes.push(time(peer));
    times.push(time(ours));
    if (!(r % 2)) peerTimes.push(time(peer));
  }
  const ratios = sortNumbers(times.map((t, r) => t / peerTimes[r]));
  return {
    suite,
    case: name,
    ours: median(times) / scale,
    peer: median(peerTimes) / scale,
    peerName,
    ratio: quantile(ratios, 0.5),
    unit,
    n: inputs,
    spread: quantile(ratios, 0.75) - quantile(ratios, 0.25),
  };
}
