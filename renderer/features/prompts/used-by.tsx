import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { asFailure } from '../../api/failure.ts';
import { cost, duration, plural, tokens } from '../../model/text/format.ts';
import { milliseconds, when } from '../../model/time/time.ts';
import { StatusIcon } from '../../ui/primitives/status-icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { datasetAt } from './dataset-path.ts';
import { promptFilter, useExperimentsOf, useTracesOf } from './prompts-query.ts';

const linkStyle = 'text-accent text-row hover:underline';

/** Newest traces that used this prompt, experiments that ran it, and datasets that it was tested with. */
export function UsedBy({ name, path, dataset }: { name: string | null; path: string; dataset: string | null }) {
  const traces = useTracesOf(name);
  const experiments = useExperimentsOf(name);
  if (name === null) return <Text tone="dim">This prompt has no name in its front matter, so traces cannot refer to it.</Text>;
  const ownDataset = dataset === null ? null : datasetAt(path, dataset);
  const datasets = [
    ...new Set([...(ownDataset === null ? [] : [ownDataset]), ...(experiments.data?.data.map(({ datasetPath }) => datasetPath) ?? [])]),
  ].filter(Boolean);
  return (
    <>
      <Usage
        title="Traces"
        link={
          traces.data &&
          traces.data.total > 0 && (
            <Link to="/traces" search={{ filter: promptFilter(name) }} className={linkStyle}>
              {`All ${plural(traces.data.total, 'trace')}`}
            </Link>
          )
        }
      >
        {traces.isError && <Text tone="err">{asFailure(traces.error, 'The traces could not be loaded').why}</Text>}
        {traces.isPending && <Text tone="dim">Loading traces…</Text>}
        {traces.data?.total === 0 && (
          <Text tone="dim">{`No traces yet. Calls refer to this prompt with the attribute agentmark.prompt_name = ${name}.`}</Text>
        )}
        <ul className="@container">
          {traces.data?.rows.map((trace) => (
            <TraceLine key={trace.id} trace={trace} />
          ))}
        </ul>
      </Usage>
      <Usage
        title="Experiments"
        link={
          experiments.data &&
          experiments.data.pagination.total > 0 && (
            <Link to="/experiments" search={{ prompt: name }} className={linkStyle}>
              {`All ${plural(experiments.data.pagination.total, 'experiment')}`}
            </Link>
          )
        }
      >
        {experiments.isError && <Text tone="err">{asFailure(experiments.error, 'The experiments could not be loaded').why}</Text>}
        {experiments.data?.data.length === 0 && <Text tone="dim">No experiments yet. Start one from a dataset.</Text>}
        <ul>
          {experiments.data?.data.map(({ id, name: experimentName, createdAt }) => (
            <li key={id} className="relative flex h-row items-center gap-3 hover:bg-hover">
              <Link to="/experiments" search={{ id }} className="min-w-0 flex-1 truncate text-row after:absolute after:inset-0">
                {experimentName}
              </Link>
              <Text tone="quiet" className="num">
                {createdAt === undefined ? '—' : when(createdAt)}
              </Text>
            </li>
          ))}
        </ul>
      </Usage>
      {datasets.length > 0 && (
        <Usage title="Datasets">
          <ul>
            {datasets.map((path) => (
              <li key={path} className="flex h-row items-center gap-3">
                <Link to="/datasets" search={{ name: path }} className={`${linkStyle} truncate`}>
                  {path}
                </Link>
                {path === ownDataset && <Text tone="dim">from its test settings</Text>}
              </li>
            ))}
          </ul>
        </Usage>
      )}
    </>
  );
}

const Usage = ({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-1 pt-2">
    <header className="flex items-baseline gap-3">
      <Text as="h3" size="section" strong>
        {title}
      </Text>
      {link}
    </header>
    {children}
  </section>
);

type Trace = NonNullable<ReturnType<typeof useTracesOf>['data']>['rows'][number];

const TraceLine = ({ trace }: { trace: Trace }) => (
  <li className="relative grid h-row grid-cols-[var(--spacing-kind)_minmax(0,1fr)_var(--width-when)] items-center gap-3 hover:bg-hover @tight:grid-cols-[var(--spacing-kind)_minmax(0,1fr)_repeat(3,var(--width-total))_var(--width-when)]">
    <StatusIcon status={trace.status} />
    <Link
      to="/traces/$traceId"
      params={{ traceId: trace.id }}
      title={trace.name}
      className="truncate text-row after:absolute after:inset-0"
    >
      {trace.name || 'unnamed'}
    </Link>
    <span className="num hidden text-fg-2 text-row @tight:block">{trace.tokens > 0 ? tokens(trace.tokens) : '—'}</span>
    <span className="num hidden text-fg-2 text-row @tight:block">{trace.cost > 0 ? cost(trace.cost) : '—'}</span>
    <span className="num hidden text-fg-2 text-row @tight:block">{duration(milliseconds(trace.latency_ms))}</span>
    <span className="num text-fg-2 text-row">{when(trace.start)}</span>
  </li>
);
