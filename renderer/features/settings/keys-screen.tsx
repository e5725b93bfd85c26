import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { when } from '../../model/time/time.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { keyColumns } from './key-columns.tsx';
import { KeyForm } from './key-form.tsx';
import { type ApiKey, type MadeKey, useEnvironmentNames, useKeys, useRevokeKey } from './keys-query.ts';
import { MadeKeyDialog } from './made-key.tsx';

const route = getRouteApi('/settings/keys');

/** The keys of the app: who may send to it and read from it without a login. */
export function KeysScreen() {
  const { environment } = route.useSearch();
  const keys = useKeys();
  const environments = useEnvironmentNames().data ?? [];
  const may = useMay();
  const [isMaking, setMaking] = useState(environment !== undefined);
  const [made, setMade] = useState<MadeKey | null>(null);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const nameOf = (id: string | null) => environments.find((each) => each.id === id)?.name;
  const make = may('api_key.insert') && <Button onClick={() => setMaking(true)}>New key</Button>;
  const columns = keyColumns(nameOf, may('api_key.delete') ? setLeaving : null);
  return (
    <>
      <title>API keys · Glasshouse</title>
      <ScreenHeader title="API keys">
        <span className="ml-auto flex items-center gap-3">
          {keys.data && <Text tone="dim">{plural(keys.data.length, 'key')}</Text>}
          {make}
        </span>
      </ScreenHeader>
      {keys.isError && !keys.data ? (
        <FailedState failure={asFailure(keys.error, 'The keys could not be listed')} onRetry={() => void keys.refetch()} />
      ) : (
        <DataList label="API keys" columns={columns} rows={keys.data ?? []} onOpen={() => {}} listKey="">
          {keys.data ? (
            <EmptyState title="No key yet" action={make}>
              A program sends its traces with a key, which says which app they belong to and which environment they come from.
            </EmptyState>
          ) : (
            <SkeletonRows label="Loading keys" />
          )}
        </DataList>
      )}
      {isMaking && (
        <KeyForm
          environment={environment}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
          }}
        />
      )}
      {made && <MadeKeyDialog made={made} onClose={() => setMade(null)} />}
      {leaving && <RevokeDialog apiKey={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey();
  const { name, key_prefix, last_used_at } = apiKey;
  return (
    <ConfirmDialog
      title={`Revoke ${name}`}
      action="Revoke the key"
      isBusy={revoke.isPending}
      problem={restOf(refusalOf(revoke.error), [])}
      onConfirm={() => revoke.mutate(apiKey.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Whatever uses <span className="font-mono">{key_prefix}…</span> is refused from then on, and it cannot be brought back. It was{' '}
        {last_used_at ? `last used ${when(last_used_at)}.` : 'never used.'}
      </p>
    </ConfirmDialog>
  );
}
