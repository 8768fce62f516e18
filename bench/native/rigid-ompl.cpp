// OMPL's planners on one rigid body among meshes, with FCL's checks, for the suite `rigid`, in the same run as ours. Reads a problem
// from standard input and answers each command with one line.
//
//   V T, then V vertices and T triangles     the body, in its own coordinates
//   V T, ...                                 the obstacles
//   3|2                                      SE(3) or SE(2)
//   start(7) goal(7) lower(3) upper(3)       x y z qx qy qz qw
//   plan PLANNER SECONDS SEED SIMPLIFY       -> "cpu_microseconds solved states x y z qx qy qz qw ..."
//
// As OMPL.app sets it up: default checks of motions (states 1 % of the space's extent apart), OBBRSS trees, surfaces.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fcl/fcl.h>
#include <iostream>
#include <memory>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/est/BiEST.h>
#include <ompl/geometric/planners/est/EST.h>
#include <ompl/geometric/planners/kpiece/BKPIECE1.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/pdst/PDST.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRT.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/sbl/SBL.h>
#include <ompl/geometric/planners/stride/STRIDE.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>
#include <string>

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Model = fcl::BVHModel<fcl::OBBRSSd>;

static std::shared_ptr<Model> readMesh() {
  int vertices, triangles;
  std::cin >> vertices >> triangles;
  std::vector<fcl::Vector3d> points(vertices);
  for (auto &p : points) std::cin >> p[0] >> p[1] >> p[2];
  std::vector<fcl::Triangle> faces;
  for (int i = 0; i < triangles; i++) {
    std::size_t a, b, c;
    std::cin >> a >> b >> c;
    faces.emplace_back(a, b, c);
  }
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(points, faces);
  model->endModel();
  return model;
}

static bool isPlanar;
static std::array<double, 7> toPose(const ob::State *state) {
  if (isPlanar) {
    const auto *s = state->as<ob::SE2StateSpace::StateType>();
    return {s->getX(), s->getY(), 0, 0, 0, std::sin(s->getYaw() / 2), std::cos(s->getYaw() / 2)};
  }
  const auto *s = state->as<ob::SE3StateSpace::StateType>();
  const auto &q = s->rotation();
  return {s->getX(), s->getY(), s->getZ(), q.x, q.y, q.z, q.w};
}
static void setState(ob::State *state, const double *pose) {
  if (isPlanar) {
    auto *s = state->as<ob::SE2StateSpace::StateType>();
    s->setXY(pose[0], pose[1]);
    s->setYaw(2 * std::atan2(pose[5], pose[6]));
    return;
  }
  auto *s = state->as<ob::SE3StateSpace::StateType>();
  s->setXYZ(pose[0], pose[1], pose[2]);
  auto &q = s->rotation();
  q.x = pose[3]; q.y = pose[4]; q.z = pose[5]; q.w = pose[6];
}

static ob::PlannerPtr create(const std::string &name, const ob::SpaceInformationPtr &si) {
  if (name == "RRTConnect") return std::make_shared<og::RRTConnect>(si);
  if (name == "RRT") return std::make_shared<og::RRT>(si);
  if (name == "KPIECE1") return std::make_shared<og::KPIECE1>(si);
  if (name == "BKPIECE1") return std::make_shared<og::BKPIECE1>(si);
  if (name == "LBKPIECE1") return std::make_shared<og::LBKPIECE1>(si);
  if (name == "EST") return std::make_shared<og::EST>(si);
  if (name == "BiEST") return std::make_shared<og::BiEST>(si);
  if (name == "SBL") return std::make_shared<og::SBL>(si);
  if (name == "PRM") return std::make_shared<og::PRM>(si);
  if (name == "PDST") return std::make_shared<og::PDST>(si);
  return std::make_shared<og::STRIDE>(si);
}

int main() {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  const auto body = readMesh(), obstacles = readMesh();
  int dimensions;
  double ends[20];
  std::cin >> dimensions;
  for (double &x : ends) std::cin >> x;
  isPlanar = dimensions == 2;
  ob::RealVectorBounds bounds(dimensions);
  for (int i = 0; i < dimensions; i++) { bounds.setLow(i, ends[14 + i]); bounds.setHigh(i, ends[17 + i]); }
  std::string command, name;
  double seconds;
  unsigned seed;
  int simplify;
  while (std::cin >> command >> name >> seconds >> seed >> simplify) {
    ompl::RNG::setSeed(seed + 1);
    ob::StateSpacePtr space;
    if (isPlanar) { auto s = std::make_shared<ob::SE2StateSpace>(); s->setBounds(bounds); space = s; }
    else { auto s = std::make_shared<ob::SE3StateSpace>(); s->setBounds(bounds); space = s; }
    og::SimpleSetup setup(space);
    const auto &si = setup.getSpaceInformation();
    fcl::CollisionRequestd request;
    setup.setStateValidityChecker([&](const ob::State *state) {
      if (!si->satisfiesBounds(state)) return false;
      const auto p = toPose(state);
      fcl::Transform3d X = fcl::Transform3d::Identity();
      X.linear() = fcl::Quaterniond(p[6], p[3], p[4], p[5]).toRotationMatrix();
      X.translation() = fcl::Vector3d(p[0], p[1], p[2]);
      fcl::CollisionResultd result;
      return fcl::collide(body.get(), X, obstacles.get(), fcl::Transform3d::Identity(), request, result) == 0;
    });
    ob::ScopedState<> start(space), goal(space);
    setState(start.get(), ends);
    setState(goal.get(), ends + 7);
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(create(name, si));
    setup.setup();
    const std::clock_t begin = std::clock();
    // A limit by CPU time: others use the machine, too.
    const auto late = [&] { return double(std::clock() - begin) / CLOCKS_PER_SEC > seconds; };
    const auto status = setup.getPlanner()->solve(ob::PlannerTerminationCondition(late, 0.01));
    const bool solved = status == ob::PlannerStatus::EXACT_SOLUTION;
    if (solved && simplify) setup.simplifySolution();
    std::printf("%.0f %d", double(std::clock() - begin) * 1e6 / CLOCKS_PER_SEC, solved);
    if (solved) {
      const auto &states = setup.getSolutionPath().getStates();
      std::printf(" %zu", states.size());
      for (const auto *state : states) for (double x : toPose(state)) std::printf(" %.17g", x);
    } else std::printf(" 0");
    std::printf("\n");
    std::fflush(stdout);
  }
}
