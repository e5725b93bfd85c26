import type { ReactNode } from 'react';
import { Unreachable } from '../api/client.ts';
import { asFailure } from '../api/failure.ts';
import { reconnect, useConnection } from '../api/gateway-live.ts';
import { isAway } from '../api/live.ts';
import { FailedState } from '../ui/primitives/failed-state.tsx';

/** Placeholder of a screen while its code is loading, or the reason why it cannot be loaded. */
export const WaitingScreen = ({ of: shape }: { of: ReactNode }) =>
  isAway(useConnection()) ? (
    <FailedState isPage failure={asFailure(new Unreachable(null), 'This screen is not loaded yet')} onRetry={reconnect} />
  ) : (
    shape
  );
