import { useQuery } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import { plural } from '../../model/text/format.ts';
import { when } from '../../model/time/time.ts';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { McpProgram } from './mcp-programs.ts';

/** Connecting to `/mcp` stores nothing, so no event reports it. */
const pollMs = 2_000;

/** Whether the program has connected, for the user who is configuring it. */
export function McpArrival({ program }: { program: McpProgram }) {
  const clients = useQuery({
    queryKey: ['mcp-clients'],
    queryFn: async () => (await gateway.mcp.clients()).data,
    refetchInterval: pollMs,
    staleTime: 0,
  });
  const client = clients.data?.find(({ name }) => program.isNamed(name));
  const other = clients.data?.[0];
  return (
    <div role="status" aria-label="Connection" className="grid min-h-16 content-start gap-1">
      {client ? (
        <>
          <span className="flex">
            <Pill tone="ok">
              <Dot />
              {`${program.name} is connected`}
            </Pill>
          </span>
          <Text as="p" tone="quiet">
            {`${client.name} ${client.version}, last seen ${when(client.last_seen_at)}. `}
            {client.last_tool === null
              ? 'It has not called a tool yet. Ask it: what did the last run do?'
              : `${plural(client.call_count, 'call')}, the latest of ${client.last_tool}.`}
          </Text>
        </>
      ) : (
        <>
          <span className="flex">
            <Pill>{`Waiting for ${program.name}`}</Pill>
          </span>
          <Text as="p" tone="quiet">
            {`Start ${program.name} and ask it: what did the last run do? This page shows when it connects.`}
            {other && ` Another program has connected: ${other.name} ${other.version}, ${when(other.last_seen_at)}.`}
          </Text>
        </>
      )}
    </div>
  );
}
