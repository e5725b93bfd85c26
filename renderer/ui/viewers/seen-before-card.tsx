import { Link } from '@tanstack/react-router';
import type { ComparedRun } from '../../../shared/contract/tracing/comparison.ts';
import type { SeenBefore } from '../../../shared/contract/tracing/seen-before.ts';
import { anyOf } from '../../model/filter/filter-text.ts';
import { exactly, when } from '../../model/time/time.ts';
import { seenWords } from '../../model/trace/seen-before-words.ts';
import { Card } from '../primitives/card.tsx';
import { Text } from '../primitives/text.tsx';

interface SeenBeforeCardProps {
  traceId: string;
  seen: SeenBefore;
}

/** Other runs with the same failure, and what was different in those that went well. Nothing when there are none. */
export function SeenBeforeCard({ traceId, seen }: SeenBeforeCardProps) {
  const words = seenWords(seen);
  if (!words) return null;
  const { before, message, failed, recovered, different } = words;
  return (
    <Card head="Seen before">
      <div className="grid gap-2">
        <Text as="p" size="body" className="wrap-anywhere">
          {before}
          <span className="font-mono">{`“${message}”`}</span>
          {': '}
          {failed && <span className="font-strong text-err">{failed}</span>}
          {failed && recovered && ', '}
          {recovered && <span className="font-strong text-ok">{recovered}</span>}.
        </Text>
        {different && (
          <Text as="p" size="body" className="wrap-anywhere">
            <strong className="font-strong">{different.name}</strong>
            {different.after}
            {!seen.compared.is_whole && ' Long runs were compared by their first steps.'}
          </Text>
        )}
        <Links traceId={traceId} seen={seen} />
        {seen.nearest.length > 0 && (
          <p className="flex flex-wrap gap-x-3 text-fg-3 text-label">
            Most like this run:
            {seen.nearest.map(({ run }) => (
              <Link
                key={run.id}
                to="/compare"
                search={{ a: run.id, b: traceId }}
                title={`Compare with ${run.name || 'unnamed'}, ${exactly(run.start)}`}
                className="text-accent hover:underline"
              >
                {`${when(run.start)}, ${outcomeOf(run)}`}
              </Link>
            ))}
          </p>
        )}
      </div>
    </Card>
  );
}

const outcomeOf = ({ status, errors }: ComparedRun) => (status === 'ERROR' ? 'failed' : errors > 0 ? 'recovered' : 'good');

function Links({ traceId, seen: { failed, failed_count, recovered, recovered_count, good, compared } }: SeenBeforeCardProps) {
  const { a, b } = compared;
  const all = [traceId, ...failed, ...recovered];
  const isAll = failed.length === failed_count && recovered.length === recovered_count;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-row">
      {b.length > 0 && (
        <Link to="/compare" search={{ a_ids: a.join(), b_ids: b.join() }} className="text-accent hover:underline">
          {good.length > 0 ? `Compare the ${a.length} with ${b.length} good` : `Compare the ${a.length} with the ${b.length}`}
        </Link>
      )}
      <Link to="/traces" search={{ filter: anyOf('trace_id', all) }} className="text-accent hover:underline">
        {`Open ${isAll ? 'all' : 'the newest'} ${all.length} in the list`}
      </Link>
    </p>
  );
}
