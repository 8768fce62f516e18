/** Robots on cells, run in the fleets' worker: their frames, what each is about, cells that are closed while they move. */
import {
  createFleetRun,
  createFleetSetup,
  createFleetWorld,
  type FleetDescription,
  type FleetRun,
  type FleetSetup,
  type FleetWorld,
} from 'clearance/fleet';
import { parseGridMap } from 'clearance/io';
import type { Live } from './live.js';
import { CARRIES, type FleetFloor, FRAME_STRIDE, type RobotAnswer, STOPPED, TOUCHES, WAITS } from './messages.js';

const CHECK_STEP = 0.1;

export function createCellsLive(title: string, description: FleetDescription, rows: string): Live {
  const lines = rows.split('\n');
  const text = ['type octile', `height ${lines.length}`, `width ${lines[0].length}`, 'map', ...lines].join('\n');
  const map = parseGridMap(text).value;
  if (map === null) throw new Error('The map has rows that cannot be read');
  const setup = createFleetSetup(description, map);
  const made = createFleetRun(setup, { timeoutMs: 10_000, clock: () => performance.now() });
  if (made.run === null) throw new Error(`No plan: ${made.plan!.reason}`);
  const { x, y, maxSpeed } = made.run.execution;
  const contacts = createFleetWorld();
  for (let i = 0; i < x.length; i++)
    contacts.addBody({ name: `${i}`, shape: { type: 'disc', radius: setup.radius }, pose: [x[i], y[i], 0, 0] });
  const free = new Uint8Array(map.width * map.height);
  for (const cell of setup.graph.cellOfVertex!) free[cell] = 1;
  return new CellsLive(setup, made.run, contacts, {
    title,
    width: map.width,
    height: map.height,
    origin: [0, 0],
    free,
    cellSize: setup.cellSize,
    radius: setup.radius,
    robots: x.length,
    maxSpeed,
    isReplay: false,
    solids: null,
  });
}

class CellsLive implements Live {
  constructor(
    private readonly setup: FleetSetup,
    private readonly run: FleetRun,
    private readonly contacts: FleetWorld,
    readonly floor: FleetFloor,
  ) {}

  get time(): number {
    return this.run.time;
  }

  get isDone(): boolean {
    return this.run.isDone;
  }

  step(dt: number): void {
    this.run.step(dt);
  }

  readFrame(): Float32Array {
    const { run, contacts } = this;
    const { x, y, speed, robots } = run.execution;
    const data = new Float32Array(FRAME_STRIDE * robots);
    for (let i = 0; i < robots; i++) contacts.movePlane(i, x[i], y[i]);
    contacts.step(CHECK_STEP);
    for (let i = 0; i < robots; i++) {
      const isStopped = run.execution.isStopped(i);
      const waits = speed[i] === 0 && !isStopped && run.execution.pending(i) > 0;
      const o = FRAME_STRIDE * i;
      data[o] = x[i];
      data[o + 1] = y[i];
      data[o + 2] = speed[i];
      data[o + 3] = (run.isCarrying(i) ? CARRIES : 0) | (waits ? WAITS : 0) | (isStopped ? STOPPED : 0);
    }
    contacts.forEachContact((a, b) => {
      for (const i of [a, b]) data[FRAME_STRIDE * i + 3] |= TOUCHES;
    });
    return data;
  }

  readPlaces(): null {
    return null;
  }

  describe(): string {
    const { moving, waiting, stopped, delivered, arrived, collisions } = this.run.metrics();
    const done = this.run.plan === null ? `${delivered} delivered` : `${arrived} at their goals`;
    return `${moving} drive, ${waiting} wait, ${stopped} stopped, ${done}, ${collisions} not proven apart`;
  }

  addHeat(heat: Float32Array, seconds: number): void {
    const { x, y, speed, robots } = this.run.execution;
    const { cellSize, width } = this.setup;
    for (let i = 0; i < robots; i++)
      if (speed[i] === 0 && this.run.execution.pending(i) > 0)
        heat[Math.round(y[i] / cellSize) * width + Math.round(x[i] / cellSize)] += seconds;
  }

  tell(robot: number): RobotAnswer {
    const { graph, width } = this.setup;
    const { execution } = this.run;
    const nameOf = (v: number): string => {
      const cell = graph.cellOfVertex![v];
      return `cell ${cell % width}, ${Math.floor(cell / width)}`;
    };
    const rest = execution.wayOf(robot);
    const path = Float32Array.from([
      execution.x[robot],
      execution.y[robot],
      ...rest.slice(1).flatMap((v) => [graph.x[v], graph.y[v]]),
    ]);
    const task = this.run.taskOf(robot);
    const doing: string[] = [];
    if (execution.isStopped(robot)) doing.push('stopped');
    if (rest.length > 1) doing.push(`${rest.length - 1} places ahead, up to ${nameOf(rest[rest.length - 1])}`);
    if (task !== null && !task.isCarrying) doing.push(`pick up at ${nameOf(task.pickup)}`);
    if (task !== null) doing.push(`deliver at ${nameOf(task.delivery)}`);
    return { robot, name: this.run.names[robot], doing, path };
  }

  addObstacle(x: number, y: number): 'closed' | 'closing' | 'refused' {
    try {
      return this.run.closeCell(x, y);
    } catch {
      // Somebody's goal.
      return 'refused';
    }
  }
}
