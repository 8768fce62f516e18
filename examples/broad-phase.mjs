// A thousand moving boxes: the dynamic tree finds the overlapping pairs with few box tests; half the boxes then move on.
import { createDynamicTree } from 'clearance/broadphase';
import { createRandom } from 'clearance/math';

const random = createRandom(7);
const tree = createDynamicTree();
const size = 0.02;
const boxes = Array.from({ length: 1000 }, () => {
  const [x, y, z] = [random.next(), random.next(), random.next()];
  return Float64Array.of(x, y, z, x + size, y + size, z + size);
});
const ids = boxes.map((box) => tree.add(box));

for (const step of [0, 1]) {
  if (step === 1) {
    for (let i = 0; i < boxes.length; i += 2) {
      for (const axis of [0, 3]) boxes[i][axis] += 0.01;
      tree.update(ids[i], boxes[i]);
    }
  }
  let pairs = 0;
  tree.resetCounts();
  tree.pairs(() => {
    pairs++;
  });
  const all = (boxes.length * (boxes.length - 1)) / 2;
  console.log(`step ${step}: ${pairs} pairs, ${tree.boxTests} box tests instead of ${all}`);
}
