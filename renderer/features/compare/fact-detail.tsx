import { Link } from '@tanstack/react-router';
import type { ComparedGroups, SeparatingFact } from '../../../shared/contract/tracing/compared-groups.ts';
import type { ComparedRun } from '../../../shared/contract/tracing/comparison.ts';
import { anyOf } from '../../model/filter/filter-text.ts';
import { duration } from '../../model/text/format.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import { factPredicate, factSubject, type GroupNames, share } from '../../model/trace/group-words.ts';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { CompareView } from './url.ts';

interface FactDetailProps {
  groups: ComparedGroups;
  names: GroupNames;
  fact: SeparatingFact;
  bookkeeping: CompareView['bookkeeping'];
  onClose: () => void;
}

/** The runs of both groups that have a fact and those that lack it. */
export function FactDetail({ groups, names, fact, bookkeeping, onClose }: FactDetailProps) {
  const pair = typicalPair(groups, fact);
  return (
    <>
      <div className="flex h-header shrink-0 items-center gap-2 border-line border-b px-4">
        <Text as="h2" size="section" strong cut>
          {factSubject(fact)}
        </Text>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          {pair && (
            <Link to="/compare" search={{ a: pair.without.id, b: pair.having.id }} className={linkButton} title="Step by step">
              Compare one run of each
            </Link>
          )}
          <span className="split:hidden">
            <Button onClick={onClose}>Back to the list</Button>
          </span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Runs" tabIndex={0} className="grid min-h-0 flex-1 content-start gap-2.5 overflow-y-auto p-4">
        <Text size="body" className="wrap-anywhere">{`${factSubject(fact)} ${factPredicate(fact)}`}</Text>
        {(['a', 'b'] as const).map((side) => (
          <Side key={side} runs={groups[side].runs} places={fact[side]} name={names[side]} bookkeeping={bookkeeping} />
        ))}
      </section>
    </>
  );
}

/** One run of each group, of which only one has the fact. */
function typicalPair({ a, b }: ComparedGroups, fact: SeparatingFact): { having: ComparedRun; without: ComparedRun } | null {
  const isMoreInA = fact.a.length / a.runs.length >= fact.b.length / b.runs.length;
  const [from, places, to, others] = isMoreInA ? [a, fact.a, b, fact.b] : [b, fact.b, a, fact.a];
  const having = from.runs[places[0]?.run ?? -1];
  const without = to.runs.find((_, index) => !others.some(({ run }) => run === index));
  return having && without ? { having, without } : null;
}

interface SideProps {
  runs: readonly ComparedRun[];
  places: SeparatingFact['a'];
  name: string;
  bookkeeping: CompareView['bookkeeping'];
}

function Side({ runs, places, name, bookkeeping }: SideProps) {
  const spans = new Map(places.map(({ run, span_id }) => [run, span_id]));
  const without = runs.flatMap((run, index) => (spans.has(index) ? [] : [run]));
  return (
    <>
      <Card
        head={`In ${share(places.length, runs.length, name)}`}
        folds="open"
        actions={<InList runs={places.flatMap(({ run }) => runs[run] ?? [])} bookkeeping={bookkeeping} />}
      >
        {places.length === 0 ? (
          <Text tone="dim">None of them has it.</Text>
        ) : (
          <ul>
            {places.map(({ run, span_id }) => {
              const of = runs[run];
              return of && <RunLine key={of.id} run={of} spanId={span_id} />;
            })}
          </ul>
        )}
      </Card>
      {places.length > 0 && without.length > 0 && (
        <Card
          head={`Not in ${share(without.length, runs.length, name)}`}
          folds="shut"
          actions={<InList runs={without} bookkeeping={bookkeeping} />}
        >
          <ul>
            {without.map((run) => (
              <RunLine key={run.id} run={run} spanId={undefined} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const InList = ({ runs, bookkeeping }: Pick<SideProps, 'runs' | 'bookkeeping'>) =>
  runs.length > 0 && (
    <Link
      to="/traces"
      search={{
        filter: anyOf(
          'trace_id',
          runs.map(({ id }) => id),
        ),
        ...(bookkeeping && { bookkeeping }),
      }}
      className="px-2.5 text-accent text-label hover:underline"
    >
      {runs.length === 1 ? 'Open in the list' : 'Open all in the list'}
    </Link>
  );

const RunLine = ({ run, spanId }: { run: ComparedRun; spanId: string | undefined }) => (
  <li>
    <Link
      to="/traces/$traceId"
      params={{ traceId: run.id }}
      search={spanId === undefined ? {} : { span: spanId }}
      className="flex min-w-0 items-baseline gap-3 rounded-control px-1.5 py-1 text-row hover:bg-hover"
    >
      <span className="min-w-0 truncate text-accent">{run.name || 'unnamed'}</span>
      <span className="ml-auto shrink-0 text-fg-3 tabular-nums" title={exactly(run.start)}>
        {`${when(run.start)} · ${duration(milliseconds(run.duration_ms))}`}
      </span>
    </Link>
  </li>
);
