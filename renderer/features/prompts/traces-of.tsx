import { Link } from '@tanstack/react-router';
import { asFailure } from '../../api/failure.ts';
import { cost, duration, plural, tokens } from '../../model/format.ts';
import { milliseconds, when } from '../../model/time.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { Text } from '../../ui/text.tsx';
import { promptFilter, useTracesOf } from './prompts-query.ts';

/** The newest traces in which a call named this prompt. */
export function TracesOf({ name }: { name: string | null }) {
  const traces = useTracesOf(name);
  if (name === null) return <Text tone="dim">It has no name in its front matter, so no trace can name it.</Text>;
  return (
    <section aria-label="Traces that used it" className="grid gap-1 pt-2">
      <header className="flex items-baseline gap-3">
        <Text as="h3" size="section" strong>
          Traces that used it
        </Text>
        {traces.data && traces.data.total > 0 && (
          <Link to="/traces" search={{ filter: promptFilter(name) }} className="text-accent text-row hover:underline">
            {`All ${plural(traces.data.total, 'trace')}`}
          </Link>
        )}
        <Link to="/experiments" search={{ prompt: name }} className="text-accent text-row hover:underline">
          Its experiments
        </Link>
      </header>
      {traces.isError && <Text tone="err">{asFailure(traces.error, 'They could not be listed').why}</Text>}
      {traces.data?.total === 0 && (
        <Text tone="dim">{`No call has named it yet: they say so with the attribute agentmark.prompt_name = ${name}.`}</Text>
      )}
      <ul>
        {traces.data?.rows.map((trace) => (
          <li
            key={trace.id}
            className="relative grid h-row grid-cols-[var(--spacing-kind)_minmax(0,1fr)_repeat(3,var(--width-total))_var(--width-when)] items-center gap-3 hover:bg-hover"
          >
            <StatusIcon status={trace.status} />
            <Link
              to="/traces/$traceId"
              params={{ traceId: trace.id }}
              title={trace.name}
              className="truncate text-row after:absolute after:inset-0"
            >
              {trace.name || 'unnamed'}
            </Link>
            <span className="num text-fg-2 text-row">{trace.tokens > 0 ? tokens(trace.tokens) : '—'}</span>
            <span className="num text-fg-2 text-row">{trace.cost > 0 ? cost(trace.cost) : '—'}</span>
            <span className="num text-fg-2 text-row">{duration(milliseconds(trace.latency_ms))}</span>
            <span className="num text-fg-2 text-row">{when(trace.start)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
