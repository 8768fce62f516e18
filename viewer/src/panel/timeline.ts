/**
 * The player along the bottom of the view: how near things come over the time of the path, a slider through it, and the places where it
 * is tightest as marks on it.
 */
import { element, fillSelect } from '../dom.js';
import { formatLength } from '../format.js';
import type { ClearanceProfile, Stretch } from '../planning/clearance-profile.js';

export interface TimelineHandlers {
  onPlay(): void;
  /** Position along the path, 0 to 1. */
  onSeek(position: number): void;
  onSpeed(factor: number): void;
  onSave(): void;
}

export interface Timeline {
  readonly root: HTMLElement;
  /** Null: no path, and nothing to show. */
  setPath(summary: string | null): void;
  /** The path shown is no longer known to be free, and is not played. */
  setBroken(broken: boolean): void;
  showPosition(position: number, playing: boolean): void;
  /** Null: not measured yet. */
  showProfile(profile: ClearanceProfile | null): void;
}

const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;
const SVG = 'http://www.w3.org/2000/svg';
/** Of the drawing's own coordinates. */
const [WIDTH, HEIGHT] = [1000, 100];
/** Clearances above this many times the median are cut off, so that small ones can be told apart. */
const CUT = 1.6;
/** Of the path's time: a position this near is one that was measured. */
const SAME = 1e-6;

export function createTimeline(handlers: TimelineHandlers): Timeline {
  const play = element('button', { type: 'button', id: 'play', onclick: () => handlers.onPlay() }, 'Play');
  const position = element('input', {
    type: 'range',
    id: 'path-position',
    min: '0',
    max: '1',
    step: '0.001',
    value: '0',
    'aria-label': 'Position along the path',
  });
  const speed = element('select', { id: 'speed', 'aria-label': 'Speed' });
  fillSelect(
    speed,
    SPEEDS.map((factor) => `${factor}×`),
    SPEEDS.indexOf(1),
  );
  const summary = element('span', { className: 'timeline-summary', id: 'path-summary' });
  const here = element('output', { className: 'number', id: 'path-clearance' });
  const pace = element('output', { className: 'number', id: 'path-pace', title: 'Speed of the tool, dashed' });
  const area = document.createElementNS(SVG, 'path');
  const line = document.createElementNS(SVG, 'path');
  const contact = document.createElementNS(SVG, 'path');
  const speeds = document.createElementNS(SVG, 'path');
  area.classList.add('curve-area');
  line.classList.add('curve-line');
  contact.classList.add('curve-contact');
  speeds.classList.add('curve-speed');
  const curve = document.createElementNS(SVG, 'svg');
  curve.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  curve.setAttribute('preserveAspectRatio', 'none');
  curve.setAttribute('role', 'img');
  curve.setAttribute('aria-label', 'Clearance and speed of the tool along the path');
  curve.classList.add('curve');
  curve.append(contact, area, speeds, line);
  const marks = element('div', { className: 'timeline-marks' });
  const needle = element('div', { className: 'timeline-needle' });
  const root = element(
    'section',
    { className: 'timeline', id: 'timeline', hidden: true, 'aria-label': 'Path' },
    element('div', { className: 'timeline-row' }, play, summary, here, pace, speed, save()),
    element(
      'div',
      { className: 'timeline-track' },
      curve as unknown as Node,
      element('div', { className: 'timeline-marks' }, needle),
      marks,
      position,
    ),
  );
  position.addEventListener('input', () => handlers.onSeek(Number(position.value)));
  speed.addEventListener('change', () => handlers.onSpeed(SPEEDS[speed.selectedIndex]));
  let shown: ClearanceProfile | null = null;

  function save(): HTMLElement {
    return element('button', { type: 'button', id: 'save-path', onclick: () => handlers.onSave() }, 'Save path');
  }

  function showHere(at: number): void {
    needle.style.left = `${100 * at}%`;
    here.textContent = shown ? describeClearance(shown, at) : '';
    pace.textContent = shown ? `${between(shown.speeds, at).toFixed(2)} m/s` : '';
  }

  return {
    root,
    setPath(text) {
      root.hidden = text === null;
      summary.textContent = text ?? '';
    },
    setBroken(broken) {
      root.classList.toggle('broken', broken);
      play.disabled = broken;
    },
    showPosition(at, playing) {
      if (document.activeElement !== position || playing) position.value = String(at);
      position.setAttribute('aria-valuetext', `${Math.round(100 * at)} %`);
      const name = playing ? 'Pause' : 'Play';
      if (play.textContent !== name) play.textContent = name;
      showHere(at);
    },
    showProfile(profile) {
      shown = profile;
      curve.classList.toggle('stale', profile === null);
      if (profile) {
        const outline = drawCurve(profile.knots);
        line.setAttribute('d', outline);
        contact.setAttribute('d', profile.touching.map(drawStretch).join(' '));
        curve.dataset.touching = String(profile.touching.length);
        speeds.setAttribute('d', drawSpeed(profile.speeds));
        area.setAttribute('d', `${outline} L ${WIDTH} ${HEIGHT} L 0 ${HEIGHT} Z`);
      }
      marks.replaceChildren(
        ...(profile?.places ?? []).map(({ position: at, distance, a, b }, i) => {
          const mark = element('button', {
            type: 'button',
            className: i === 0 ? 'mark tightest' : 'mark',
            title: `${formatLength(distance)}: ${a} – ${b}`,
            'aria-label': `Go to ${formatLength(distance)} between ${a} and ${b}`,
            onclick: () => handlers.onSeek(at),
          });
          mark.style.left = `${100 * at}%`;
          return mark;
        }),
      );
      showHere(Number(position.value));
    },
  };
}

