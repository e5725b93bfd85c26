import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { isCodeMissing, loadPageAnew } from '../api/code.ts';
import { asFailure } from '../api/failure.ts';
import { useReturn } from '../api/gateway-live.ts';
import { Button } from '../ui/primitives/button.tsx';
import { EmptyState } from '../ui/primitives/empty-state.tsx';
import { FailedState } from '../ui/primitives/failed-state.tsx';

/** Shows an error in rendering a screen on that screen. It is rendered again on request, or when the gateway returns. */
export function BrokenScreen({ error, reset }: { error: unknown; reset: () => void }) {
  const again = useCallback(() => (isCodeMissing(error) ? void loadPageAnew() : reset()), [error, reset]);
  useReturn(again);
  return <FailedState failure={asFailure(error, 'This screen could not be drawn')} onRetry={again} />;
}

export const UnknownScreen = () => (
  <EmptyState
    title="Page not found"
    action={
      <Link to="/traces">
        <Button>Go to the traces</Button>
      </Link>
    }
  >
    The address names no screen of this version.
  </EmptyState>
);
