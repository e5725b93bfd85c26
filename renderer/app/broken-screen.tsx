import { Link } from '@tanstack/react-router';
import { asFailure } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FailedState } from '../ui/failed-state.tsx';

/** A mistake of ours in drawing a screen stays on that screen. */
export const BrokenScreen = ({ error, reset }: { error: unknown; reset: () => void }) => (
  <FailedState failure={asFailure(error, 'This screen could not be drawn')} onRetry={reset} />
);

export const UnknownScreen = () => (
  <EmptyState
    title="There is no such page"
    action={
      <Link to="/traces">
        <Button>Go to the traces</Button>
      </Link>
    }
  >
    The address names no screen of this version.
  </EmptyState>
);
