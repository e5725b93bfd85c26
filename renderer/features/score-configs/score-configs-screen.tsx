import { useState } from 'react';
import type { ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { useScoreConfigs } from '../../api/score-configs.ts';
import { plural } from '../../model/text/format.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { scoreConfigColumns } from './score-config-columns.tsx';
import { definitionOf } from './score-config-draft.ts';
import { ScoreConfigForm } from './score-config-form.tsx';
import { useSaveScoreConfig } from './score-configs-query.ts';

/** What scores of each name may be: those of the project file, and those that the team created. */
export function ScoreConfigsScreen() {
  const configs = useScoreConfigs({ withArchived: true });
  const archive = useSaveScoreConfig();
  const mayChange = useMay()('score_config.write');
  /** Null for none, 'new' for a new one. */
  const [editing, setEditing] = useState<ScoreConfig | 'new' | null>(null);
  const columns = scoreConfigColumns({
    mayChange,
    onEdit: setEditing,
    onArchive: (config) => archive.mutate({ config: definitionOf(config), isNew: false, archived: !config.archived }),
  });
  const problem = restOf(refusalOf(archive.error), []);
  return (
    <>
      <title>Score configurations · Glasshouse</title>
      <ScreenHeader title="Score configurations">
        {problem && (
          <Text tone="err" cut title={problem}>
            {problem}
          </Text>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-3">
          {configs.data && <Text tone="dim">{plural(configs.data.length, 'configuration')}</Text>}
          {mayChange && <Button onClick={() => setEditing('new')}>New score configuration</Button>}
        </span>
      </ScreenHeader>
      {configs.isError && !configs.data ? (
        <FailedState
          failure={asFailure(configs.error, 'The score configurations could not be loaded')}
          onRetry={() => void configs.refetch()}
        />
      ) : (
        <DataList label="Score configurations" columns={columns} rows={configs.data ?? []} onOpen={() => {}} listKey="">
          {configs.isSuccess ? (
            <EmptyState title="No score configurations yet">
              They say what the scores of a name may be, so that reviewers choose from buttons and a typo is refused.
            </EmptyState>
          ) : (
            <SkeletonRows label="Loading score configurations" />
          )}
        </DataList>
      )}
      {editing && <ScoreConfigForm config={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  );
}
