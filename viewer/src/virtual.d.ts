/** What the build adds (../first-content.ts): a URL; null in development. */
declare module 'virtual:first-content' {
  const url: string | null;
  export default url;
}
