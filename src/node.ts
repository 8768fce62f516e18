export type { LoadMeshOptions } from './node/load-mesh.js';
export { loadMesh, loadMeshContent, readBytes } from './node/load-mesh.js';
export type { LoadRobotOptions, MeshStore, RobotFiles } from './node/load-robot.js';
export { createMeshStore, loadRobot } from './node/load-robot.js';
export { listFolders, PackageIndex } from './node/package-index.js';
export type { ResolvedUri, UriContext, UriOptions } from './node/resolve-uri.js';
export { createUriContext, resolveUri } from './node/resolve-uri.js';
export { findWorkspace, folderAndAbove, isFile, isFolder, isInside, packageXmlName, realPath } from './node/roots.js';
