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
import { CreatedKeyDialog } from './created-key.tsx';
import { keyColumns } from './key-columns.tsx';
import { KeyForm } from './key-form.tsx';
import { type ApiKey, type CreatedKey, useEnvironmentNames, useKeys, useRevokeKey } from './keys-query.ts';

const route = getRouteApi('/settings/keys');

/** API keys of the app, which give programs access to it. */
export function KeysScreen() {
  const { environment, form } = route.useSearch();
  const keys = useKeys();
  const environments = useEnvironmentNames().data ?? [];
  const may = useMay();
  const [isCreating, setCreating] = useState(form === 'new');
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const nameOf = (id: string | null) => environments.find((environment) => environment.id === id)?.name;
  const newKey = may('api_key.insert') && <Button onClick={() => setCreating(true)}>New key</Button>;
  const columns = keyColumns(nameOf, may('api_key.delete') ? setRevoking : null);
  return (
    <>
      <title>API keys · Glasshouse</title>
      <ScreenHeader title="API keys">
        <span className="ml-auto flex items-center gap-3">
          {keys.data && <Text tone="dim">{plural(keys.data.length, 'key')}</Text>}
          {newKey}
        </span>
      </ScreenHeader>
      {keys.isError && !keys.data ? (
        <FailedState failure={asFailure(keys.error, 'The keys could not be loaded')} onRetry={() => void keys.refetch()} />
      ) : (
        <DataList label="API keys" columns={columns} rows={keys.data ?? []} onOpen={() => {}} listKey="">
          {keys.data ? (
            <EmptyState title="No API keys yet" action={newKey}>
              A key lets a program send and read data of this app. It also determines the environment of what the program sends.
            </EmptyState>
          ) : (
            <SkeletonRows label="Loading keys" />
          )}
        </DataList>
      )}
      {isCreating && (
        <KeyForm
          environment={environment}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
          }}
        />
      )}
      {created && <CreatedKeyDialog created={created} onClose={() => setCreated(null)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey();
  const { name, key_prefix, last_used_at } = apiKey;
  return (
    <ConfirmDialog
      title={`Revoke ${name}`}
      action="Revoke key"
      isBusy={revoke.isPending}
      problem={restOf(refusalOf(revoke.error), [])}
      onConfirm={() => revoke.mutate(apiKey.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Requests with <span className="font-mono">{key_prefix}…</span> are rejected from then on. This cannot be undone. The key was{' '}
        {last_used_at ? `last used ${when(last_used_at)}.` : 'never used.'}
      </p>
    </ConfirmDialog>
  );
}
