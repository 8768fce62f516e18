// Times KDL on a serial chain for the suite `dynamics`, in the same run as ours: reads a robot, states and commands from
// standard input and answers each command with one line.
//
//   N                                       joints
//   per joint: R|P placement(12) axis(3) mass com(3) inertia about com(6: xx xy xz yy yz zz)
//   K                                       states
//   per state: q(N) v(N) a(N)
//   check NAME I                            -> the numbers KDL computes for state I
//   time NAME CALLS                         -> nanoseconds per call, going round the states
//
// NAME: fk (every segment's placement), jacobian (tip), rnea, crba, fd.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <string>
#include <vector>

using namespace KDL;

static double number() {
  double value = 0;
  std::cin >> value;
  return value;
}

static Vector vector3() {
  const double x = number(), y = number(), z = number();
  return Vector(x, y, z);
}

struct State {
  JntArray q, v, a;
};

int main() {
  std::ios::sync_with_stdio(false);
  const int count = static_cast<int>(number());
  Chain chain;
  for (int i = 0; i < count; i++) {
    std::string type;
    std::cin >> type;
    double r[9];
    for (double &entry : r) entry = number();
    const Rotation R(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
    const Vector p = vector3();
    const Vector axis = vector3();
    const double mass = number();
    const Vector com = vector3();
    const double xx = number(), xy = number(), xz = number(), yy = number(), yz = number(), zz = number();
    const Joint joint("joint", p, R * axis, type == "R" ? Joint::RotAxis : Joint::TransAxis);
    const RigidBodyInertia inertia(mass, com, RotationalInertia(xx, yy, zz, xy, xz, yz));
    chain.addSegment(Segment("link", joint, Frame(R, p), inertia));
  }
  const int stateCount = static_cast<int>(number());
  std::vector<State> states;
  for (int k = 0; k < stateCount; k++) {
    State state{JntArray(count), JntArray(count), JntArray(count)};
    for (JntArray *array : {&state.q, &state.v, &state.a}) {
      for (int i = 0; i < count; i++) (*array)(i) = number();
    }
    states.push_back(state);
  }
  ChainFkSolverPos_recursive fk(chain);
  ChainJntToJacSolver jacobianSolver(chain);
  ChainIdSolver_RNE rnea(chain, Vector(0, 0, -9.81));
  ChainDynParam parameters(chain, Vector(0, 0, -9.81));
  ChainFdSolver_RNE fd(chain, Vector(0, 0, -9.81));
  std::vector<Frame> frames(count);
  Jacobian jacobian(count);
  JntArray result(count);
  JntSpaceInertiaMatrix M(count);
  const Wrenches none(count, Wrench::Zero());
  const auto call = [&](const std::string &name, const State &s) -> int {
    if (name == "fk") return fk.JntToCart(s.q, frames);
    if (name == "jacobian") return jacobianSolver.JntToJac(s.q, jacobian);
    if (name == "rnea") return rnea.CartToJnt(s.q, s.v, s.a, none, result);
    if (name == "crba") return parameters.JntToMass(s.q, M);
    return fd.CartToJnt(s.q, s.v, s.a, none, result);
  };
  const auto print = [&](const std::string &name) {
    if (name == "fk") {
      for (const Frame &frame : frames) {
        for (int i = 0; i < 9; i++) std::printf("%.17g ", frame.M.data[i]);
        for (int i = 0; i < 3; i++) std::printf("%.17g ", frame.p[i]);
      }
    } else if (name == "jacobian") {
      for (int r = 0; r < 6; r++) {
        for (int i = 0; i < count; i++) std::printf("%.17g ", jacobian(r, i));
      }
    } else if (name == "crba") {
      for (int r = 0; r < count; r++) {
        for (int i = 0; i < count; i++) std::printf("%.17g ", M(r, i));
      }
    } else {
      for (int i = 0; i < count; i++) std::printf("%.17g ", result(i));
    }
    std::printf("\n");
    std::fflush(stdout);
  };
  std::string command, name;
  int next = 0;
  while (std::cin >> command >> name) {
    const int argument = static_cast<int>(number());
    if (command == "check") {
      if (call(name, states[argument]) < 0) return 1;
      print(name);
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    int failures = 0;
    for (int i = 0; i < argument; i++) {
      failures += call(name, states[next]) < 0;
      next = next + 1 == stateCount ? 0 : next + 1;
    }
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    if (failures > 0) return 1;
    std::printf("%.6f\n", elapsed.count() / argument);
    std::fflush(stdout);
  }
}
