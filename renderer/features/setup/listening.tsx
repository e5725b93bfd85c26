import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gateway, gatewayOrigin } from '../../api/client.ts';
import { useConnection } from '../../api/gateway-live.ts';
import { when } from '../../model/time.ts';
import { Dot, Pill } from '../../ui/pill.tsx';
import { Text } from '../../ui/text.tsx';

/** A refused request commits nothing, so the live stream is silent about it: this is asked now and then. */
const askMs = 2000;

/** Whether anything has knocked, and why it was not let in: the answer to "no traces arrive". */
export function Listening() {
  const connection = useConnection();
  const log = useQuery({
    queryKey: ['ingest-log', 'last'],
    queryFn: async () => (await gateway.viewer.ingestLog({ query: { limit: 1 } })).data,
    refetchInterval: askMs,
  });
  const last = log.data?.[0];
  const isRefused = last !== undefined && (last.status >= 400 || last.spans_rejected > 0);
  return (
    <div role="status" className="flex min-h-row flex-wrap items-center gap-2">
      {connection.phase === 'live' ? (
        <Pill tone="ok">
          <Dot />
          {`listening at ${gatewayOrigin()}`}
        </Pill>
      ) : (
        <Pill tone="err">not connected to the gateway</Pill>
      )}
      {last ? (
        <Text tone={isRefused ? 'err' : 'dim'} className="min-w-0">
          {`${when(last.at)} ${isRefused ? `a request was refused: ${last.status} ${last.code ?? ''} ${last.message}` : `a request was accepted, ${last.spans_accepted} spans`}`}
        </Text>
      ) : (
        <Text tone="dim">No request has reached it yet.</Text>
      )}
      {last && (
        <Link to="/ingest-log" className="text-accent text-row hover:underline">
          Open the ingest log
        </Link>
      )}
    </div>
  );
}
