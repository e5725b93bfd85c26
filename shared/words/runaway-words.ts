/** Runaways in words: the same in the viewer, in notices, in alerts and in the shell. Names come from anybody; show the words as text. */
import type { Runaway } from '../contract/tracing/runaways.ts';

type Found = Pick<Runaway, 'rule' | 'subject' | 'value' | 'cost' | 'cost_per_minute'>;

/** Calls that are counted; there may be more. */
const countedMax = 128;

const dollars = (amount: number): string => `$${amount === 0 || amount >= 0.005 ? amount.toFixed(2) : amount.toPrecision(1)}`;
const named = (subject: string, otherwise: string): string => subject || otherwise;
const times = (count: number): string => (count >= countedMax ? `at least ${countedMax} times` : `${count} times`);

function secondsOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

const sentences: Record<Runaway['rule'], (found: Found) => string> = {
  repeated_calls: ({ subject, value }) => `It called ${named(subject, 'a tool')} ${times(value)} with the same arguments.`,
  loop: ({ subject, value }) =>
    `It made the same calls in the same order ${value} times with the same results, ${named(subject, 'a tool')} among them.`,
  cost: () => 'It costs more than a run of this service should.',
  cost_rate: () => 'Its cost rises fast.',
  context_growth: ({ subject, value }) =>
    `Its prompts for ${named(subject, 'a model')} grow with every call and fill ${Math.round(value * 100)} % of the context window.`,
  errors: ({ subject, value }) => `${value} of its latest steps failed, the last one of them ${named(subject, 'a step')}.`,
  silence: ({ subject, value }) =>
    `${named(subject, 'A tool')} has been running for ${secondsOf(value)}, and nothing else has arrived since.`,
};

/** The service, or the trace where the service has no name. */
export function runawayName({ service, trace_name }: Pick<Runaway, 'service' | 'trace_name'>): string {
  return service === '' || service.startsWith('unknown_service') ? trace_name || 'A run' : service;
}

/** A service by its name, as settings list it. */
export const runawayService = (service: string): string => service || 'spans without a service';

/** Why the run may be running away, as a sentence. */
export const runawayReason = (found: Found): string => sentences[found.rule](found);

/** `$0.31 so far, $0.04 a minute.`; '' for a run that costs nothing. */
export function runawayCost({ cost, cost_per_minute }: Found): string {
  if (cost === 0) return '';
  return cost_per_minute > 0 ? `${dollars(cost)} so far, ${dollars(cost_per_minute)} a minute.` : `${dollars(cost)} so far.`;
}

/** Names of the rules, for lists of settings and marks. */
export const runawayRuleNames: Record<Runaway['rule'], string> = {
  repeated_calls: 'same call again and again',
  loop: 'loop without progress',
  cost: 'cost of a run',
  cost_rate: 'rising cost',
  context_growth: 'growing prompts',
  errors: 'series of errors',
  silence: 'silent tool',
};

const severity: readonly Runaway['rule'][] = ['cost', 'cost_rate', 'repeated_calls', 'loop', 'errors', 'context_growth', 'silence'];

/** The worst first: what costs most a minute, then the rule that says most. */
export const worstFirst = (a: Found, b: Found): number =>
  b.cost_per_minute - a.cost_per_minute || severity.indexOf(a.rule) - severity.indexOf(b.rule);
