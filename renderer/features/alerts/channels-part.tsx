import { useState } from 'react';
import type { AlertChannel } from '../../../shared/contract/operations/alert-channels.ts';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { ChannelForm } from './channel-form.tsx';
import { channelKinds } from './channel-words.ts';
import { useAlertChannels, useRemoveChannel, useTestChannel } from './channels-query.ts';
import { TestOutcome } from './test-outcome.tsx';

type Opened = { form: AlertChannel | null } | { removed: AlertChannel } | null;

/** Channels of the app that each alert can choose from. */
export function ChannelsPart() {
  const channels = useAlertChannels();
  const mayChange = useMay()('alert.write');
  const [opened, open] = useState<Opened>(null);
  const close = () => open(null);
  const { data } = channels;
  return (
    <section className="grid gap-2">
      <span className="flex items-center gap-2">
        <Text as="h2" size="section" strong>
          Channels
        </Text>
        {mayChange && data && <Button onClick={() => open({ form: null })}>Add channel</Button>}
      </span>
      <Text as="p" tone="dim">
        Each alert chooses its channels, several if need be: webhooks, Slack, Microsoft Teams, PagerDuty
        {data?.kinds.includes('email') ? ' and e-mail' : ''}. Addresses and keys are not shown again.
      </Text>
      {data ? (
        <ul aria-label="Channels" className="grid">
          {data.channels.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              mayChange={mayChange}
              onEdit={() => open({ form: channel })}
              onRemove={() => open({ removed: channel })}
            />
          ))}
          {data.channels.length === 0 && (
            <li>
              <Text tone="quiet">No channels yet.</Text>
            </li>
          )}
        </ul>
      ) : channels.isError ? (
        <FailedState failure={asFailure(channels.error, 'The channels could not be loaded')} onRetry={() => void channels.refetch()} />
      ) : (
        <SkeletonRows rows={2} label="Loading the channels" />
      )}
      {data && opened && 'form' in opened && <ChannelForm channel={opened.form} kinds={data.kinds} onClose={close} />}
      {opened && 'removed' in opened && <RemoveDialog channel={opened.removed} onClose={close} />}
    </section>
  );
}

interface ChannelRowProps {
  channel: AlertChannel;
  mayChange: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function ChannelRow({ channel: { id, name, kind, shown }, mayChange, onEdit, onRemove }: ChannelRowProps) {
  const test = useTestChannel(id);
  const problem = restOf(refusalOf(test.error), []);
  return (
    <li className="grid gap-1 border-line border-t py-2">
      <span className="flex flex-wrap items-center gap-2">
        <span className="grid min-w-0 flex-1">
          <span className="truncate text-fg text-row" title={name}>
            {name}
          </span>
          <Text tone="dim" cut title={shown}>
            {[channelKinds[kind].label, shown].filter(Boolean).join(' · ')}
          </Text>
        </span>
        {mayChange && (
          <>
            <Button disabled={test.isPending} aria-label={`Send test to ${name}`} onClick={() => test.mutate()}>
              Send test
            </Button>
            <Button aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </Button>
            <Button aria-label={`Delete ${name}`} onClick={onRemove}>
              Delete
            </Button>
          </>
        )}
      </span>
      {test.data && <TestOutcome result={test.data} />}
      {problem && (
        <p role="alert" className="text-err text-row">
          {problem}
        </p>
      )}
    </li>
  );
}

function RemoveDialog({ channel: { id, name }, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const remove = useRemoveChannel();
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      action="Delete channel"
      isBusy={remove.isPending}
      problem={restOf(refusalOf(remove.error), [])}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Alerts no longer notify it, and what is on its way to it is not sent.</p>
    </ConfirmDialog>
  );
}
