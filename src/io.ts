export { parseChainFile } from './io/chain-file.js';
export type { CloudReadOptions } from './io/cloud/cloud-file.js';
export { isOctomapFile, parseCloud, parsePoints } from './io/cloud/cloud-file.js';
export type { OctomapContent, OctomapOptions } from './io/cloud/octomap.js';
export { octomapShape, parseOctomap } from './io/cloud/octomap.js';
export type { PcdContent } from './io/cloud/pcd.js';
export { parsePcd } from './io/cloud/pcd.js';
export type { Issue, Parsed } from './io/issue.js';
export { formatIssue, toAssumptions } from './io/issue.js';
export { parseCollada } from './io/mesh/collada.js';
export type { GltfReadOptions } from './io/mesh/gltf.js';
export { parseGltf } from './io/mesh/gltf.js';
export type { MeshUnit, ParseMeshOptions } from './io/mesh/mesh.js';
export { METRES_PER_UNIT, meshFormatOf, parseMesh } from './io/mesh/mesh.js';
export type { MeshFileContent, MeshFormat, MeshPart, MeshReadOptions, UpAxis } from './io/mesh/mesh-content.js';
export { DEFAULT_MAXIMUM_MESH_BYTES } from './io/mesh/mesh-content.js';
export { parseObj } from './io/mesh/obj.js';
export { parseOff } from './io/mesh/off.js';
export { parsePly, writePly } from './io/mesh/ply.js';
export { inspectBinaryStl, parseStl, writeStl } from './io/mesh/stl.js';
export { parseTris } from './io/mesh/tris.js';
export { parseBinaryCif } from './io/molecule/bcif.js';
export { parseCif } from './io/molecule/cif.js';
export type { CifWriteOptions } from './io/molecule/cif-write.js';
export { writeCif } from './io/molecule/cif-write.js';
export type { DcdHeader, DcdTrajectory } from './io/molecule/dcd.js';
export { DCD_FRAME_COUNT_OFFSET, encodeDcdFrame, encodeDcdHeader, parseDcd } from './io/molecule/dcd.js';
export type { StructureReadOptions } from './io/molecule/pdb.js';
export { parsePdb } from './io/molecule/pdb.js';
export { writePdb, writePdbModel } from './io/molecule/pdb-write.js';
export type { StructureFormat } from './io/molecule/structure.js';
export { parseStructure, structureFormatOf } from './io/molecule/structure.js';
export { parseGeoJson } from './io/plane/geojson.js';
export { parsePlaneProblem } from './io/plane/plane-file.js';
export type { SvgPathOptions } from './io/plane/svg-path.js';
export { parseSvgPath } from './io/plane/svg-path.js';
export { requireValue } from './io/require-value.js';
export type { AssemblyFilePart } from './io/rigid/assembly-file.js';
export { parseAssembly } from './io/rigid/assembly-file.js';
export type { RigidProblemFile } from './io/rigid/rigid-file.js';
export { parseRigidCertificate, parseRigidPath, parseRigidProblem } from './io/rigid/rigid-file.js';
export type { SphereFileOptions } from './io/robot/sphere-file.js';
export { parseSpheres, writeSpheresJson, writeSpheresYaml } from './io/robot/sphere-file.js';
export { parseSrdf, readSrdf, writeSrdf } from './io/robot/srdf.js';
export { checkSemantics, resolveDisabledPairs } from './io/robot/srdf-check.js';
export type { CountedGeometry, UrdfOptions } from './io/robot/urdf.js';
export { parseUrdf, readUrdf } from './io/robot/urdf.js';
export type { XacroOptions } from './io/robot/xacro.js';
export { expandXacro } from './io/robot/xacro.js';
export { parseSceneFile, parseShapeDescription } from './io/scene-file.js';
export type { PathCertificateFile } from './io/trajectory/path-certificate.js';
export { parsePathCertificates, writePathCertificates } from './io/trajectory/path-certificate.js';
export type { PathTable, TrajectoryFile } from './io/trajectory/trajectory-file.js';
export {
  parseTrajectoryFile,
  writePathsCsv,
  writePathsJson,
  writeTrajectoryCsv,
  writeTrajectoryJson,
} from './io/trajectory/trajectory-file.js';
export { readTrajectoryMcap, writeTrajectoryMcap } from './io/trajectory/trajectory-mcap.js';
export type { XmlElement, XmlNode, XmlOptions } from './io/xml/xml.js';
export { decodeXmlBytes, parseXml } from './io/xml/xml.js';
export { writeXml } from './io/xml/xml-write.js';
