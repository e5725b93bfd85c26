import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cost, count, duration, percent, plural } from '../../model/format.ts';
import { exactly, type Milliseconds, when } from '../../model/time.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dot, Pill } from '../../ui/pill.tsx';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { Text } from '../../ui/text.tsx';
import { inAndOut } from './span-row.tsx';
import type { LoadedTrace } from './trace-query.ts';

export function TraceHeader({ loaded: { trace, tree }, onNextError }: { loaded: LoadedTrace; onNextError: () => void }) {
  return (
    <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
      <Link to="/traces" className="shrink-0 text-body text-fg-3 hover:text-fg">
        Traces /
      </Link>
      <Text as="h1" size="title" strong cut title={trace.name}>
        {trace.name || 'unnamed'}
      </Text>
      {trace.status !== 'UNSET' && <StatusIcon status={trace.status} />}
      {tree.errors.length > 0 && (
        <Pill tone="err" title="Go to the next error" onClick={onNextError}>
          <Dot />
          {plural(tree.errors.length, 'error')}
        </Pill>
      )}
      <span className="flex-1" />
      <CopyButton text={() => trace.id} label="Copy trace id" />
    </header>
  );
}

function Fact({ label, title, children }: { label: string; title?: string | undefined; children: ReactNode }) {
  return (
    <span title={title} className="shrink-0 whitespace-nowrap text-fg-2 text-row tabular-nums">
      <span className="mr-1.5 text-fg-3">{label}</span>
      {children}
    </span>
  );
}

const Strong = ({ children }: { children: ReactNode }) => <b className="font-medium text-fg">{children}</b>;

function Share({ label, time, wall, title }: { label: string; time: Milliseconds; wall: Milliseconds; title: string }) {
  if (time === 0) return null;
  return (
    <Fact label={label} title={title}>
      <Strong>{duration(time)}</Strong> {wall > 0 && percent(time / wall)}
    </Fact>
  );
}

/** What happened, how long, how much: before anything is read. */
export function TraceFacts({ loaded: { trace, tree, facts } }: { loaded: LoadedTrace }) {
  const { totals, wall } = facts;
  const inOut = inAndOut(totals);
  const unpriced = totals.unpriced > 0 ? `${plural(totals.unpriced, 'model call')} without a known price` : undefined;
  return (
    <section aria-label="Facts" className="flex shrink-0 flex-wrap gap-x-5 gap-y-1 border-line border-b px-pad py-2">
      <Fact label="duration" title="From the first start to the last end">
        <Strong>{duration(wall)}</Strong>
      </Fact>
      <Share label="model" time={facts.model} wall={wall} title="Time in which at least one model call ran" />
      <Share label="tools" time={facts.tools} wall={wall} title="Time in which at least one tool ran" />
      <Fact label="tokens" title={inOut === null ? 'No span reported tokens' : 'In → out; a parent that repeats its calls counts once'}>
        <Strong>{inOut ?? '—'}</Strong>
      </Fact>
      <Fact label="cost" title={unpriced ?? (totals.tokens === 0 ? 'No span reported tokens or cost' : undefined)}>
        <Strong>{totals.cost > 0 ? `${unpriced ? '≥' : ''}${cost(totals.cost)}` : '—'}</Strong>
      </Fact>
      <Fact label="spans">
        <Strong>{count(tree.nodes.length)}</Strong>
      </Fact>
      {facts.models.length > 0 && (
        <Fact label={facts.models.length > 1 ? 'models' : 'model'} title={facts.models.join('\n')}>
          <Strong>{facts.models.slice(0, 2).join(', ')}</Strong>
          {facts.models.length > 2 && ` and ${facts.models.length - 2} more`}
        </Fact>
      )}
      {facts.services.length > 0 && (
        <Fact label="service" title={facts.services.join('\n')}>
          <Strong>{facts.services.join(', ')}</Strong>
        </Fact>
      )}
      <Fact label="started" title={exactly(trace.start)}>
        <Strong>{when(trace.start)}</Strong>
      </Fact>
    </section>
  );
}