function drawCurve({ positions, distances }: ClearanceProfile['knots']): string {
  const finite = distances.filter(Number.isFinite).sort();
  const most = finite.length > 0 ? CUT * Math.max(finite[finite.length >> 1], 1e-6) : 1;
  return Array.from(distances, (distance, i) => {
    const x = WIDTH * positions[i];
    const y = HEIGHT * (1 - Math.min(distance / most, 1));
    return `${i === 0 ? 'M' : 'L'} ${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join(' ');
}

/** The whole height over it. */
function drawStretch([from, to]: Stretch): string {
  return `M ${(WIDTH * from).toFixed(1)} 0 H ${(WIDTH * to).toFixed(1)} V ${HEIGHT} H ${(WIDTH * from).toFixed(1)} Z`;
}

/** The fastest at the top. */
function drawSpeed(speeds: Float64Array): string {
  const most = Math.max(...speeds, 1e-9);
  return Array.from(speeds, (speed, i) => {
    const x = (WIDTH * i) / (speeds.length - 1);
    return `${i === 0 ? 'M' : 'L'} ${x.toFixed(1)} ${(HEIGHT * (1 - speed / most)).toFixed(1)}`;
  }).join(' ');
}

/** Between evenly spread samples as the curve goes. */
function between(values: Float64Array, at: number): number {
  const x = at * (values.length - 1);
  const i = Math.min(Math.floor(x), values.length - 2);
  return values[i] + (x - i) * (values[i + 1] - values[i]);
}

/** What was measured there; between two such places as the curve goes, and said to be about that. */
export function describeClearance({ knots: { positions, distances } }: ClearanceProfile, at: number): string {
  let i = 0;
  while (i < positions.length - 2 && positions[i + 1] < at) i++;
  const [from, to] = [positions[i], positions[i + 1]];
  const share = to > from ? Math.min(Math.max((at - from) / (to - from), 0), 1) : 0;
  const distance = distances[i] + share * (distances[i + 1] - distances[i]);
  // A slider stops at thousandths.
  const isMeasured = share * (to - from) < SAME || (1 - share) * (to - from) < SAME;
  if (distance <= 0) return 'contact';
  if (!Number.isFinite(distance)) return '';
  return `${isMeasured ? '' : '≈ '}${formatLength(distance)}`;
}
