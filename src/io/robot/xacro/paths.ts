/** Paths inside xacro files, without a file system: joined by text, whatever the caller's paths look like. */

const ABSOLUTE = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|[\\/]|[A-Za-z]:[\\/])/;

/** The folder a file lies in, without the last slash; "." for a bare name. */
export function folderOf(file: string | undefined): string {
  const at = file === undefined ? -1 : Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
  return at < 0 ? '.' : at === 0 ? '/' : file!.slice(0, at);
}

/** `path` as seen from the file that names it. */
export function joinToFile(file: string | undefined, path: string): string {
  if (ABSOLUTE.test(path)) return path;
  const folder = folderOf(file);
  const plain = path.replace(/^(?:\.\/)+/, '');
  return folder === '.' ? plain : `${folder === '/' ? '' : folder}/${plain}`;
}
