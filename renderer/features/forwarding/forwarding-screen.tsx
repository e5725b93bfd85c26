import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useDestinations } from '../../api/forwarding.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { DestinationCard } from './destination-card.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { PasteKeyDialog } from './paste-key-dialog.tsx';

/** Forwarding: destinations, their states, and dead letters. */
export function ForwardingScreen() {
  const destinations = useDestinations();
  const [dialog, openDialog] = useState<'link' | 'paste' | null>(null);
  const all = destinations.data ?? [];
  const actions = (
    <>
      <Button primary={all.length === 0} onClick={() => openDialog('link')}>
        Link to a cloud
      </Button>
      <Button onClick={() => openDialog('paste')}>Paste a key</Button>
    </>
  );
  return (
    <>
      <title>Cloud · Glasshouse</title>
      <ScreenHeader title="Cloud">
        {destinations.isRefetchError && <Pill tone="err">The gateway does not respond; this page may be out of date</Pill>}
        <span className="flex-1" />
        {all.length > 0 && actions}
      </ScreenHeader>
      {destinations.isError && !destinations.data ? (
        <FailedState
          failure={asFailure(destinations.error, 'The destinations could not be loaded')}
          onRetry={() => void destinations.refetch()}
        />
      ) : !destinations.data ? (
        <SkeletonRows label="Loading destinations" />
      ) : all.length === 0 ? (
        <EmptyState title="Nothing leaves this machine" action={actions}>
          Your team sees your traces when you forward them to a Glasshouse cloud: all that arrive, or only those that you choose. Nothing is
          sent until you turn it on, and you can stop at any time.
        </EmptyState>
      ) : (
        <PageBody label="Destinations">
          {all.map((destination) => (
            <DestinationCard key={destination.name} destination={destination} />
          ))}
          <Text as="p" tone="dim">
            Forwarded traces also stay on this machine. Data waiting to be sent is never removed to free space.{' '}
            <Link to="/storage">Storage</Link>
          </Text>
        </PageBody>
      )}
      {dialog === 'link' && <LinkDialog onClose={() => openDialog(null)} />}
      {dialog === 'paste' && <PasteKeyDialog taken={all.map(({ name }) => name)} onClose={() => openDialog(null)} />}
    </>
  );
}
