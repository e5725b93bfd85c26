/** Draft of the rules of an app: a text for each number of days, its validation and conversion. */
import type { AppRetention, RetentionRules } from '../../../shared/contract/projects/retention.ts';
import { keepDaysMax } from '../../../shared/contract/viewer/viewer-storage.ts';

/** Texts by environment id, that of the app under `app`. An empty one means no rule. */
export type RetentionFields = Readonly<Record<string, string>>;

export const ofApp = 'app';

const textOf = (days: number | null) => (days === null ? '' : String(days));

export const fieldsOf = ({ keep_days, environments }: AppRetention): RetentionFields => ({
  [ofApp]: textOf(keep_days),
  ...Object.fromEntries(environments.map(({ environment_id, keep_days }) => [environment_id, textOf(keep_days)])),
});

/** Problems by field. */
export function problemsOf(fields: RetentionFields, planDays: number | null): Readonly<Record<string, string>> {
  const max = planDays ?? keepDaysMax;
  const isValid = (text: string) => text.trim() === '' || (/^\s*\d+\s*$/.test(text) && Number(text) >= 1 && Number(text) <= max);
  const problem = `Enter a whole number from 1 to ${max}, or leave it empty.`;
  return Object.fromEntries(Object.entries(fields).flatMap(([field, text]) => (isValid(text) ? [] : [[field, problem]])));
}

/** For valid fields only. */
export function rulesOf(fields: RetentionFields): RetentionRules {
  const days = (text: string | undefined) => (text === undefined || text.trim() === '' ? null : Number(text));
  const environments = Object.entries(fields).flatMap(([environment_id, text]) => {
    const keep_days = environment_id === ofApp ? null : days(text);
    return keep_days === null ? [] : { environment_id, keep_days };
  });
  return { keep_days: days(fields[ofApp]), environments };
}

/** How long the traces of an environment are kept; null for ever. */
export function effectiveDays(rules: RetentionRules, environmentId: string, planDays: number | null): number | null {
  const own = rules.environments.find((rule) => rule.environment_id === environmentId)?.keep_days ?? rules.keep_days;
  return own === null || planDays === null ? (own ?? planDays) : Math.min(own, planDays);
}

/** Whether new rules may delete traces that the ones before kept. */
export function isStricter(next: RetentionRules, { environments, plan_days, ...previous }: AppRetention): boolean {
  const before: RetentionRules = {
    keep_days: previous.keep_days,
    environments: environments.flatMap(({ environment_id, keep_days }) => (keep_days === null ? [] : { environment_id, keep_days })),
  };
  const days = (rules: RetentionRules, id: string) => effectiveDays(rules, id, plan_days) ?? Number.POSITIVE_INFINITY;
  return [ofApp, ...environments.map(({ environment_id }) => environment_id)].some((id) => days(next, id) < days(before, id));
}
