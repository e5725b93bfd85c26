import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { plural } from '../../model/text/format.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { AppendDialog } from './append-dialog.tsx';
import { datasetColumns } from './columns.tsx';
import { DatasetPage } from './dataset-page.tsx';
import { useDatasets } from './datasets-query.ts';
import { ImportPage } from './import-page.tsx';

const route = getRouteApi('/datasets');

export function DatasetsScreen() {
  const view = route.useSearch();
  const { name, from } = view;
  if (name === undefined) return <DatasetList />;
  return from ? <ImportPage name={name} from={from} /> : <DatasetPage view={view} name={name} />;
}

function DatasetList() {
  const navigate = useNavigate();
  const datasets = useDatasets();
  const [isAdding, setAdding] = useState(false);
  const open = (name: string) => void navigate({ to: '/datasets', search: { name } });
  const whyNot = useWhyNot()('dataset.write');
  const add = (
    <Button whyNot={whyNot} onClick={() => setAdding(true)}>
      New dataset
    </Button>
  );
  return (
    <>
      <title>Datasets · Glasshouse</title>
      <ScreenHeader title="Datasets">
        <span className="ml-auto flex items-center gap-3">
          {datasets.data && <Text tone="dim">{plural(datasets.data.total, 'dataset')}</Text>}
          {add}
        </span>
      </ScreenHeader>
      {datasets.isError && !datasets.data ? (
        <FailedState failure={asFailure(datasets.error, 'The datasets could not be loaded')} onRetry={() => void datasets.refetch()} />
      ) : (
        <DataList label="Datasets" columns={datasetColumns} rows={datasets.data?.rows ?? []} onOpen={({ name }) => open(name)} listKey="">
          {datasets.data ? (
            <EmptyState title="No datasets yet" action={add}>
              A dataset is a list of examples to test with: a .jsonl file in the <code className="font-mono">agentmark/</code> folder of
              your project. Create one here or from traces, or put a file there.
            </EmptyState>
          ) : (
            <SkeletonRows label="Loading datasets" />
          )}
        </DataList>
      )}
      {isAdding && <AppendDialog onClose={() => setAdding(false)} onAdded={open} />}
    </>
  );
}
