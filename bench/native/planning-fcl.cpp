// OMPL's RRT-Connect on a robot of triangle meshes checked by FCL, for the suite `planning-exact`, in the same run as ours. Reads a robot and
// problems from standard input and answers each command with one line.
//
//   J, per joint: parent(-1: base) placement(12) axis(3) lower upper      all turn
//   B, per body: joint(-1: base) V T, V x 3 numbers, T x 3 indices        in the joint's frame
//   P, then P pairs of bodies that are compared
//   N, per problem: start(J) goal(J) O, then O obstacles: B placement(12) sizes(3) | Y placement(12) length radius | S placement(12) radius
//   check K count, then count states(J)     -> count verdicts, 1 free
//   plan K RANGE STEP SECONDS SEED          -> "microseconds simplify_microseconds solved length checks"
//
// Y is a cylinder. Bodies against obstacles through FCL's dynamic tree, pairs of bodies by boxes first. Placements are rotation rows, then the
// position. Debian's FCL is built with its assertions on.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fcl/fcl.h>
#include <iostream>
#include <memory>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>
#include <string>
#include <vector>

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Object = fcl::CollisionObjectd;

struct Joint { int parent; fcl::Transform3d X; fcl::Vector3d axis; double lower, upper; };
struct Robot { int joint; std::unique_ptr<Object> object; };
struct Problem {
  std::vector<double> start, goal;
  std::vector<std::unique_ptr<Object>> obstacles;
  std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> tree;
};

static double number() { double x = 0; std::cin >> x; return x; }
static fcl::Transform3d pose() {
  fcl::Transform3d X = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) X.linear()(i, j) = number();
  for (int i = 0; i < 3; i++) X.translation()[i] = number();
  return X;
}

static std::vector<Joint> joints;
static std::vector<Robot> bodies;
static std::vector<std::pair<int, int>> pairs;
static std::vector<Problem> problems;
static std::vector<fcl::Transform3d> placed;
static long checks = 0;

static bool touch(Object *a, Object *b) {
  if (!a->getAABB().overlap(b->getAABB())) return false;
  fcl::CollisionResultd result;
  return fcl::collide(a, b, fcl::CollisionRequestd(), result) > 0;
}

static bool onPair(Object *a, Object *b, void *found) {
  fcl::CollisionResultd result;
  if (fcl::collide(a, b, fcl::CollisionRequestd(), result) == 0) return false;
  *static_cast<bool *>(found) = true;
  return true;
}

static bool isFree(const double *q, Problem &problem) {
  checks++;
  for (size_t j = 0; j < joints.size(); j++) {
    const fcl::Transform3d own = joints[j].X * fcl::AngleAxisd(q[j], joints[j].axis);
    placed[j] = joints[j].parent < 0 ? own : placed[joints[j].parent] * own;
  }
  for (Robot &body : bodies) {
    body.object->setTransform(body.joint < 0 ? fcl::Transform3d::Identity() : placed[body.joint]);
    body.object->computeAABB();
  }
  bool found = false;
  for (Robot &body : bodies) {
    problem.tree->collide(body.object.get(), &found, onPair);
    if (found) return false;
  }
  for (const auto &pair : pairs)
    if (touch(bodies[pair.first].object.get(), bodies[pair.second].object.get())) return false;
  return true;
}

static double cpu() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1e6 + t.tv_nsec / 1e3; }

static void readRobot() {
  for (int i = static_cast<int>(number()); i > 0; i--) {
    Joint j;
    j.parent = static_cast<int>(number());
    j.X = pose();
    for (int k = 0; k < 3; k++) j.axis[k] = number();
    j.lower = number();
    j.upper = number();
    joints.push_back(j);
  }
  placed.resize(joints.size());
  for (int i = static_cast<int>(number()); i > 0; i--) {
    const int joint = static_cast<int>(number());
    std::vector<fcl::Vector3d> points(static_cast<size_t>(number()));
    std::vector<fcl::Triangle> triangles(static_cast<size_t>(number()));
    for (fcl::Vector3d &p : points) for (int k = 0; k < 3; k++) p[k] = number();
    for (fcl::Triangle &t : triangles) { const size_t a = number(), b = number(), c = number(); t.set(a, b, c); }
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    bodies.push_back({joint, std::make_unique<Object>(model)});
  }
  for (int i = static_cast<int>(number()); i > 0; i--) { const int a = static_cast<int>(number()); pairs.emplace_back(a, static_cast<int>(number())); }
}

static std::unique_ptr<Object> readObstacle() {
  std::string kind;
  std::cin >> kind;
  const fcl::Transform3d X = pose();
  std::shared_ptr<fcl::CollisionGeometryd> shape;
  if (kind == "B") { const double x = number(), y = number(), z = number(); shape = std::make_shared<fcl::Boxd>(x, y, z); }
  else if (kind == "S") shape = std::make_shared<fcl::Sphered>(number());
  else { const double length = number(), radius = number(); shape = std::make_shared<fcl::Cylinderd>(radius, length); }
  auto object = std::make_unique<Object>(shape, X);
  object->computeAABB();
  return object;
}

static void plan(Problem &problem) {
  const double range = number(), step = number(), seconds = number();
  ompl::RNG::setSeed(static_cast<unsigned>(number()));
  const int n = static_cast<int>(joints.size());
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
}

int main() {
  std::ios::sync_with_stdio(false);
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  readRobot();
  const size_t n = joints.size();
  for (int i = static_cast<int>(number()); i > 0; i--) {
    Problem p;
    for (size_t k = 0; k < n; k++) p.start.push_back(number());
    for (size_t k = 0; k < n; k++) p.goal.push_back(number());
    p.tree = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
    for (int o = static_cast<int>(number()); o > 0; o--) { p.obstacles.push_back(readObstacle()); p.tree->registerObject(p.obstacles.back().get()); }
    p.tree->setup();
    problems.push_back(std::move(p));
  }
  std::string command;
  while (std::cin >> command) {
    Problem &problem = problems[static_cast<int>(number())];
    if (command == "plan") plan(problem);
    else {
      std::vector<double> q(n);
      for (int i = static_cast<int>(number()); i > 0; i--) { for (double &x : q) x = number(); std::printf("%d ", isFree(q.data(), problem) ? 1 : 0); }
      std::printf("\n");
    }
    std::fflush(stdout);
  }
}
