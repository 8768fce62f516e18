/** Numbers for people: lengths in the unit that reads best, three to four digits. */
import type { QueryStatus } from 'clearance/narrowphase';

export function formatLength(metres: number): string {
  const size = Math.abs(metres);
  if (size >= 1) return `${metres.toFixed(3)} m`;
  if (size >= 1e-4) return `${(1000 * metres).toFixed(size >= 0.1 ? 1 : 2)} mm`;
  if (size >= 1e-7) return `${(1e6 * metres).toFixed(1)} µm`;
  return '0 mm';
}

/** A signed distance; the depth of an overlap may be known from above only. */
export function formatDistance(metres: number, status: QueryStatus): string {
  if (status === 'collides') return 'in contact';
  return `${status === 'depth-bound' && metres < 0 ? '≥ ' : ''}${formatLength(metres)}`;
}

export function formatMicroseconds(microseconds: number): string {
  if (microseconds >= 10_000) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${microseconds >= 100 ? microseconds.toFixed(0) : microseconds.toFixed(1)} µs`;
}

export function formatMilliseconds(milliseconds: number): string {
  return milliseconds >= 1000
    ? `${(milliseconds / 1000).toFixed(2)} s`
    : `${milliseconds.toFixed(milliseconds >= 100 ? 0 : 1)} ms`;
}

export function countOf(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** URLs of the page's own server as its user knows the files: by their path on disk, made ones by their name. */
export function nameServedFiles(text: string, origin: string): string {
  return text
    .split(`${origin}/`)
    .map((part, i) => {
      if (i === 0) return part;
      const [url] = /^[^\s"]*/.exec(part) as RegExpExecArray;
      const path = url.replace(/^files\//, '/').replace(/^made\/\d+\//, '');
      return safeDecode(path) + part.slice(url.length);
    })
    .join('');
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
