// OMPL's RRT-Connect on robots covered with spheres, for the suite `planning`, in the same run as ours. Reads a robot and problems from
// standard input and answers each command with one line.
//
//   J                                       joints
//   per joint: R|P parent(-1: base) placement(12) axis(3) lower upper
//   L                                       links
//   per link: joint bound(4) S, then S spheres of 4 numbers, in the joint's frame
//   P, then P pairs of links
//   N                                       problems
//   per problem: start(J) goal(J) O, then O obstacles: B placement(12) half sizes(3) | C placement(12) length radius | S placement(12) radius
//   plan K RANGE STEP SECONDS SEED          -> "microseconds simplify_microseconds solved length checks"
//
// C is a capsule. A state is checked link by link, bounds before spheres, in double precision and one at a time; motions by states
// STEP apart. Placements are rotation rows, then the position.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>
#include <vector>

namespace ob = ompl::base;
namespace og = ompl::geometric;

struct Pose { double r[9], p[3]; };
struct Joint { bool turns; int parent; Pose X; double axis[3], lower, upper; };
struct Ball { double x, y, z, r; };
struct Link { int joint; Ball bound; std::vector<Ball> balls; };
struct Obstacle { char kind; Pose X; double half[3], length, radius; };
struct Problem { std::vector<double> start, goal; std::vector<Obstacle> obstacles; };

static double number() { double x = 0; std::cin >> x; return x; }
static Pose pose() { Pose X; for (double &x : X.r) x = number(); for (double &x : X.p) x = number(); return X; }
static Ball ball() { Ball b; b.x = number(); b.y = number(); b.z = number(); b.r = number(); return b; }

static Pose multiply(const Pose &A, const Pose &B) {
  Pose C;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) C.r[3*i+j] = A.r[3*i]*B.r[j] + A.r[3*i+1]*B.r[3+j] + A.r[3*i+2]*B.r[6+j];
    C.p[i] = A.r[3*i]*B.p[0] + A.r[3*i+1]*B.p[1] + A.r[3*i+2]*B.p[2] + A.p[i];
  }
  return C;
}

static Pose move(const Joint &joint, double q) {
  const double *a = joint.axis;
  Pose X{{1,0,0,0,1,0,0,0,1},{0,0,0}};
  if (!joint.turns) { for (int i = 0; i < 3; i++) X.p[i] = q * a[i]; return X; }
  const double s = std::sin(q), c = std::cos(q), t = 1 - c;
  const double r[9] = {t*a[0]*a[0]+c, t*a[0]*a[1]-s*a[2], t*a[0]*a[2]+s*a[1], t*a[0]*a[1]+s*a[2], t*a[1]*a[1]+c, t*a[1]*a[2]-s*a[0], t*a[0]*a[2]-s*a[1], t*a[1]*a[2]+s*a[0], t*a[2]*a[2]+c};
  for (int i = 0; i < 9; i++) X.r[i] = r[i];
  return X;
}

static std::vector<Joint> joints;
static std::vector<Link> links;
static std::vector<std::pair<int, int>> pairs;
static std::vector<Problem> problems;
static std::vector<Pose> placed;
static long checks = 0;

static Ball place(const Ball &b, int joint) {
  const Pose &X = placed[joint];
  return {X.r[0]*b.x + X.r[1]*b.y + X.r[2]*b.z + X.p[0], X.r[3]*b.x + X.r[4]*b.y + X.r[5]*b.z + X.p[1], X.r[6]*b.x + X.r[7]*b.y + X.r[8]*b.z + X.p[2], b.r};
}

static bool touches(const Ball &b, const Obstacle &o) {
  const double d[3] = {b.x - o.X.p[0], b.y - o.X.p[1], b.z - o.X.p[2]};
  double local[3];
  for (int j = 0; j < 3; j++) local[j] = o.X.r[j]*d[0] + o.X.r[3+j]*d[1] + o.X.r[6+j]*d[2];
  double sum = 0, reach = b.r;
  if (o.kind == 'B') for (int j = 0; j < 3; j++) { const double out = std::max(std::fabs(local[j]) - o.half[j], 0.0); sum += out * out; }
  else {
    if (o.kind == 'C') { const double h = o.length / 2; local[2] -= std::min(std::max(local[2], -h), h); }
    sum = local[0]*local[0] + local[1]*local[1] + local[2]*local[2];
    reach += o.radius;
  }
  return sum <= reach * reach;
}

static bool touches(const Ball &a, const Ball &b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, r = a.r + b.r;
  return x*x + y*y + z*z <= r*r;
}

