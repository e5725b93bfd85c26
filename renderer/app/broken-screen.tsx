import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { isCodeMissing, reloadPage } from '../api/code.ts';
import { asFailure } from '../api/failure.ts';
import { useReconnected } from '../api/gateway-live.ts';
import { Button } from '../ui/primitives/button.tsx';
import { EmptyState } from '../ui/primitives/empty-state.tsx';
import { FailedState } from '../ui/primitives/failed-state.tsx';

/** Shows an error in rendering a screen on that screen. It is rendered again on request, or when the gateway returns. */
export function BrokenScreen({ error, reset }: { error: unknown; reset: () => void }) {
  const retry = useCallback(() => (isCodeMissing(error) ? void reloadPage() : reset()), [error, reset]);
  useReconnected(retry);
  return <FailedState isPage failure={asFailure(error, 'This screen could not be shown')} onRetry={retry} />;
}

export const UnknownScreen = () => (
  <EmptyState
    isPage
    title="Page not found"
    action={
      <Link to="/traces">
        <Button>Go to the traces</Button>
      </Link>
    }
  >
    This version has no page at this address.
  </EmptyState>
);
