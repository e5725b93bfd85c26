import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Destination } from '../../../shared/contract/operations/destination.ts';
import { noRedaction } from '../../../shared/contract/operations/redaction.ts';
import { type DestinationSummary, summariseDestination } from '../../../shared/destination-words.ts';
import { refusalOf } from '../../api/refusal.ts';
import { count } from '../../model/text/format.ts';
import { when } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Dot } from '../../ui/primitives/pill.tsx';
import { Text, type Tone } from '../../ui/primitives/text.tsx';
import { AddressDialog } from './address-dialog.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { DestinationFacts } from './destination-facts.tsx';
import { useChangeOf, useRetry } from './forwarding-query.ts';
import { RemoveDestination } from './remove-destination.tsx';

const tones: Record<DestinationSummary['tone'], Tone> = { ok: 'ok', plain: 'quiet', warm: 'warm', err: 'err' };

const hasNoRedaction = (policy: Destination['policy']): boolean => JSON.stringify(policy) === JSON.stringify(noRedaction);

/** Card of a destination: status, actions and figures. */
export function DestinationCard({ destination }: { destination: Destination }) {
  const { name, url, automatic, is_paused, state, policy } = destination;
  const status = summariseDestination(destination, when, count);
  const change = useChangeOf(name);
  const retry = useRetry(name);
  const [dialog, openDialog] = useState<'address' | 'remove' | null>(null);
  const isStuck = state.is === 'waiting' || state.is === 'paused';
  const problem = refusalOf(change.error ?? retry.error).whole;
  return (
    <Card
      head={
        <>
          <Text as="h2" size="section" strong cut>
            {name}
          </Text>
          <Text tone="dim" cut mono title={url}>
            {url}
          </Text>
        </>
      }
    >
      <div className="grid gap-3">
        <div className="grid gap-1" role="status">
          <Text as="p" size="body" tone={tones[status.tone]} strong className="flex items-center gap-2">
            <Dot />
            {status.line}
          </Text>
          {status.help && (
            <Text as="p" tone="quiet" className="wrap-anywhere">
              {status.help}
            </Text>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {status.todo === 'key' && (
            <Button primary onClick={() => openDialog('address')}>
              Enter a new key
            </Button>
          )}
          {status.todo === 'address' && (
            <Button primary onClick={() => openDialog('address')}>
              Change address
            </Button>
          )}
          {isStuck && (
            <Button primary={status.todo === 'retry'} aria-busy={retry.isPending} onClick={() => retry.mutate(null)}>
              Try again now
            </Button>
          )}
          <Button primary={status.todo === 'resume'} aria-busy={change.isPending} onClick={() => change.mutate({ is_paused: !is_paused })}>
            {is_paused ? 'Resume' : 'Pause'}
          </Button>
          {status.todo !== 'key' && status.todo !== 'address' && <Button onClick={() => openDialog('address')}>Address and key</Button>}
          <Link
            to="/forwarding/redaction"
            search={{ name }}
            className="inline-flex h-control items-center rounded-control border border-line-2 px-2 text-fg-2 text-row hover:bg-hover hover:text-fg"
          >
            {hasNoRedaction(policy) ? 'Redaction: off' : 'Redaction: on'}
          </Link>
          <Button onClick={() => openDialog('remove')}>Remove</Button>
          {problem && (
            <Text tone="err" className="wrap-anywhere">
              {problem}
            </Text>
          )}
        </div>
        <CheckField
          label="Forward automatically"
          isOn={automatic}
          onChange={(isOn) => change.mutate({ automatic: isOn })}
          help={automatic ? 'every span, as it arrives' : 'only traces that you forward manually'}
        />
        {destination.dead_letters > 0 && <DeadLetters name={name} count={destination.dead_letters} />}
        <DestinationFacts destination={destination} />
      </div>
      {dialog === 'address' && <AddressDialog destination={destination} onClose={() => openDialog(null)} />}
      {dialog === 'remove' && <RemoveDestination destination={destination} onClose={() => openDialog(null)} />}
    </Card>
  );
}
