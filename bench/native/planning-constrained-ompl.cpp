// OMPL's RRT-Connect on manifolds, for the suite `planning-constrained`, in the same run as ours: four problems, each written here and in the suite.
//
//   plan PROBLEM SPACE SEED SECONDS TOLERANCE  -> "microseconds solved states residual"
//
// PROBLEM: sphere, torus, chain, loop; SPACE: projection, atlas, bundle. Times are CPU times; residual is the largest |f| of the path's states.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <ompl/base/Constraint.h>
#include <ompl/base/ConstrainedSpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/constraint/AtlasStateSpace.h>
#include <ompl/base/spaces/constraint/ProjectedStateSpace.h>
#include <ompl/base/spaces/constraint/TangentBundleStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>
#include <string>
#include <vector>

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Vector = Eigen::VectorXd;

struct Problem {
  int n, k;
  double bound;
  std::function<void(const double *, double *)> f;
  std::function<void(const double *, double *)> J;  // k x n, row-major
  std::function<bool(const double *)> isValid;
  std::vector<double> start, goal;
};

class Given : public ob::Constraint {
public:
  Given(const Problem &p, double tolerance) : ob::Constraint(p.n, p.k, tolerance), p(p), rows(p.k * p.n) {}
  void function(const Eigen::Ref<const Vector> &x, Eigen::Ref<Vector> out) const override { p.f(x.data(), out.data()); }
  void jacobian(const Eigen::Ref<const Vector> &x, Eigen::Ref<Eigen::MatrixXd> out) const override {
    p.J(x.data(), rows.data());
    for (int i = 0; i < p.k; i++) for (int j = 0; j < p.n; j++) out(i, j) = rows[i * p.n + j];
  }
private:
  const Problem &p;
  mutable std::vector<double> rows;
};

static Problem sphere() {
  Problem p;
  p.n = 3; p.k = 1; p.bound = 2;
  p.f = [](const double *x, double *f) { f[0] = std::sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2]) - 1; };
  p.J = [](const double *x, double *J) { double r = std::sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2]); for (int i = 0; i < 3; i++) J[i] = x[i] / r; };
  // Three bands, each with a gap a tenth wide, on alternating sides.
  p.isValid = [](const double *x) {
    if (std::fabs(x[2] + 0.7) < 0.1) return std::fabs(x[1]) < 0.05 && x[0] > 0;
    if (std::fabs(x[2]) < 0.1) return std::fabs(x[0]) < 0.05 && x[1] < 0;
    if (std::fabs(x[2] - 0.7) < 0.1) return std::fabs(x[1]) < 0.05 && x[0] < 0;
    return true;
  };
  p.start = {0, 0, -1}; p.goal = {0, 0, 1};
  return p;
}

static Problem torus() {
  Problem p;
  p.n = 3; p.k = 1; p.bound = 3;
  p.f = [](const double *x, double *f) { double s = std::sqrt(x[0]*x[0] + x[1]*x[1]) - 2; f[0] = std::sqrt(s*s + x[2]*x[2]) - 1; };
  p.J = [](const double *x, double *J) {
    double r = std::sqrt(x[0]*x[0] + x[1]*x[1]), s = r - 2, t = std::sqrt(s*s + x[2]*x[2]);
    J[0] = s / t * x[0] / r; J[1] = s / t * x[1] / r; J[2] = x[2] / t;
  };
  // Eight walls across the tube, each with a gap, outside and inside in turn; the first has none.
  p.isValid = [](const double *x) {
    double around = std::atan2(x[1], x[0]), r = std::sqrt(x[0]*x[0] + x[1]*x[1]), tube = std::atan2(x[2], r - 2);
    double cell = around * 4 / M_PI, wall = std::floor(cell + 0.5);
    if (std::fabs(cell - wall) > 0.1) return true;
    int w = ((int)wall + 8) % 8;
    if (w == 0) return false;
    return w % 2 == 1 ? std::fabs(tube) < 0.2 : std::fabs(tube) > M_PI - 0.2;
  };
  double a = 0.5 * M_PI / 4;
  p.start = {3 * std::cos(a), 3 * std::sin(a), 0}; p.goal = {3 * std::cos(a), -3 * std::sin(a), 0};
  return p;
}

