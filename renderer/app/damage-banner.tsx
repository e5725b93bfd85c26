import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { gateway } from '../api/client.ts';
import { damageInWords } from '../model/damage-words.ts';
import { exactly, when } from '../model/time.ts';
import { Button } from '../ui/button.tsx';
import { Text } from '../ui/text.tsx';

/** Damage is met by chance, by whoever reads; nothing announces it. */
const askEveryMs = 30_000;
const hiddenKey = 'glasshouse.hidden-damage';

/** On every page, while the gateway knows that its store is damaged: what, since when, what still works, and what to do. */
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
  // Who has the page about storage has the machine too.
  const isOurs = data.endpoints['viewer_storage'] === true;
  return (
    <section aria-label="The store is damaged" className="flex shrink-0 items-start gap-3 border-line border-b bg-err-bg px-4 py-2">
      <p role="status" className="min-w-0 flex-1">
        <Text tone="err" strong>
          The store is damaged
        </Text>{' '}
        <Text title={exactly(damaged.since)}>{`since ${when(damaged.since)}: ${damageInWords(damaged)}.`}</Text>{' '}
        <Text tone="quiet">
          Everything else can be read, and new spans are stored. What cannot be read is left out of lists, or marked.{' '}
          {isOurs ? (
            <>
              Run <code className="font-mono">glasshouse doctor</code>, which says what to do; a backup brings back what was lost.
            </>
          ) : (
            'Tell whoever looks after this gateway: a backup brings back what was lost.'
          )}
        </Text>
      </p>
      <span className="flex shrink-0 gap-2">
        {isOurs && (
          <Link
            to="/storage"
            className="inline-flex h-control items-center rounded-control border border-line-2 px-2 text-fg-2 text-row hover:bg-hover"
          >
            Details
          </Link>
        )}
        <Button onClick={hide}>Hide</Button>
      </span>
    </section>
  );
}
