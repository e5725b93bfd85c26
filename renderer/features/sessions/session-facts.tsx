import type { ReactNode } from 'react';
import type { SessionItem } from '../../../shared/contract/tracing/sessions.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { cost, count, duration, plural, tokens } from '../../model/text/format.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import { outcomesText } from '../../model/trace/outcome.ts';

interface FactsProps {
  /** Totals from the gateway; null while they load. */
  session: SessionItem | null;
  turns: readonly ListedTrace[];
  total: number;
  /** At the end of the line. */
  children: ReactNode;
}

/** Summary of a session: duration, usage and failures. */
export function SessionFacts({ session, turns, total, children }: FactsProps) {
  const outcomes = outcomesText(turns);
  const activeMs = turns.reduce((sum, { latency_ms }) => sum + latency_ms, 0);
  const users = [...new Set(turns.flatMap(({ user_id }) => user_id ?? []))];
  const isPart = turns.length < total;
  // The durations are known only when the last turn has ended.
  const isRunning = turns.some(({ running }) => running > 0);
  const facts = [
    { name: 'Started', value: session ? when(session.start) : '', title: session ? exactly(session.start) : '' },
    { name: 'Duration', value: session && !isRunning ? duration(milliseconds(Date.parse(session.end) - Date.parse(session.start))) : '' },
    {
      name: 'Active time',
      value: isPart || isRunning ? '' : duration(milliseconds(activeMs)),
      title: 'Total of all turns, without the time between them',
    },
    { name: 'Tokens', value: session && session.total_tokens > 0 ? tokens(session.total_tokens) : '' },
    { name: 'Cost', value: session && session.total_cost > 0 ? cost(session.total_cost) : '' },
    { name: users.length > 1 ? plural(users.length, 'user') : 'User', value: users.slice(0, 3).join(', '), title: users.join(', ') },
  ];
  return (
    <div className="flex h-9 shrink-0 items-center gap-5 overflow-hidden whitespace-nowrap border-line border-b px-pad text-row">
      <p className="font-strong tabular-nums">
        {plural(total, 'turn')}
        {outcomes !== '' && <span className="text-err">{`, ${outcomes}${isPart ? ` of the first ${count(turns.length)}` : ''}`}</span>}
      </p>
      {/* What has no room wraps out of view as a whole. */}
      <dl className="flex h-full min-w-0 flex-wrap gap-x-5 overflow-hidden">
        {facts
          .filter(({ value }) => value !== '')
          .map(({ name, value, title }) => (
            <div key={name} title={title} className="flex h-full items-center gap-2">
              <dt className="text-fg-3">{name}</dt>
              <dd className="font-strong tabular-nums">{value}</dd>
            </div>
          ))}
      </dl>
      {children}
    </div>
  );
}