static Problem chain() {
  Problem p;
  const int links = 5;
  p.n = 3 * links; p.k = links + 1; p.bound = 5;
  p.f = [](const double *x, double *f) {
    for (int i = 0; i < links; i++) {
      double s = 0;
      for (int c = 0; c < 3; c++) { double d = x[3*i+c] - (i ? x[3*i-3+c] : 0); s += d * d; }
      f[i] = std::sqrt(s) - 1;
    }
    double s = 0;
    for (int c = 0; c < 3; c++) s += x[12+c] * x[12+c];
    f[links] = std::sqrt(s) - 2.5;
  };
  p.J = [](const double *x, double *J) {
    for (int i = 0; i < 15 * (links + 1); i++) J[i] = 0;
    for (int i = 0; i < links; i++) {
      double d[3], s = 0;
      for (int c = 0; c < 3; c++) { d[c] = x[3*i+c] - (i ? x[3*i-3+c] : 0); s += d[c] * d[c]; }
      s = std::sqrt(s);
      for (int c = 0; c < 3; c++) { J[15*i+3*i+c] = d[c] / s; if (i) J[15*i+3*i-3+c] = -d[c] / s; }
    }
    double s = 0;
    for (int c = 0; c < 3; c++) s += x[12+c] * x[12+c];
    s = std::sqrt(s);
    for (int c = 0; c < 3; c++) J[15*links+12+c] = x[12+c] / s;
  };
  // Two walls across the sphere that the end stays on, each with a gap; no two joints nearer than 0.2.
  p.isValid = [](const double *x) {
    for (int i = 0; i < links; i++)
      for (int j = -1; j < i - 1; j++) {
        double s = 0;
        for (int c = 0; c < 3; c++) { double d = x[3*i+c] - (j < 0 ? 0 : x[3*j+c]); s += d * d; }
        if (s < 0.04) return false;
      }
    const double *e = x + 12;
    if (std::fabs(e[0] + 1.2) < 0.15) return std::fabs(e[1]) < 0.3 && e[2] > 0;
    if (std::fabs(e[0] - 1.2) < 0.15) return std::fabs(e[1]) < 0.3 && e[2] < 0;
    return true;
  };
  // A chain bent in the plane z = 0: two straight links, three that turn back by equal angles.
  auto bent = [](double side) {
    // First guess; both sides project it, by the same Newton steps to machine precision.
    std::vector<double> x;
    double at[3] = {0, 0, 0};
    const double turns[5] = {0.9, 0.5, 0.0, -0.5, -0.9};
    for (double t : turns) { at[0] += side * std::cos(1.15 * t * 1.05); at[1] += std::sin(1.15 * t * 1.05); x.insert(x.end(), at, at + 3); }
    return x;
  };
  p.start = bent(-1); p.goal = bent(1);
  return p;
}

static Problem loop() {
  Problem p;
  const int n = 8;
  p.n = n; p.k = 2; p.bound = M_PI;
  // Angles of links of unit length, each against the one before; the end is held at (3, 0).
  p.f = [](const double *q, double *f) {
    double a = 0; f[0] = -3; f[1] = 0;
    for (int i = 0; i < n; i++) { a += q[i]; f[0] += std::cos(a); f[1] += std::sin(a); }
  };
  p.J = [](const double *q, double *J) {
    double a = 0, x[n], y[n];
    for (int i = 0; i < n; i++) { a += q[i]; x[i] = std::cos(a); y[i] = std::sin(a); }
    double sx = 0, sy = 0;
    for (int i = n - 1; i >= 0; i--) { sx -= y[i]; sy += x[i]; J[i] = sx; J[n + i] = sy; }
  };
  // Discs that the joints and the links' middles keep out of.
  p.isValid = [](const double *q) {
    static const double discs[4][3] = {{-1.1, 0, 0.5}, {4.1, 0, 0.5}, {-0.9, 1.8, 0.4}, {3.9, -1.8, 0.4}};
    double a = 0, x = 0, y = 0;
    for (int i = 0; i < n; i++) {
      a += q[i];
      double c = std::cos(a), s = std::sin(a);
      for (const auto &d : discs)
        for (double t : {0.5, 1.0}) {
          double u = x + t * c - d[0], v = y + t * s - d[1];
          if (u * u + v * v < d[2] * d[2]) return false;
        }
      x += c; y += s;
    }
    return true;
  };
  // An arch above, and the same below.
  auto arch = [](double side) {
    std::vector<double> q(n, -side * 0.548);
    q[0] = side * 1.918;
    return q;
  };
  p.start = arch(1); p.goal = arch(-1);
  return p;
}

