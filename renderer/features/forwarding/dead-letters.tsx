import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pathOf } from '../../../shared/client.ts';
import { forwarding } from '../../../shared/contract/operations/forwarding.ts';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useDeadLetters, useRetryDeadLetters } from './forwarding-query.ts';

const kinds = { spans: 'span', logs: 'log record', scores: 'score' };

/** Messages that the destination rejected permanently. */
export function DeadLetters({ name, count }: { name: string; count: number }) {
  const [isOpen, setOpen] = useState(false);
  const retry = useRetryDeadLetters(name);
  return (
    <section aria-label={`Dead letters of ${name}`} className="grid gap-2">
      <Text as="p" tone="warm">
        {`${plural(count, 'dead letter')}: rejected permanently. Everything else is still sent.`}
      </Text>
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
        <Button aria-busy={retry.isPending} onClick={() => retry.mutate(null)}>
          Retry
        </Button>
        <a
          href={pathOf(forwarding.exportDeadLetters.path, { name })}
          download
          className="inline-flex h-control items-center rounded-control border border-line-2 px-2 text-fg-2 text-row hover:bg-hover hover:text-fg"
        >
          Export as OTLP JSON
        </a>
      </div>
      {isOpen && <DeadLetterList name={name} />}
    </section>
  );
}

function DeadLetterList({ name }: { name: string }) {
  const deadLetters = useDeadLetters(name);
  if (deadLetters.isError) return <Text tone="err">{asFailure(deadLetters.error, 'The dead letters could not be loaded').why}</Text>;
  if (!deadLetters.data) return <Text tone="dim">Loading…</Text>;
  const { data, pagination } = deadLetters.data;
  return (
    <>
      <ul className="grid gap-1">
        {data.map(({ kind, trace_id, name: spanName, reason, failed_at }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dead letters have no id of their own
          <li key={i} className="grid gap-0.5 border-warm border-l-2 pl-3">
            <Text>
              {kinds[kind]}{' '}
              {trace_id === null ? (
                spanName
              ) : (
                <Link to="/traces/$traceId" params={{ traceId: trace_id }} className="text-accent hover:underline">
                  {spanName || trace_id}
                </Link>
              )}
            </Text>
            <Text tone="quiet" className="wrap-anywhere" title={exactly(failed_at)}>
              {`${when(failed_at)}: ${reason}`}
            </Text>
          </li>
        ))}
      </ul>
      {pagination.total > data.length && <Text tone="dim">{`and ${plural(pagination.total - data.length, 'more', 'more')}`}</Text>}
    </>
  );
}
