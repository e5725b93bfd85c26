import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { gateway } from '../api/client.ts';
import { lazyComponent } from '../api/lazy-component.tsx';

/** Damage is found by chance during reads, without an event. */
const askEveryMs = 30_000;
const hiddenKey = 'glasshouse.hidden-damage';

/** Most stores are never damaged, so the notice is not in the main bundle. */
const DamageNotice = lazyComponent(async () => (await import('./damage-notice.tsx')).DamageNotice);

/** On every page, while the gateway knows that its store is damaged, until it is hidden for the session. */
export function DamageBanner() {
  const { data } = useQuery({
    queryKey: ['damage'],
    queryFn: () => gateway.platform.capabilities(),
    refetchInterval: askEveryMs,
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
      {/* Who has the page about storage has the machine too. */}
      <DamageNotice damaged={damaged} isOurs={data.endpoints['viewer_storage'] === true} onHide={hide} />
    </Suspense>
  );
}