int main() {
  ompl::msg::noOutputHandler();
  std::string command, name, kind;
  unsigned seed; double seconds, tolerance;
  const Problem problems[4] = {sphere(), torus(), chain(), loop()};
  const std::string names[4] = {"sphere", "torus", "chain", "loop"};
  bool seeded = false;
  while (std::cin >> command >> name >> kind >> seed >> seconds >> tolerance) {
    if (!seeded) { ompl::RNG::setSeed(seed); seeded = true; }
    int which = 0;
    while (which < 3 && names[which] != name) which++;
    const Problem &p = problems[which];
    auto ambient = std::make_shared<ob::RealVectorStateSpace>(p.n);
    ob::RealVectorBounds bounds(p.n);
    bounds.setLow(-p.bound); bounds.setHigh(p.bound);
    ambient->setBounds(bounds);
    auto constraint = std::make_shared<Given>(p, tolerance);
    std::shared_ptr<ob::ConstrainedStateSpace> space;
    std::shared_ptr<ob::ConstrainedSpaceInformation> si;
    if (kind == "projection") {
      space = std::make_shared<ob::ProjectedStateSpace>(ambient, constraint);
      si = std::make_shared<ob::ConstrainedSpaceInformation>(space);
    } else if (kind == "atlas") {
      space = std::make_shared<ob::AtlasStateSpace>(ambient, constraint);
      si = std::make_shared<ob::ConstrainedSpaceInformation>(space);
    } else {
      space = std::make_shared<ob::TangentBundleStateSpace>(ambient, constraint);
      si = std::make_shared<ob::TangentBundleSpaceInformation>(space);
    }
    og::SimpleSetup setup(si);
    setup.setStateValidityChecker([&p](const ob::State *s) { return p.isValid(s->as<ob::ConstrainedStateSpace::StateType>()->data()); });
    Vector a = Eigen::Map<const Vector>(p.start.data(), p.n), b = Eigen::Map<const Vector>(p.goal.data(), p.n);
    // To rounding, so that all sides begin and end alike.
    Given exact(p, 1e-12);
    exact.project(a); exact.project(b);
    if (command == "ends") {
      for (int i = 0; i < p.n; i++) std::printf("%.17g ", a[i]);
      for (int i = 0; i < p.n; i++) std::printf("%.17g ", b[i]);
      std::printf("%d %d\n", p.isValid(a.data()), p.isValid(b.data()));
      std::fflush(stdout);
      continue;
    }
    ob::ScopedState<> start(space), goal(space);
    start->as<ob::ConstrainedStateSpace::StateType>()->copy(a);
    goal->as<ob::ConstrainedStateSpace::StateType>()->copy(b);
    if (kind != "projection") {
      space->as<ob::AtlasStateSpace>()->anchorChart(start.get());
      space->as<ob::AtlasStateSpace>()->anchorChart(goal.get());
    }
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(std::make_shared<og::RRTConnect>(si));
    setup.setup();
    const std::clock_t begin = std::clock();
    const ob::PlannerStatus status = setup.solve(seconds);
    const double us = 1e6 * (std::clock() - begin) / CLOCKS_PER_SEC;
    double residual = 0; unsigned states = 0;
    const bool solved = status == ob::PlannerStatus::EXACT_SOLUTION;
    if (solved) {
      og::PathGeometric &path = setup.getSolutionPath();
      states = path.getStateCount();
      Vector f(p.k);
      for (unsigned i = 0; i < states; i++) {
        p.f(path.getState(i)->as<ob::ConstrainedStateSpace::StateType>()->data(), f.data());
        residual = std::max(residual, f.cwiseAbs().maxCoeff());
      }
    }
    std::printf("%.1f %d %u %.3g\n", us, solved ? 1 : 0, states, residual);
    std::fflush(stdout);
  }
}
