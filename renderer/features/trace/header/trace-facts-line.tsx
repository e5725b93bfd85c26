import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cost, count, duration, percent, plural } from '../../../model/text/format.ts';
import { type Milliseconds, milliseconds } from '../../../model/time/time.ts';
import { Pill } from '../../../ui/primitives/pill.tsx';
import { inAndOut } from '../index/span-numbers.tsx';
import type { LoadedTrace } from '../page/trace-query.ts';

/** Names can have any length, so they are cut to the line and shown in full in a tooltip. */
function Fact({ label, title, children }: { label: string; title?: string | undefined; children: ReactNode }) {
  return (
    <span title={title} className="max-w-full shrink-0 truncate text-fg-2 text-row tabular-nums">
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

const linkStyle = 'font-medium text-fg underline decoration-line-2 underline-offset-2 hover:decoration-accent';

/** Summary line of a trace: duration, usage, session and scores. */
export function TraceFactsLine({ loaded, isCostHidden = false }: { loaded: LoadedTrace; isCostHidden?: boolean }) {
  const { trace, facts } = loaded;
  // While the trace runs, the header shows a timer; duration and shares are known when it has ended.
  const isRunning = facts.pending > 0;
  const wall = isRunning ? milliseconds(0) : facts.wall;
  return (
    <section aria-label="Facts" className="flex shrink-0 flex-wrap gap-x-5 gap-y-1 border-line border-b px-pad py-2">
      {!isRunning && (
        <Fact label="Duration" title="From the first start to the last end">
          <Strong>{duration(wall)}</Strong>
        </Fact>
      )}
      <Share label="Model time" time={facts.model} wall={wall} title="Time in which at least one model call ran" />
      <Share label="Tool time" time={facts.tools} wall={wall} title="Time in which at least one tool ran" />
      <UsageFacts loaded={loaded} isCostHidden={isCostHidden} />
      <Fact label="Spans">
        <Strong>{count(loaded.tree.size)}</Strong>
      </Fact>
      {facts.models.length > 0 && (
        <Fact label={facts.models.length > 1 ? 'Models' : 'Model'} title={facts.models.join('\n')}>
          <Strong>{facts.models.length > 2 ? facts.models[0] : facts.models.join(', ')}</Strong>
          {facts.models.length > 2 && ` and ${facts.models.length - 1} more`}
        </Fact>
      )}
      <SessionAndUser loaded={loaded} />
      {trace.scores.map((score) => (
        <Fact
          key={score.id}
          label={score.name}
          title={[`${score.name} ${score.label || score.score}`, `Score from ${score.source}`, score.reason].filter(Boolean).join('\n')}
        >
          <Strong>{score.label || String(score.score)}</Strong>
        </Fact>
      ))}
      {trace.tags.map((tag) => (
        <Pill key={tag} title="Tag">
          {tag}
        </Pill>
      ))}
    </section>
  );
}

function UsageFacts({ loaded: { facts }, isCostHidden }: { loaded: LoadedTrace; isCostHidden: boolean }) {
  const { totals, cached } = facts;
  const inOut = inAndOut(totals);
  const unpriced = totals.unpriced > 0 ? `${plural(totals.unpriced, 'model call')} without a known price` : undefined;
  return (
    <>
      <Fact
        label="Tokens"
        title={inOut === null ? 'No span reported tokens' : 'Input → output; usage that a parent repeats is counted once'}
      >
        <Strong>{inOut ?? '—'}</Strong>
        {cached > 0 && totals.input_tokens > 0 && ` ${percent(Math.min(1, cached / totals.input_tokens))} cached`}
      </Fact>
      {!isCostHidden && (
        <Fact label="Cost" title={unpriced ?? (totals.tokens === 0 ? 'No span reported tokens or cost' : undefined)}>
          <Strong>{totals.cost > 0 ? `${unpriced ? '≥' : ''}${cost(totals.cost)}` : '—'}</Strong>
        </Fact>
      )}
    </>
  );
}

/** Session and user of the trace, as links to their other traces. */
function SessionAndUser({ loaded: { trace, facts } }: { loaded: LoadedTrace }) {
  return (
    <>
      {trace.session_id !== null && (
        <Fact label="Session" title={`All traces of the session ${trace.session_id}`}>
          <Link to="/traces" search={{ session_id: trace.session_id }} className={linkStyle}>
            {trace.session_id}
          </Link>
        </Fact>
      )}
      {trace.user_id !== null && (
        <Fact label="User" title={`All traces of the user ${trace.user_id}`}>
          <Link to="/traces" search={{ user_id: trace.user_id }} className={linkStyle}>
            {trace.user_id}
          </Link>
        </Fact>
      )}
      {facts.services.length > 1 && (
        <Fact label="Services" title={facts.services.join('\n')}>
          <Strong>{facts.services.join(', ')}</Strong>
        </Fact>
      )}
    </>
  );
}
