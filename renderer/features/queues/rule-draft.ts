/** Draft of a rule that fills a queue: texts of the fields, and what they say. */
import type { QueueRule, QueueRuleDraft, RulePreview } from '../../../shared/contract/evaluation/queue-rules.ts';
import { count, plural } from '../../model/text/format.ts';

export interface RuleFields {
  filter: string;
  percent: string;
  perDay: string;
}

/** Null while a number is not valid. */
export function ruleOf({ filter, percent, perDay }: RuleFields): QueueRuleDraft | null {
  const [sample_percent, max_per_day] = [Number(percent), Number(perDay)];
  const isValid = sample_percent > 0 && sample_percent <= 100 && Number.isInteger(max_per_day) && max_per_day >= 1 && max_per_day <= 1000;
  return isValid ? { filter: filter.trim(), sample_percent, max_per_day, paused: false } : null;
}

/** "5 % of the traces with status = ERROR, at most 100 a day" */
export function ruleInWords({ filter, sample_percent, max_per_day }: Pick<QueueRule, 'filter' | 'sample_percent' | 'max_per_day'>): string {
  const share = sample_percent === 100 ? 'Every trace' : `${sample_percent} % of ${filter === '' ? 'all' : 'the'} traces`;
  return `${share}${filter === '' ? '' : ` with ${filter}`}, at most ${max_per_day} a day`;
}

const problemWords: Record<NonNullable<QueueRule['problem']>, string> = {
  search_failed: 'The traces could not be searched. The gateway tries again.',
  search_incomplete: 'The contents of some traces could not be searched in time.',
  behind: 'More traces match than can be looked at, and some were passed over.',
};

/** What a rule has done, and what it waits for. @param timeOf a time in words */
export function ruleStateInWords(rule: Omit<QueueRule, 'id'>, nowMs: number, timeOf: (at: string) => string): string {
  const { paused, problem, looked_at, active_since, added } = rule;
  return [
    paused ? 'Paused.' : problem ? problemWords[problem] : '',
    !paused && Date.parse(active_since) > nowMs ? 'The limit of the day is reached.' : '',
    `${plural(added, 'trace')} added${!paused && looked_at ? `, last looked at ${timeOf(looked_at)}` : ''}`,
  ]
    .filter(Boolean)
    .join(' ');
}

export function previewInWords({ matching, sampled, is_estimate, is_lower_bound }: RulePreview): string {
  const of = sampled === matching ? '' : `, of ${is_lower_bound ? 'at least ' : ''}${count(matching)} that match`;
  return `Would have added ${is_lower_bound ? 'at least ' : is_estimate ? 'about ' : ''}${plural(sampled, 'trace')} of the last 7 days${of}.`;
}
