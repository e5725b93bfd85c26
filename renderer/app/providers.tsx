import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { listenToGateway } from '../api/gateway-live.ts';
import { markStale, queries } from '../api/queries.ts';
import { KeysProvider } from '../ui/primitives/keys.tsx';
import { DropLayer } from './drop-layer.tsx';
import { Gate } from './gate.tsx';
import { router } from './router.tsx';

listenToGateway(markStale);

const goTo = (traceId: string | null) =>
  void (traceId === null ? router.navigate({ to: '/traces' }) : router.navigate({ to: '/traces/$traceId', params: { traceId } }));

export const Providers = () => (
  <QueryClientProvider client={queries}>
    <KeysProvider>
      <Gate>
        <RouterProvider router={router} />
        <DropLayer goTo={goTo} />
      </Gate>
    </KeysProvider>
  </QueryClientProvider>
);
