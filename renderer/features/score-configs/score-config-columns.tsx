import type { ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { actionsHead, type Column } from '../../ui/lists/data-list.tsx';
import { CategoryDot } from '../../ui/primitives/category-dot.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type ScoreType, valuesInWords } from './score-config-draft.ts';

const typeLabels: Record<ScoreType, string> = { boolean: 'Pass or fail', numeric: 'Number', categorical: 'Categories', text: 'Text' };

interface ScoreConfigColumns {
  mayChange: boolean;
  onEdit: (config: ScoreConfig) => void;
  onArchive: (config: ScoreConfig) => void;
}

export const scoreConfigColumns = ({ mayChange, onEdit, onArchive }: ScoreConfigColumns): Column<ScoreConfig>[] => [
  {
    id: 'name',
    head: 'Name',
    width: 'minmax(0, 1fr)',
    cell: ({ name, archived }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Text cut title={name}>
          {name}
        </Text>
        {archived && <Pill>Archived</Pill>}
      </span>
    ),
  },
  { id: 'type', head: 'Type', width: 'var(--width-when)', cell: ({ data_type }) => <Text tone="quiet">{typeLabels[data_type]}</Text> },
  {
    id: 'values',
    head: 'Values',
    width: 'minmax(0, 1.5fr)',
    cell: (config) => (
      <span className="flex min-w-0 items-center gap-1.5" title={valuesInWords(config)}>
        {config.data_type === 'categorical' &&
          config.categories.map(({ label, color }) => color && <CategoryDot key={label} color={color} />)}
        <Text cut tone="quiet">
          {valuesInWords(config)}
        </Text>
      </span>
    ),
  },
  {
    id: 'description',
    head: 'Description',
    width: 'minmax(0, 1.5fr)',
    wideOnly: true,
    cell: ({ description = '' }) => (
      <Text as="div" cut tone="dim" title={description}>
        {description}
      </Text>
    ),
  },
  { id: 'source', head: 'Source', width: 'var(--width-name)', wideOnly: true, cell: (config) => <Source config={config} /> },
  {
    id: 'act',
    ...actionsHead,
    width: 'var(--width-name)',
    end: true,
    cell: (config) =>
      mayChange &&
      config.source === 'created' && (
        <>
          <RowAction label={`Edit ${config.name}`} onClick={() => onEdit(config)}>
            Edit
          </RowAction>
          <RowAction label={`${config.archived ? 'Restore' : 'Archive'} ${config.name}`} onClick={() => onArchive(config)}>
            {config.archived ? 'Restore' : 'Archive'}
          </RowAction>
        </>
      ),
  },
];

function Source({ config: { source, commit_sha, hides_created: hides } }: { config: ScoreConfig }) {
  if (source === 'created') return <Text tone="dim">Created here</Text>;
  const title = [
    'Defined under scores in the project file, and changed there.',
    commit_sha && `Commit ${commit_sha}.`,
    hides && 'One of this name was also created here; it has no effect.',
  ];
  return (
    <Text cut tone={hides ? 'warm' : 'dim'} title={title.filter(Boolean).join(' ')}>
      {hides ? 'Project file (overrides)' : 'Project file'}
    </Text>
  );
}
