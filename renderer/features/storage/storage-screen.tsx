import type { ReactNode } from 'react';
import type { Storage } from '../../../shared/contract/viewer/viewer-storage.ts';
import { asFailure } from '../../api/failure.ts';
import { useFollow } from '../../api/queries.ts';
import { bytes, count, percent, plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CompactPart } from './compact-part.tsx';
import { DamagePart } from './damage-part.tsx';
import { KeepForm } from './keep-form.tsx';
import { storageKey, useStorage } from './storage-query.ts';

const always = () => true;
/** Below this a gateway will soon reject ingest. */
const lowBytes = 1e9;

export function StorageScreen() {
  useFollow(storageKey, always);
  const storage = useStorage();
  return (
    <>
      <title>Storage · Glasshouse</title>
      <ScreenHeader title="Storage">{storage.data && <Health storage={storage.data} isOld={storage.isRefetchError} />}</ScreenHeader>
      {storage.data ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section aria-label="Stored data" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto grid max-w-measure gap-6 p-4">
            {storage.data.damage && <DamagePart damage={storage.data.damage} folder={storage.data.folder} />}
            <Facts storage={storage.data} />
            <KeepForm retention={storage.data.retention} />
            <CompactPart storage={storage.data} />
            <Quarantined stores={storage.data.quarantined} />
          </div>
        </section>
      ) : storage.isError ? (
        <FailedState failure={asFailure(storage.error, 'The store could not be loaded')} onRetry={() => void storage.refetch()} />
      ) : (
        <SkeletonRows label="Loading storage" />
      )}
    </>
  );
}

function Health({ storage, isOld }: { storage: Storage; isOld: boolean }) {
  if (isOld) return <Pill tone="err">The store does not respond; these figures may be out of date</Pill>;
  if (storage.damage)
    return (
      <Pill tone="err">
        <Dot />
        The store is damaged
      </Pill>
    );
  if (storage.disk_free_bytes < lowBytes)
    return (
      <Pill tone="warm">
        <Dot />
        Low disk space: free some before the gateway has to reject data
      </Pill>
    );
  return (
    <Pill tone="ok">
      <Dot />
      The store is available
    </Pill>
  );
}

const Row = ({ name, value, about }: { name: string; value: ReactNode; about?: string | undefined }) => (
  <div className="grid grid-cols-[var(--spacing-side)_var(--width-name)_minmax(0,1fr)] items-baseline gap-3 border-line border-b py-1.5">
    <dt className="text-fg-2 text-row">{name}</dt>
    <dd className="num">{value}</dd>
    <dd className="text-fg-3 text-row">{about}</dd>
  </div>
);

function Facts({ storage }: { storage: Storage }) {
  const { database_bytes, log_bytes, reusable_bytes, spans, oldest, newest } = storage;
  const perSpan = spans > 0 ? `${bytes(Math.round(database_bytes / spans))} per span` : undefined;
  return (
    <>
      <section className="grid gap-1">
        <Text as="h2" size="section" strong>
          Location
        </Text>
        <p className="flex items-center gap-2">
          <Text mono className="wrap-anywhere">
            {storage.folder}
          </Text>
          <CopyIcon text={() => storage.folder} label="Copy folder path" />
        </p>
        <Text as="p" tone="dim">
          All data is in this folder on this machine, and is kept as long as the retention below says.
        </Text>
      </section>
      <dl aria-label="Size">
        <Row name="Database" value={bytes(database_bytes)} about={perSpan} />
        <Row name="Write-ahead log" value={bytes(log_bytes)} about="checkpointed automatically when the gateway is idle" />
        <Row
          name="Reusable space"
          value={bytes(reusable_bytes)}
          about={`${percent(database_bytes > 0 ? reusable_bytes / database_bytes : 0)} of the database, reused before it grows`}
        />
        <Row name="Free disk space" value={bytes(storage.disk_free_bytes)} />
      </dl>
      <dl aria-label="Contents">
        <Row name="Traces" value={count(storage.traces)} />
        <Row name="Spans" value={count(spans)} />
        <Row name="Sessions" value={count(storage.sessions)} />
        <Row name="Scores" value={count(storage.scores)} />
        <Row name="Oldest trace" value={oldest ? when(oldest) : '—'} about={oldest ? exactly(oldest) : 'no traces yet'} />
        <Row name="Newest trace" value={newest ? when(newest) : '—'} about={newest ? exactly(newest) : undefined} />
      </dl>
    </>
  );
}

function Quarantined({ stores }: { stores: Storage['quarantined'] }) {
  return (
    <section aria-label="Quarantine" className="grid gap-2">
      <Text as="h2" size="section" strong>
        Quarantine
      </Text>
      {stores.length === 0 ? (
        <Text as="p" tone="dim">
          Nothing is in quarantine. A store that cannot be opened is moved here as a whole, and a damaged log is copied here before it is
          changed. Nothing is deleted.
        </Text>
      ) : (
        <>
          <Text
            as="p"
            tone="warm"
          >{`${plural(stores.length, 'damaged store')} moved here as a whole, or copied before the log was cut off. Nothing was deleted.`}</Text>
          <ul className="grid gap-2">
            {stores.map(({ folder, at, bytes: size, reason }) => (
              <li key={folder} className="grid gap-0.5 border-warm border-l-2 pl-3">
                <Text>{`${at ? exactly(at) : 'at an unknown time'}, ${bytes(size)}`}</Text>
                <Text tone="quiet">{reason || 'Reason unknown.'}</Text>
                <span className="flex items-center gap-2">
                  <Text mono tone="dim" className="wrap-anywhere">
                    {folder}
                  </Text>
                  <CopyIcon text={() => folder} label="Copy folder path" />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
