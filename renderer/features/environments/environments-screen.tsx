import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { type Column, DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type Environment, useAddEnvironment, useEnvironments } from './environments-query.ts';
import { commitInWords, versionInWords } from './words.ts';

/** Environments of the app. The default one follows its branch; versions are promoted to the others. */
export function EnvironmentsScreen() {
  const navigate = useNavigate();
  const environments = useEnvironments();
  const mayAdd = useMay()('environment.write');
  const [isAdding, setAdding] = useState(false);
  const open = ({ id: environmentId }: { id: string }) =>
    void navigate({ to: '/settings/environments/$environmentId', params: { environmentId } });
  return (
    <>
      <title>Environments · Glasshouse</title>
      <ScreenHeader title="Environments">
        <span className="ml-auto flex items-center gap-3">
          {environments.data && <Text tone="dim">{plural(environments.data.length, 'environment')}</Text>}
          {mayAdd && <Button onClick={() => setAdding(true)}>New environment</Button>}
        </span>
      </ScreenHeader>
      {environments.isError && !environments.data ? (
        <FailedState
          failure={asFailure(environments.error, 'The environments could not be loaded')}
          onRetry={() => void environments.refetch()}
        />
      ) : (
        <DataList label="Environments" columns={columns} rows={environments.data ?? []} onOpen={open} listKey="">
          <SkeletonRows label="Loading environments" />
        </DataList>
      )}
      {isAdding && <EnvironmentForm onClose={() => setAdding(false)} onAdded={open} />}
    </>
  );
}

function EnvironmentForm({ onClose, onAdded }: { onClose: () => void; onAdded: (environment: Environment) => void }) {
  const add = useAddEnvironment();
  const [name, setName] = useState('');
  const refusal = refusalOf(add.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') add.mutate(name.trim(), { onSuccess: onAdded });
  };
  return (
    <Dialog title="New environment" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Name"
          autoFocus
          value={name}
          placeholder="staging"
          problem={refusal.fields.name}
          help="It starts empty: promote a version to it, and create API keys for it."
          onChange={(event) => setName(event.target.value)}
        />
        <FormFoot problem={restOf(refusal, ['name'])}>
          <Button submit primary disabled={name.trim() === '' || add.isPending}>
            Create environment
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

const columns: Column<Environment>[] = [
  {
    id: 'name',
    head: 'Environment',
    width: 'minmax(0, 1fr)',
    cell: ({ id, name, is_default }) => (
      <span className="flex items-center gap-2">
        <Link
          to="/settings/environments/$environmentId"
          params={{ environmentId: id }}
          className="truncate text-fg text-row after:absolute after:inset-0"
          title={name}
        >
          {name}
        </Link>
        {is_default && <Pill>Default</Pill>}
      </span>
    ),
  },
  { id: 'kind', head: 'Kind', width: 'var(--width-when)', wideOnly: true, cell: ({ kind }) => <Text tone="quiet">{kind}</Text> },
  {
    id: 'version',
    head: 'Version',
    width: 'var(--width-name)',
    cell: (environment) => <Text tone="quiet">{versionInWords(environment)}</Text>,
  },
  {
    id: 'commit',
    head: 'Commit',
    width: 'var(--width-total)',
    cell: ({ current_commit_sha: sha }) => (
      <Text mono tone="dim" title={sha ?? 'No deployments yet'}>
        {commitInWords(sha)}
      </Text>
    ),
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];
