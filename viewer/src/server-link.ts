/**
 * The page's end of the server's WebSocket: joint values that programs send move the robot, and what the page then says goes back to them.
 * A link that breaks is tried again.
 */
import type { ConfigurationValues } from './load/content.js';

/** What programs are told: joint values of the chosen robot, what touches, the nearest pair. Metres, radians. */
export interface ShownState {
  readonly robot: string | null;
  readonly q: readonly number[];
  readonly free: boolean;
  /** The verdict's word: free, contact, incomplete, nothing. */
  readonly verdict: string;
  readonly contacts: readonly { readonly a: string; readonly b: string; readonly depth?: number }[];
  readonly nearest: { readonly a: string; readonly b: string; readonly distance: number } | null;
}

export interface ServerLink {
  /** Soon, what is read then; at most once in PAUSE. */
  tell(read: () => ShownState | null): void;
}

const PAUSE = 50;
const AGAIN = 2000;

export function openServerLink(url: string, onPlace: (q: ConfigurationValues) => void): ServerLink {
  let socket: WebSocket | null = null;
  let isWaiting = false;
  let last: (() => ShownState | null) | null = null;
  const send = (): void => {
    isWaiting = false;
    const state = last?.();
    if (state && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(state));
  };
  const connect = (): void => {
    const at = new URL(url, document.baseURI);
    at.protocol = at.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(at);
    socket.onopen = send;
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const { q } = JSON.parse(data) as { readonly q?: ConfigurationValues };
      if (q) onPlace(q);
    };
    socket.onclose = () => window.setTimeout(connect, AGAIN);
  };
  connect();
  return {
    tell(read) {
      last = read;
      if (isWaiting) return;
      isWaiting = true;
      window.setTimeout(send, PAUSE);
    },
  };
}
