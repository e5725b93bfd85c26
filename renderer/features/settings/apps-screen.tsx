import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { gateway } from '../../api/client.ts';
import { type Me, useAppId, useMay, useMe } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { enterApp, refreshIdentity } from '../../api/sign-in.ts';
import { exactly, when } from '../../model/time/time.ts';
import { actionsHead, type Column, DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';

type App = Me['apps'][number];

/** Apps of the team. Each has its own traces, keys and environments. */
export function AppsScreen() {
  const me = useMe();
  const appId = useAppId();
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<App | null>(null);
  const apps = me?.apps ?? [];
  const columns = appColumns(appId, may('app.delete') ? setDeleting : null);
  return (
    <>
      <title>Apps · Glasshouse</title>
      <ScreenHeader title="Apps">
        <span className="ml-auto">{may('app.write') && <Button onClick={() => setCreating(true)}>New app</Button>}</span>
      </ScreenHeader>
      <DataList label="Apps" columns={columns} rows={apps} onOpen={({ id }) => id !== appId && enterApp(id)} listKey="" />
      {isCreating && <AppForm onClose={() => setCreating(false)} />}
      {deleting && <DeleteDialog app={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function AppForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const create = useMutation({
    networkMode: 'always',
    mutationFn: async () => enterApp((await gateway.apps.create({ body: { name: name.trim() } })).data.id),
  });
  const refusal = refusalOf(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate();
  };
  return (
    <Dialog title="New app" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Name"
          autoFocus
          value={name}
          placeholder="support-bot"
          problem={refusal.fields.name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormFoot problem={restOf(refusal, ['name'])}>
          <Button submit primary disabled={name.trim() === '' || create.isPending}>
            Create app
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      await gateway.apps.remove({ params: { appId: app.id } });
      await refreshIdentity();
    },
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={`Delete ${app.name}`}
      action="Delete app"
      isBusy={remove.isPending}
      isBlocked={typed !== app.name}
      problem={restOf(refusalOf(remove.error), [])}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>Its keys stop working at once, and its environments, deployments, alerts and queues are deleted with it. This cannot be undone.</p>
      <Field label={`Type ${app.name} to confirm`} value={typed} onChange={(event) => setTyped(event.target.value)} />
    </ConfirmDialog>
  );
}

const appColumns = (here: string | null, remove: ((app: App) => void) | null): Column<App>[] => [
  {
    id: 'name',
    head: 'App',
    width: 'minmax(0, 1fr)',
    cell: ({ id, name, display_name }) => (
      <span className="flex items-baseline gap-2">
        <Text cut title={name}>
          {display_name || name}
        </Text>
        {id === here && <Text tone="dim">current</Text>}
      </span>
    ),
  },
  {
    id: 'id',
    head: 'ID, for the app header',
    width: 'minmax(0, 1fr)',
    cell: ({ id, name }) => (
      <span className="flex items-center gap-1">
        <Text mono tone="dim" cut title={id}>
          {id}
        </Text>
        <CopyIcon text={() => id} label={`Copy ID of ${name}`} />
      </span>
    ),
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={created_at && when(created_at)} title={created_at ? exactly(created_at) : undefined} />,
  },
  {
    id: 'go',
    ...actionsHead,
    width: 'var(--width-name)',
    end: true,
    cell: (app) => (
      <span className="flex justify-end gap-2">
        {app.id !== here && (
          <RowAction onClick={() => enterApp(app.id)} label={`Switch to ${app.name}`}>
            Switch to
          </RowAction>
        )}
        {remove && (
          <RowAction onClick={() => remove(app)} label={`Delete ${app.name}`}>
            Delete
          </RowAction>
        )}
      </span>
    ),
  },
];
