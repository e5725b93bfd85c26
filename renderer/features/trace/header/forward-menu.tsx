import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../../api/client.ts';
import { asFailure } from '../../../api/failure.ts';
import { traceForwardingKey, useKnownDestinations, useTraceForwarding } from '../../../api/forwarding.ts';
import { forwardingText } from '../../../model/trace/trace-forwarding.ts';
import { Action, ActionMenu } from '../../../ui/overlays/action-menu.tsx';
import { ForwardMark } from '../../../ui/primitives/forward-mark.tsx';
import { Text } from '../../../ui/primitives/text.tsx';

/** Forwarding status of the trace, with a menu to forward it by hand. Renders nothing without destinations. */
export function ForwardMenu({ traceId }: { traceId: string }) {
  const destinations = useKnownDestinations();
  const found = useTraceForwarding(traceId);
  const queries = useQueryClient();
  const forward = useMutation({
    networkMode: 'always',
    mutationFn: (name: string) => gateway.forwarding.traces({ params: { name }, body: { trace_ids: [traceId] } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...traceForwardingKey, traceId] }),
  });
  if (!found || destinations.length === 0) return null;
  const status = forwardingText(found);
  return (
    <>
      {forward.isError && (
        <Text tone="err" cut className="max-split:hidden">
          {asFailure(forward.error, 'The trace could not be forwarded').why}
        </Text>
      )}
      <ActionMenu
        label="Forward this trace"
        trigger={
          <button
            type="button"
            aria-label={`Forward this trace. ${status}`}
            title={status}
            className="inline-grid size-control shrink-0 place-items-center rounded-control hover:bg-hover"
          >
            <ForwardMark forwarding={found} />
          </button>
        }
      >
        {destinations.map(({ name, url }) => (
          <Action key={name} label={name} about={`forward the whole trace to ${url}`} onSelect={() => forward.mutate(name)} />
        ))}
      </ActionMenu>
    </>
  );
}