static bool isFree(const double *q, const Problem &problem) {
  checks++;
  for (size_t j = 0; j < joints.size(); j++) {
    const Pose own = multiply(joints[j].X, move(joints[j], q[j]));
    placed[j] = joints[j].parent < 0 ? own : multiply(placed[joints[j].parent], own);
  }
  static std::vector<Ball> bounds;
  bounds.resize(links.size());
  for (size_t l = 0; l < links.size(); l++) {
    bounds[l] = place(links[l].bound, links[l].joint);
    for (const Obstacle &o : problem.obstacles) {
      if (!touches(bounds[l], o)) continue;
      for (const Ball &b : links[l].balls) if (touches(place(b, links[l].joint), o)) return false;
    }
  }
  for (const auto &pair : pairs) {
    const int a = pair.first, b = pair.second;
    if (!touches(bounds[a], bounds[b])) continue;
    for (const Ball &x : links[a].balls) {
      const Ball X = place(x, links[a].joint);
      if (!touches(X, bounds[b])) continue;
      for (const Ball &y : links[b].balls) if (touches(X, place(y, links[b].joint))) return false;
    }
  }
  return true;
}

static double cpu() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1e6 + t.tv_nsec / 1e3; }

int main() {
  std::ios::sync_with_stdio(false);
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  const int n = static_cast<int>(number());
  for (int i = 0; i < n; i++) {
    std::string type; std::cin >> type;
    Joint j; j.turns = type == "R"; j.parent = static_cast<int>(number()); j.X = pose();
    for (double &x : j.axis) x = number();
    j.lower = number(); j.upper = number(); joints.push_back(j);
  }
  placed.resize(n);
  for (int i = static_cast<int>(number()); i > 0; i--) {
    Link l; l.joint = static_cast<int>(number()); l.bound = ball();
    for (int s = static_cast<int>(number()); s > 0; s--) l.balls.push_back(ball());
    links.push_back(l);
  }
  for (int i = static_cast<int>(number()); i > 0; i--) { const int a = static_cast<int>(number()); pairs.emplace_back(a, static_cast<int>(number())); }
  for (int i = static_cast<int>(number()); i > 0; i--) {
    Problem p;
    for (int k = 0; k < n; k++) p.start.push_back(number());
    for (int k = 0; k < n; k++) p.goal.push_back(number());
    for (int o = static_cast<int>(number()); o > 0; o--) {
      std::string kind; std::cin >> kind;
      Obstacle b{}; b.kind = kind[0]; b.X = pose();
      if (b.kind == 'B') for (double &x : b.half) x = number();
      if (b.kind == 'C') b.length = number();
      if (b.kind != 'B') b.radius = number();
      p.obstacles.push_back(b);
    }
    problems.push_back(p);
  }
  std::string command;
  while (std::cin >> command) {
    const Problem &problem = problems[static_cast<int>(number())];
    const double range = number(), step = number(), seconds = number();
    ompl::RNG::setSeed(static_cast<unsigned>(number()));
    auto space = std::make_shared<ob::RealVectorStateSpace>(n);
    ob::RealVectorBounds bounds(n);
    for (int k = 0; k < n; k++) { bounds.setLow(k, joints[k].lower); bounds.setHigh(k, joints[k].upper); }
    space->setBounds(bounds);
    og::SimpleSetup setup(space);
    setup.setStateValidityChecker([&](const ob::State *s) { return isFree(s->as<ob::RealVectorStateSpace::StateType>()->values, problem); });
    setup.getSpaceInformation()->setStateValidityCheckingResolution(step / space->getMaximumExtent());
    ob::ScopedState<> start(space), goal(space);
    for (int k = 0; k < n; k++) { start[k] = problem.start[k]; goal[k] = problem.goal[k]; }
    setup.setStartAndGoalStates(start, goal);
    auto planner = std::make_shared<og::RRTConnect>(setup.getSpaceInformation());
    planner->setRange(range);
    setup.setPlanner(planner);
    setup.setup();
    checks = 0;
    const double begin = cpu();
    const bool solved = setup.solve(seconds) == ob::PlannerStatus::EXACT_SOLUTION;
    const double planned = cpu();
    const long asked = checks;
    if (solved) setup.simplifySolution();
    const double done = cpu();
    std::printf("%.1f %.1f %d %.6f %ld\n", planned - begin, done - planned, solved ? 1 : 0, solved ? setup.getSolutionPath().length() : 0.0, asked);
    std::fflush(stdout);
  }
}
