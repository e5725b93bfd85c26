import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { Destination } from '../../../../shared/contract/operations/destination.ts';
import { gateway } from '../../../api/client.ts';
import { asFailure } from '../../../api/failure.ts';
import { traceForwardingKey, useKnownDestinations, useTraceForwarding } from '../../../api/forwarding.ts';
import { type CloudPage, cloudPageOf, forwardingText } from '../../../model/trace/trace-forwarding.ts';
import { Action, ActionMenu } from '../../../ui/overlays/action-menu.tsx';
import { copyText } from '../../../ui/primitives/copy-button.tsx';
import { webAddress } from '../../../ui/primitives/external-link.tsx';
import { ForwardMark } from '../../../ui/primitives/forward-mark.tsx';
import { Text } from '../../../ui/primitives/text.tsx';

const copiedMs = 3_000;
const copyLabel = 'Copy link for the team';

/** Forwarding status of the trace, with a menu to open it in the cloud and to forward it by hand. Renders nothing without destinations. */
export function ForwardMenu({ traceId }: { traceId: string }) {
  const destinations = useKnownDestinations();
  const found = useTraceForwarding(traceId);
  const queries = useQueryClient();
  const [copied, setCopied] = useState('');
  const forward = useMutation({
    networkMode: 'always',
    mutationFn: (name: string) => gateway.forwarding.traces({ params: { name }, body: { trace_ids: [traceId] } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...traceForwardingKey, traceId] }),
  });
  if (!found || destinations.length === 0) return null;
  const copy = async (url: string) => {
    setCopied((await copyText(() => url)) ? 'Link copied' : 'The browser refused to copy the link');
    setTimeout(() => setCopied(''), copiedMs);
  };
  const status = forwardingText(found);
  return (
    <>
      {forward.isError && (
        <Text tone="err" cut className="max-split:hidden">
          {asFailure(forward.error, 'The trace could not be forwarded').why}
        </Text>
      )}
      {copied && (
        <Text tone="dim" cut className="max-split:hidden">
          <span role="status">{copied}</span>
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
        {destinations.map((destination) => {
          const { name, url } = destination;
          const state = found.destinations.find((at) => at.name === name);
          return (
            <Fragment key={name}>
              {state && (
                <CloudActions
                  label={destinations.length === 1 ? 'Open in the cloud' : `Open in ${name}`}
                  destination={destination}
                  page={cloudPageOf(traceId, destination, state)}
                  onCopy={(link) => void copy(link)}
                />
              )}
              <Action label={`Forward to ${name}`} about={`the whole trace, to ${url}`} onSelect={() => forward.mutate(name)} />
            </Fragment>
          );
        })}
      </ActionMenu>
    </>
  );
}

interface CloudActionsProps {
  label: string;
  destination: Destination;
  page: CloudPage;
  onCopy: (link: string) => void;
}

/** Opens the trace in the cloud, or copies its link there, where it is. */
function CloudActions({ label, destination: { app_name, environment }, page, onCopy }: CloudActionsProps) {
  const url = 'url' in page ? webAddress(page.url) : null;
  if (!url) {
    const whyNot = 'whyNot' in page ? page.whyNot : 'The address is not valid';
    return [label, copyLabel].map((name) => <Action key={name} label={name} about={whyNot} isDisabled />);
  }
  const place = [app_name, environment].filter(Boolean).join(' / ') || url.host;
  return (
    <>
      <Action label={label} about={place} onSelect={() => void window.open(url.href, '_blank', 'noopener,noreferrer')} />
      <Action label={copyLabel} about={url.host} onSelect={() => onCopy(url.href)} />
    </>
  );
}
