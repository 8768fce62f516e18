/**
 * What the callbacks of a page's main thread take of the processor, from Chromium's own trace: thread time, which is the same on a busy
 * machine. What goes on after something that was awaited counts as one of its own. Callbacks that draw (page-tasks.mjs marks them) are
 * left out.
 */

const kinds = new Set(['EventDispatch', 'FireAnimationFrame', 'TimerFire', 'RunMicrotasks']);

/** Starts; what it returns stops, and answers milliseconds of thread time with the kind of each outermost callback. */
export async function traceCallbacks(page) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing'] });
  return async () => readCallbacks(JSON.parse((await browser.stopTracing()).toString('utf8')).traceEvents);
}

function readCallbacks(events) {
  const draws = events.filter(({ name }) => name === 'clearance-drew');
  const thread =
    draws[0] ?? events.find(({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'pointermove');
  if (!thread) return [];
  const own = events
    .filter(({ name, ph, pid, tid }) => ph === 'X' && kinds.has(name) && pid === thread.pid && tid === thread.tid)
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const found = [];
  let end = -Infinity;
  for (const { name, ts, dur, tdur, args } of own) {
    if (ts < end) continue;
    end = ts + dur;
    if (draws.some((mark) => mark.ts >= ts && mark.ts <= end)) continue;
    found.push({ kind: args?.data?.type ?? name, milliseconds: (tdur ?? dur) / 1000, wall: dur / 1000 });
  }
  return found;
}
