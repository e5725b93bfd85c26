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
  const [asked, ask] = useState<'link' | 'paste' | null>(null);
  const all = destinations.data ?? [];
  const begin = (
    <>
      <Button primary={all.length === 0} onClick={() => ask('link')}>
        Link to a cloud
      </Button>
      <Button onClick={() => ask('paste')}>Paste a key</Button>
    </>
  );
  return (
    <>
      <title>Cloud · Glasshouse</title>
      <ScreenHeader title="Cloud">
        {destinations.isRefetchError && <Pill tone="err">the gateway does not answer now; this is how it stood before</Pill>}
        <span className="flex-1" />
        {all.length > 0 && begin}
      </ScreenHeader>
      {destinations.isError && !destinations.data ? (
        <FailedState
          failure={asFailure(destinations.error, 'The destinations could not be listed')}
          onRetry={() => void destinations.refetch()}
        />
      ) : !destinations.data ? (
        <SkeletonRows label="Loading destinations" />
      ) : all.length === 0 ? (
        <EmptyState title="Nothing leaves this machine" action={begin}>
          Traces stay in the folder of this gateway. You can have them forwarded to a Glasshouse cloud, so that your team sees them: all
          that come in, or only those that you choose. Nothing is sent until you turn it on, and you can stop at any time.
        </EmptyState>
      ) : (
        <PageBody label="Destinations">
          {all.map((destination) => (
            <DestinationCard key={destination.name} destination={destination} />
          ))}
          <Text as="p" tone="dim">
            Traces stay here whatever becomes of them there. What waits is never removed to make room. <Link to="/storage">Storage</Link>
          </Text>
        </PageBody>
      )}
      {asked === 'link' && <LinkDialog onClose={() => ask(null)} />}
      {asked === 'paste' && <PasteKeyDialog taken={all.map(({ name }) => name)} onClose={() => ask(null)} />}
    </>
  );
}
