// Inverse kinematics by KDL's Levenberg-Marquardt solver with random restarts, for the suite `ik`, in the same run as ours:
// reads a chain, targets and commands from standard input and answers each command with one line.
//
//   N                                       joints
//   per joint: R|P placement(12) axis(3) lower upper
//   tip placement(12)
//   start(N)                                first configuration tried
//   K                                       targets
//   per target: placement(12)
//   solve FROM COUNT RESTARTS SEED          -> COUNT times "microseconds solved"
//
// Solved: 1e-6 m and 1e-6 rad (weights 1, the solver's other settings its defaults) and every joint within its limits, turning
// joints after moving them by whole turns. Restarts are uniform within the limits.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <kdl/chain.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <random>
#include <string>
#include <vector>

using namespace KDL;

static double number() {
  double value = 0;
  std::cin >> value;
  return value;
}

static Frame frame() {
  double r[9];
  for (double &entry : r) entry = number();
  const double x = number(), y = number(), z = number();
  return Frame(Rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]), Vector(x, y, z));
}

int main() {
  std::ios::sync_with_stdio(false);
  const int count = static_cast<int>(number());
  std::vector<Frame> placements;
  std::vector<Joint> joints;
  std::vector<double> lower, upper;
  std::vector<bool> turns;
  for (int i = 0; i < count; i++) {
    std::string type;
    std::cin >> type;
    const Frame X = frame();
    const double x = number(), y = number(), z = number();
    // As a chain read from a URDF: the joint's origin and axis in the frame before, the segment's tip after it.
    joints.push_back(Joint("joint", X.p, X.M * Vector(x, y, z), type == "R" ? Joint::RotAxis : Joint::TransAxis));
    placements.push_back(X);
    turns.push_back(type == "R");
    lower.push_back(number());
    upper.push_back(number());
  }
  const Frame tip = frame();
  Chain chain;
  for (int i = 0; i < count; i++) chain.addSegment(Segment("link", joints[i], placements[i]));
  chain.addSegment(Segment("tip", Joint(Joint::None), tip));
  JntArray start(count), q(count), out(count);
  for (int i = 0; i < count; i++) start(i) = number();
  const int targetCount = static_cast<int>(number());
  std::vector<Frame> targets;
  for (int k = 0; k < targetCount; k++) targets.push_back(frame());
  Eigen::Matrix<double, 6, 1> weights;
  weights.setOnes();
  ChainIkSolverPos_LMA solver(chain, weights, 1e-6);
  const auto isWithin = [&](JntArray &found) {
    for (int i = 0; i < count; i++) {
      if (turns[i]) {
        const double turn = 2 * M_PI;
        found(i) = std::remainder(found(i), turn);
        if (found(i) < lower[i] && found(i) + turn <= upper[i]) found(i) += turn;
        if (found(i) > upper[i] && found(i) - turn >= lower[i]) found(i) -= turn;
      }
      if (found(i) < lower[i] || found(i) > upper[i]) return false;
    }
    return true;
  };
  std::string command;
  while (std::cin >> command) {
    const int from = static_cast<int>(number());
    const int solves = static_cast<int>(number());
    const int restarts = static_cast<int>(number());
    const unsigned seed = static_cast<unsigned>(number());
    for (int k = from; k < from + solves; k++) {
      std::mt19937 random(seed + k);
      const auto begin = std::chrono::steady_clock::now();
      bool solved = false;
      for (int attempt = 0; attempt <= restarts && !solved; attempt++) {
        for (int i = 0; i < count; i++) {
          q(i) = attempt == 0 ? start(i) : std::uniform_real_distribution<double>(lower[i], upper[i])(random);
        }
        solved = solver.CartToJnt(q, targets[k], out) == 0 && isWithin(out);
      }
      const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - begin;
      std::printf("%.3f %d ", elapsed.count(), solved ? 1 : 0);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}
