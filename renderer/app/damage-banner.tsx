import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { gateway } from '../api/client.ts';
import { lazyComponent } from '../api/lazy-component.tsx';

/** Reads find damage by chance, and no event reports it. */
const pollMs = 30_000;
const hiddenKey = 'glasshouse.hidden-damage';

/** Most stores are never damaged, so the notice is not in the main bundle. */
const DamageNotice = lazyComponent(async () => (await import('./damage-notice.tsx')).DamageNotice);

/** On every page, while the gateway knows that its store is damaged, until it is hidden for the session. */
export function DamageBanner() {
  const { data } = useQuery({
    queryKey: ['damage'],
    queryFn: () => gateway.platform.capabilities(),
    refetchInterval: pollMs,
  });
  const [hidden, setHidden] = useState(() => sessionStorage.getItem(hiddenKey));
  const damaged = data?.damaged;
  if (!damaged || hidden === damaged.since) return null;
  const hide = () => {
    sessionStorage.setItem(hiddenKey, damaged.since);
    setHidden(damaged.since);
  };
  return (
    <Suspense fallback={null}>
      {/* A reader with the storage page also has access to the machine. */}
      <DamageNotice damaged={damaged} isOperator={data.endpoints['viewer_storage'] === true} onHide={hide} />
    </Suspense>
  );
}
