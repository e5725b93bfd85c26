import type { Spending, SpendingSums } from '../../../shared/contract/viewer/spending.ts';
import { cost, count, percent, plural } from '../../model/text/format.ts';
import type { Range } from './url.ts';

export const rangeNames: Record<Range, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', '365d': '365 days' };

/** Last part of a path. */
export const folderName = (folder: string | null): string =>
  folder?.split(/[/\\]/).findLast((part) => part !== '') ?? folder ?? 'not recorded';

/** `$182.40 in the last 30 days, 56 % of it in ferries.` */
export function verdict({ total, projects, agents }: Spending, range: Range): string {
  const start = `${cost(total.cost)} in the last ${rangeNames[range]}`;
  if (total.cost === 0) return `${start}.`;
  const [project, ...others] = projects;
  if (project && project.folder !== null && others.length > 0 && project.cost > 0)
    return `${start}, ${percent(project.cost / total.cost)} of it in ${folderName(project.folder)}.`;
  const [agent, ...more] = agents;
  if (agent && agent.agent !== '' && more.length > 0 && agent.cost > 0)
    return `${start}, ${percent(agent.cost / total.cost)} of it by ${agent.agent}.`;
  return `${start}.`;
}

/** What the figures do not contain; '' for nothing. */
export const unpriced = ({ unpriced_calls, calls }: SpendingSums): string =>
  unpriced_calls === 0
    ? ''
    : `${plural(unpriced_calls, 'call')} of ${count(calls)} used models without a known price. They are not in the cost.`;

/** A saving, or what the writes of a cache cost more than its reads saved. */
export const savings = (amount: number): string => (amount < 0 ? `−${cost(-amount)}` : cost(amount));

/** `14:03`, local time. */
export const hourMinute = (iso: string): string => new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
