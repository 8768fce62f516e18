/** What the build adds (../first-content.ts): a URL; null in development. */
declare module 'virtual:first-content' {
  const url: string | null;
  export default url;
}

/** What the build puts in (../late-parts.ts). */
declare module 'virtual:late-chains' {
  /** Before a scene holds robots of many links. */
  export function loadChains(): Promise<void>;
}

declare module 'clearance/kernel-first.wasm?url' {
  const url: string;
  export default url;
}
