import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Score } from '../../../shared/contract/evaluation/scores.ts';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { scoreColumns } from './columns.tsx';
import { Distribution } from './distribution.tsx';
import { ScoreDialog } from './score-dialog.tsx';
import { locateResource, useScoreNames, useScores } from './scores-query.ts';
import { readScoresUrl, type ScoresView, scorePageSize, scoreSources, sourceLabels } from './url.ts';

const route = getRouteApi('/scores');

const sources = [{ id: '', label: 'All sources' }, ...scoreSources.map((id) => ({ id, label: sourceLabels[id] ?? id }))];

function useOpenResource() {
  const navigate = useNavigate();
  return useMutation({
    networkMode: 'always',
    mutationFn: ({ resource_id }: Score) => locateResource(resource_id),
    onSuccess: ({ trace_id, span_id }) =>
      navigate({ to: '/traces/$traceId', params: { traceId: trace_id }, search: span_id === null ? {} : { span: span_id, tab: 'scores' } }),
  });
}

export function ScoresScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const whyNotAdd = useWhyNot()('score.write');
  const scores = useScores(view);
  const show = (change: Partial<ScoresView>) =>
    void navigate({ to: '/scores', search: readScoresUrl({ ...view, page: undefined, ...change }) });
  const openResource = useOpenResource();
  const add = (
    <Button whyNot={whyNotAdd} onClick={() => setAdding(true)}>
      Add a score
    </Button>
  );
  const isFiltered = view.name !== undefined || view.source !== undefined || view.resource_id !== undefined;
  return (
    <>
      <title>Scores · Glasshouse</title>
      <ScreenHeader title="Scores">
        <Filters view={view} onShow={show} />
        {openResource.isError && (
          <Text tone="err" cut>
            {isNotFound(openResource.error) ? 'No trace or span with this ID has arrived' : asFailure(openResource.error, '').why}
          </Text>
        )}
        <span className="ml-auto">{(isFiltered || scores.data?.data.length !== 0) && add}</span>
      </ScreenHeader>
      {view.name !== undefined && <Distribution name={view.name} />}
      {scores.isError && !scores.data ? (
        <FailedState failure={asFailure(scores.error, 'The scores could not be loaded')} onRetry={() => void scores.refetch()} />
      ) : (
        <DataList
          label="Scores"
          columns={scoreColumns((score) => openResource.mutate(score))}
          rows={scores.data?.data ?? []}
          onOpen={(score) => openResource.mutate(score)}
          listKey={JSON.stringify(view)}
        >
          {scores.data ? (
            <NoScores
              isFiltered={isFiltered}
              add={add}
              onClear={() => show({ name: undefined, source: undefined, resource_id: undefined })}
            />
          ) : (
            <SkeletonRows label="Loading scores" />
          )}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={scorePageSize}
        total={scores.data?.pagination.total ?? null}
        noun="scores"
        onPage={(page) => show({ page })}
      />
      {isAdding && <ScoreDialog onClose={() => setAdding(false)} />}
    </>
  );
}

interface FiltersProps {
  view: ScoresView;
  onShow: (change: Partial<ScoresView>) => void;
}

function Filters({ view, onShow }: FiltersProps) {
  const names = useScoreNames().data ?? [];
  return (
    <>
      <InlineSelect
        label="Name"
        value={view.name ?? ''}
        options={[{ id: '', label: 'All names' }, ...names.map((id) => ({ id, label: id }))]}
        onChange={(name) => onShow({ name: name || undefined })}
      />
      <InlineSelect
        label="Source"
        value={view.source ?? ''}
        options={sources}
        onChange={(id) => onShow({ source: scoreSources.find((source) => source === id) })}
      />
    </>
  );
}

function NoScores({ isFiltered, add, onClear }: { isFiltered: boolean; add: ReactNode; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState title="No scores match" action={<Button onClick={onClear}>Show all</Button>}>
        There may be scores with other names or from other sources.
      </EmptyState>
    );
  return (
    <EmptyState title="No scores yet" action={add}>
      A score is a judgement of a trace or a span: a name and a number, and optionally a label and a reason. Add one here or on a trace, or
      send one to /v1/scores from a program.
    </EmptyState>
  );
}
