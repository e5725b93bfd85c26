import type { ReactNode } from 'react';
import { Unreachable } from '../api/client.ts';
import { asFailure } from '../api/failure.ts';
import { reconnect, useConnection } from '../api/gateway-live.ts';
import { isAway } from '../api/live.ts';
import { FailedState } from '../ui/failed-state.tsx';

/** Where a screen will stand once its code has come: as it will look, or why it is not there. It comes by itself. */
export const WaitingScreen = ({ of: shape }: { of: ReactNode }) =>
  isAway(useConnection()) ? (
    <FailedState failure={asFailure(new Unreachable(null), 'This screen is not here yet')} onRetry={reconnect} />
  ) : (
    shape
  );
