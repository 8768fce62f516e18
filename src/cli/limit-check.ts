/** Joint states beyond their limits: told once a joint, in each answer, and a negative verdict with --limits. */
import type { Command } from 'commander';
import { clampToLimits, describeLimitViolations } from '../model/limit-tolerance.js';
import type { Model } from '../model/model.js';
import { ExitStatus, worseStatus } from './exit.js';
import type { BatchAnswer } from './json-lines.js';
import { warnOnce } from './messages.js';

export interface LimitArguments {
  readonly limits?: boolean;
}

export function addLimitsOption(command: Command): Command {
  return command.option('--limits', 'a state beyond its joint limits is a negative verdict (without: a warning)');
}

export interface LimitCheck {
  /** Looks at a state before it is answered for. */
  look(q: Float64Array): void;
  /** Adds what was found since the last answer. */
  complete(answer: BatchAnswer): BatchAnswer;
}

/** A start or goal beyond a limit by a rounding stands on the limit, and is told of; what is farther beyond stays. */
export function clampGiven(model: Model, what: string, q: Float64Array): Float64Array {
  const out = new Float64Array(model.nq);
  const { rounded, looksLikeDegrees } = clampToLimits(out, model, q);
  for (const { joint, value, coordinate } of rounded)
    warnOnce(`${what} ${joint}`, `${what}: joint "${joint}" is ${value}, taken as its limit ${out[coordinate]}`);
  if (looksLikeDegrees) warnOnce('degrees', `${what}: the angles look like degrees; q is in radians`);
  return out;
}

interface Beyond {
  readonly joint: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly excess: number;
}

export function createLimitCheck(model: Model, { limits = false }: LimitArguments): LimitCheck {
  let beyond: Beyond[] = [];
  return {
    look(q) {
      const { violations, looksLikeDegrees } = describeLimitViolations(model, q);
      for (const { joint, value, lower, upper, excess } of violations) {
        beyond.push({ joint, value, lower, upper, excess });
        warnOnce(
          `limit of ${joint}`,
          `joint "${joint}" is ${value}, beyond its limits ${lower} to ${upper} by ${Number(excess.toPrecision(4))}`,
        );
      }
      if (looksLikeDegrees) warnOnce('degrees', 'the angles look like degrees; q is in radians');
    },
    complete(answer) {
      if (beyond.length === 0) return answer;
      const names = beyond.map(({ joint }) => joint).join(', ');
      const found = { ...answer.result, beyondLimits: beyond, ...(limits && { withinLimits: false }) };
      beyond = [];
      return {
        ...answer,
        result: found,
        text: `${answer.text}; beyond limits: ${names}`,
        status: limits ? worseStatus(answer.status ?? ExitStatus.done, ExitStatus.negative) : answer.status,
      };
    },
  };
}
