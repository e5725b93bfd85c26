/** What deserves a look: causes with their size, from the failures and the figures. */
import type { ErrorGroup } from '../../../shared/contract/tracing/error-groups.ts';
import type { ActivityGroup } from '../../../shared/contract/viewer/activity.ts';
import { spellValue } from '../../model/filter/filter-text.ts';
import { cost, count, duration, percent, plural } from '../../model/text/format.ts';
import { elapsed } from '../../model/time/elapsed.ts';
import { milliseconds, when } from '../../model/time/time.ts';
import type { Shown } from './activity-query.ts';
import { breakdowns } from './breakdown.ts';
import { fewMax } from './comparison.ts';

export interface Finding {
  id: string;
  kind: 'error' | 'cost' | 'slow' | 'running' | 'cache';
  title: string;
  note: string;
  size: string;
  /** Either a trace, or a condition on the traces of the dashboard. */
  opens: { trace: string } | { clause: string | undefined };
}

export const findingsMax = 5;
/** Of the lines, so that other causes have room. */
const errorsMax = 3;

const worseFrom = 1.25;
/** Of the cost of all traces. */
const largeShare = 0.2;
const dayMs = 86_400_000;

/** The lines to show, failures first. @param groups the failures with the most errors first */
export function findingsOf(data: Shown, groups: readonly ErrorGroup[], nowMs: number): Finding[] {
  const errors = groups.map((group) => errorFinding(group, nowMs));
  const others = [...running(data, nowMs), ...costly(data), ...changes(data), ...cache(data)];
  const room = Math.max(errorsMax, findingsMax - others.length);
  return [...errors.slice(0, room), ...others].slice(0, findingsMax);
}

function errorFinding(group: ErrorGroup, nowMs: number): Finding {
  const { type, message, name, errors, traces, first_seen, last_seen, filter } = group;
  const isNew = nowMs - Date.parse(first_seen) < dayMs;
  const seen = isNew ? `first seen ${when(first_seen, new Date(nowMs))}` : `last seen ${when(last_seen, new Date(nowMs))}`;
  return {
    id: `error ${name} ${type} ${message}`,
    kind: 'error',
    title: `${type || message || 'Error'}, ${name}`,
    note: `${plural(traces, 'trace')}, ${seen}`,
    size: count(errors),
    opens: { clause: filter },
  };
}

/** The trace that has been running longest. */
function running({ activity: { traces } }: Shown, nowMs: number): Finding[] {
  const open = (traces ?? []).filter((trace) => trace.running > 0).sort((a, b) => a.at - b.at);
  const [first] = open;
  if (!first) return [];
  const note = open.length > 1 ? `${first.name}, and ${count(open.length - 1)} more` : first.name;
  const title = `Running for ${elapsed(Math.max(0, nowMs - first.at))}`;
  return [{ id: 'running', kind: 'running', title, note, size: 'live', opens: { trace: first.id } }];
}

function costly({ activity: { traces, totals } }: Shown): Finding[] {
  const [most] = (traces ?? []).toSorted((a, b) => b.cost - a.cost);
  if (!most || (traces ?? []).length < 5 || totals.cost === 0 || most.cost < totals.cost * largeShare) return [];
  return [
    {
      ...{ id: 'costly', kind: 'cost', title: `One trace cost ${cost(most.cost)}` },
      ...{ note: `${most.name}, ${when(new Date(most.at).toISOString())}`, size: percent(most.cost / totals.cost) },
      opens: { trace: most.id },
    },
  ];
}

/** The group whose cost, and the one whose 95th percentile, grew most. */
function changes({ activity, before, view: { by = 'model' } }: Shown): Finding[] {
  if (!before || before.totals.traces <= fewMax) return [];
  const earlier = new Map(before.groups.map((group) => [group.name, group]));
  const pairs = activity.groups.flatMap((group) => {
    const was = earlier.get(group.name);
    return was && group.name !== '' && group.count > fewMax && was.count > fewMax ? [{ group, was }] : [];
  });
  const clause = ({ name }: ActivityGroup) => ({ clause: `${breakdowns[by].field} = ${spellValue(name)}` });
  const [dearer] = pairs
    .filter(({ group, was }) => was.cost > 0 && group.cost >= was.cost * worseFrom && group.cost - was.cost >= before.totals.cost * 0.05)
    .sort((a, b) => b.group.cost - b.was.cost - (a.group.cost - a.was.cost));
  const [slower] = pairs
    .filter(({ group, was }) => was.p95_ms > 0 && group.p95_ms >= was.p95_ms * worseFrom)
    .sort((a, b) => b.group.p95_ms - b.was.p95_ms - (a.group.p95_ms - a.was.p95_ms));
  const time = (ms: number) => duration(milliseconds(ms));
  const found: Finding[] = [];
  if (dearer) {
    const { group, was } = dearer;
    const title = `${group.name} costs ${percent(group.cost / was.cost - 1)} more`;
    const note = `${cost(was.cost)} before, ${cost(group.cost)} now`;
    found.push({ id: 'dearer', kind: 'cost', title, note, size: `+${cost(group.cost - was.cost)}`, opens: clause(group) });
  }
  if (slower) {
    const { group, was } = slower;
    const note = `p95 from ${time(was.p95_ms)} to ${time(group.p95_ms)}`;
    const size = `+${time(group.p95_ms - was.p95_ms)}`;
    found.push({ id: 'slower', kind: 'slow', title: `${group.name} is slower`, note, size, opens: clause(group) });
  }
  return found;
}

function cache({ activity: { totals }, before }: Shown): Finding[] {
  if (!before || before.totals.traces <= fewMax || totals.traces <= fewMax) return [];
  const [is, was] = [totals, before.totals].map(({ cache_read_tokens, input_tokens }) => cache_read_tokens / Math.max(1, input_tokens)) as [
    number,
    number,
  ];
  if (was - is < 0.1) return [];
  const note = `from ${percent(was)} to ${percent(is)} of input tokens`;
  return [
    {
      id: 'cache',
      kind: 'cache',
      title: 'Fewer tokens come from the cache',
      note,
      size: `−${percent(was - is)}`,
      opens: { clause: undefined },
    },
  ];
}
