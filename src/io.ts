export { parseBinaryCif } from './io/bcif.js';
export { parseChainFile } from './io/chain-file.js';
export { parseCif } from './io/cif.js';
export type { CifWriteOptions } from './io/cif-write.js';
export { writeCif } from './io/cif-write.js';
export type { CloudReadOptions } from './io/cloud-file.js';
export { isOctomapFile, parseCloud, parsePoints } from './io/cloud-file.js';
export { parseCollada } from './io/collada.js';
export type { DcdHeader, DcdTrajectory } from './io/dcd.js';
export { DCD_FRAME_COUNT_OFFSET, encodeDcdFrame, encodeDcdHeader, parseDcd } from './io/dcd.js';
export type { GltfReadOptions } from './io/gltf.js';
export { parseGltf } from './io/gltf.js';
export type { GltfAccessor, GltfContainer, GltfDocument, GltfNode, GltfPrimitive } from './io/gltf-structure.js';
export type { Issue, Parsed } from './io/issue.js';
export { formatIssue, toAssumptions } from './io/issue.js';
export type { MeshUnit, ParseMeshOptions } from './io/mesh.js';
export { METRES_PER_UNIT, meshFormatOf, parseMesh } from './io/mesh.js';
export type { MeshFileContent, MeshFormat, MeshPart, MeshReadOptions, UpAxis } from './io/mesh-content.js';
export { DEFAULT_MAXIMUM_MESH_BYTES } from './io/mesh-content.js';
export { parseObj } from './io/obj.js';
export type { OctomapContent, OctomapOptions } from './io/octomap.js';
export { octomapShape, parseOctomap } from './io/octomap.js';
export { parseOff } from './io/off.js';
export type { PcdContent } from './io/pcd.js';
export { parsePcd } from './io/pcd.js';
export type { StructureReadOptions } from './io/pdb.js';
export { parsePdb } from './io/pdb.js';
export { writePdb, writePdbModel } from './io/pdb-write.js';
export { parsePly, writePly } from './io/ply.js';
export { requireValue } from './io/require-value.js';
export { parseSceneFile, parseShapeDescription } from './io/scene-file.js';
export { parseSrdf, readSrdf, writeSrdf } from './io/srdf.js';
export { checkSemantics, resolveDisabledPairs } from './io/srdf-check.js';
export { inspectBinaryStl, parseStl, writeStl } from './io/stl.js';
export type { StructureFormat } from './io/structure.js';
export { parseStructure, structureFormatOf } from './io/structure.js';
export type { PathTable, TrajectoryFile } from './io/trajectory-file.js';
export {
  parseTrajectoryFile,
  writePathsCsv,
  writePathsJson,
  writeTrajectoryCsv,
  writeTrajectoryJson,
} from './io/trajectory-file.js';
export { readTrajectoryMcap, writeTrajectoryMcap } from './io/trajectory-mcap.js';
export { parseTris } from './io/tris.js';
export type { CountedGeometry, UrdfOptions } from './io/urdf.js';
export { parseUrdf, readUrdf } from './io/urdf.js';
export type { XacroOptions } from './io/xacro.js';
export { expandXacro } from './io/xacro.js';
export type { XmlElement, XmlNode, XmlOptions } from './io/xml.js';
export { decodeXmlBytes, parseXml } from './io/xml.js';
export { writeXml } from './io/xml-write.js';
