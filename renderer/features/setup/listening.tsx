import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { IngestLogEntry } from '../../../shared/contract/viewer/viewer.ts';
import { gateway, gatewayOrigin } from '../../api/client.ts';
import { useConnection } from '../../api/gateway-live.ts';
import { useFollowRequests } from '../../api/queries.ts';
import { plural } from '../../model/text/format.ts';
import { when } from '../../model/time/time.ts';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { Text } from '../../ui/primitives/text.tsx';

const lastKey = ['ingest-log', 'last request'];

/** Address of the gateway and its last request, with the reason if it was rejected: the first place to look when no traces arrive. */
export function Listening({ children }: { children?: ReactNode }) {
  const connection = useConnection();
  useFollowRequests(lastKey);
  const log = useQuery({
    queryKey: lastKey,
    queryFn: async () => (await gateway.viewer.ingestLog({ query: { limit: 1 } })).data,
    staleTime: 0,
  });
  const last = log.data?.[0];
  const hint = last?.hint;
  const isRejected = last !== undefined && (last.status >= 400 || last.spans_rejected > 0);
  return (
    // Minimum height, so that the code to copy below does not move.
    <div role="status" className="grid min-h-16 content-start gap-1">
      <div className="flex items-center gap-3">
        {connection.phase === 'live' ? (
          <Pill tone="ok">
            <Dot />
            {`Listening at ${gatewayOrigin()}`}
          </Pill>
        ) : (
          <Pill tone="err">Not connected to the gateway</Pill>
        )}
        <Link to="/ingest-log" className="text-accent text-row hover:underline">
          Open the ingest log
        </Link>
        {children}
      </div>
      <Text as="p" tone={isRejected ? 'err' : 'dim'} className="wrap-anywhere line-clamp-2">
        {last ? `${when(last.at)} ${outcome(last)}` : 'No requests yet.'}
      </Text>
      {hint && (
        <Text as="p" size="body" tone="warm">
          {hint}
        </Text>
      )}
    </div>
  );
}

const outcome = ({ path, status, code, message, spans_accepted, spans_rejected }: IngestLogEntry) =>
  status >= 400 || spans_rejected > 0
    ? `a request was rejected: ${[status, code, message].filter(Boolean).join(' ')}`
    : path.startsWith('/v1/traces')
      ? `a request was accepted, ${plural(spans_accepted, 'span')}`
      : path.startsWith('/v1/metrics')
        ? 'metrics were received'
        : `log records were received, ${spans_accepted} stored`;
