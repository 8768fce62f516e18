// An occupancy map: points of a scan sorted into cells, a robot's gripper checked against it, lowered until it touches.
import { createCollider, createDistanceResult, createTransform, distance, isWithin, poseToTransform } from 'clearance';
import { voxelizePoints } from 'clearance/geometry';
import { castPair, createCastResult } from 'clearance/narrowphase';

// A scan: a floor of 4 m x 4 m with a step in it, one point every 2 cm.
const points = [];
for (let x = -2; x < 2; x += 0.02) for (let y = -2; y < 2; y += 0.02) points.push(x, y, x > 0.5 ? 0.31 : 0.01);
const shape = voxelizePoints(Float64Array.from(points), 0.05);
console.log(`${points.length / 3} points in ${shape.cells.length / 4} cubes`);

const map = createCollider(shape);
const gripper = createCollider({
  type: 'compound',
  children: [
    { shape: { type: 'box', size: [0.2, 0.08, 0.06] } },
    { shape: { type: 'box', size: [0.02, 0.02, 0.12] }, pose: [0.05, 0, -0.09, 0, 0, 0, 1] },
    { shape: { type: 'box', size: [0.02, 0.02, 0.12] }, pose: [-0.05, 0, -0.09, 0, 0, 0, 1] },
  ],
});
const X_WM = createTransform();
const X_WG = poseToTransform(createTransform(), [0.45, 0, 0.6, 0, 0, 0, 1]);

const near = distance(createDistanceResult(), map, X_WM, gripper, X_WG);
console.log(`${near.distance.toFixed(3)} m apart, child ${near.childB} of the gripper is nearest`);
console.log(isWithin(map, X_WM, gripper, X_WG, 0.05) ? 'closer than 5 cm' : 'at least 5 cm are free');

const X_WE = poseToTransform(createTransform(), [0.45, 0, 0, 0, 0, 0, 1]);
const motion = { a0: X_WM, a1: X_WM, b0: X_WG, b1: X_WE };
const { hit, time } = castPair(createCastResult(), map, gripper, motion);
console.log(`lowered: ${hit ? `touches after ${(0.6 * time).toFixed(3)} m` : 'free'}`);
