import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pathOf } from '../../../shared/client.ts';
import { forwarding } from '../../../shared/contract/forwarding.ts';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/format.ts';
import { exactly, when } from '../../model/time.ts';
import { Button } from '../../ui/button.tsx';
import { Text } from '../../ui/text.tsx';
import { useParked, useRetryParked } from './forwarding-query.ts';

const kinds = { spans: 'span', logs: 'log record', scores: 'score' };

/** What the cloud will not take: kept here, apart, so that all else goes on. */
export function ParkedPart({ name, count }: { name: string; count: number }) {
  const [isOpen, setOpen] = useState(false);
  const retry = useRetryParked(name);
  return (
    <section aria-label={`What cannot be sent to ${name}`} className="grid gap-2">
      <Text as="p" tone="warm">
        {`${plural(count, 'item')} cannot be sent, and ${count === 1 ? 'is' : 'are'} kept apart. All else goes on.`}
      </Text>
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide them' : 'Show them'}
        </Button>
        <Button aria-busy={retry.isPending} onClick={() => retry.mutate(null)}>
          Try them again
        </Button>
        <a
          href={pathOf(forwarding.exportParked.path, { name })}
          download
          className="inline-flex h-control items-center rounded-control border border-line-2 px-2 text-fg-2 text-row hover:bg-hover hover:text-fg"
        >
          Export as OTLP JSON
        </a>
      </div>
      {isOpen && <ParkedList name={name} />}
    </section>
  );
}

function ParkedList({ name }: { name: string }) {
  const parked = useParked(name);
  if (parked.isError) return <Text tone="err">{asFailure(parked.error, 'They could not be listed').why}</Text>;
  if (!parked.data) return <Text tone="dim">Looking…</Text>;
  const { data, pagination } = parked.data;
  return (
    <>
      <ul className="grid gap-1">
        {data.map(({ kind, trace_id, name: called, reason, parked_at }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own
          <li key={i} className="grid gap-0.5 border-warm border-l-2 pl-3">
            <Text>
              {kinds[kind]}{' '}
              {trace_id === null ? (
                called
              ) : (
                <Link to="/traces/$traceId" params={{ traceId: trace_id }} className="text-accent hover:underline">
                  {called || trace_id}
                </Link>
              )}
            </Text>
            <Text tone="quiet" className="wrap-anywhere" title={exactly(parked_at)}>
              {`${when(parked_at)}: ${reason}`}
            </Text>
          </li>
        ))}
      </ul>
      {pagination.total > data.length && <Text tone="dim">{`and ${plural(pagination.total - data.length, 'more', 'more')}`}</Text>}
    </>
  );
}
