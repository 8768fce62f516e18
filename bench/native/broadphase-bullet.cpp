// Times Bullet's btDbvtBroadphase for the suite `broadphase`, in the same run as ours: boxes and the steps of a closed walk
// from standard input, then commands with one line of answer each.
//
//   N S                                     boxes, steps
//   N x 6 numbers                           the boxes: min, max
//   per step: M, M ids, M x 6 numbers       what moves, and where to
//   check      takes the first step         -> overlapping pairs
//   time K     takes the next K steps       -> nanoseconds per step: new boxes, pair update, a walk over all exact pairs
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

struct Step {
  std::vector<int> ids;
  std::vector<btVector3> low, high;
};

static btVector3 readVector() {
  double x, y, z;
  std::cin >> x >> y >> z;
  return btVector3(btScalar(x), btScalar(y), btScalar(z));
}

// The tree keeps pairs of its fat boxes; a narrow phase is owed those whose own boxes overlap.
struct ExactPairs : btOverlapCallback {
  long count = 0;
  bool processOverlap(btBroadphasePair& pair) override {
    const btBroadphaseProxy *a = pair.m_pProxy0, *b = pair.m_pProxy1;
    count += TestAabbAgainstAabb2(a->m_aabbMin, a->m_aabbMax, b->m_aabbMin, b->m_aabbMax);
    return false;
  }
};

int main() {
  std::ios::sync_with_stdio(false);
  int count = 0, stepCount = 0;
  std::cin >> count >> stepCount;
  btDbvtBroadphase broadphase;
  std::vector<btBroadphaseProxy*> proxies;
  for (int i = 0; i < count; i++) {
    const btVector3 low = readVector(), high = readVector();
    proxies.push_back(broadphase.createProxy(low, high, 0, nullptr, 1, 1, nullptr));
  }
  std::vector<Step> steps(stepCount);
  for (Step& step : steps) {
    int moved = 0;
    std::cin >> moved;
    step.ids.resize(moved);
    for (int& id : step.ids) std::cin >> id;
    for (int i = 0; i < moved; i++) {
      step.low.push_back(readVector());
      step.high.push_back(readVector());
    }
  }
  int next = 0;
  const auto take = [&] {
    const Step& step = steps[next];
    next = (next + 1) % stepCount;
    for (size_t i = 0; i < step.ids.size(); i++)
      broadphase.setAabb(proxies[step.ids[i]], step.low[i], step.high[i], nullptr);
    broadphase.calculateOverlappingPairs(nullptr);
    ExactPairs exact;
    broadphase.getOverlappingPairCache()->processAllOverlappingPairs(&exact, nullptr);
    return exact.count;
  };
  std::string command;
  while (std::cin >> command) {
    if (command == "check") {
      std::printf("%ld\n", take());
    } else if (command == "time") {
      int repeats = 0;
      std::cin >> repeats;
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < repeats; i++) take();
      const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
      std::printf("%.1f\n", spent.count() / repeats);
    } else {
      std::printf("unknown command\n");
    }
    std::fflush(stdout);
  }
}
