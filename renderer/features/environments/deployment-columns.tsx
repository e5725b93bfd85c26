import { duration } from '../../model/text/format.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import { actionsHead, type Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Deployment } from './environments-query.ts';
import { commitInWords, originOf, reasonOf, stateOf } from './words.ts';

const version: Column<Deployment> = {
  id: 'version',
  head: 'Version',
  width: 'var(--width-count)',
  cell: ({ env_version }) => <Text className="tabular-nums">{env_version === null ? '—' : `v${env_version}`}</Text>,
};

const state: Column<Deployment> = {
  id: 'state',
  head: 'Status',
  width: 'var(--width-word)',
  cell: (deployment) => {
    const { word, tone } = stateOf(deployment);
    return (
      <Text as="div" cut tone={tone} title={reasonOf(deployment) || `Files ${deployment.files_status}, code ${deployment.code_status}`}>
        {word}
      </Text>
    );
  },
};

/** @param idOf gives the environment id of a deployment */
const about = (idOf: (deployment: Deployment) => string | undefined): Column<Deployment> => ({
  id: 'about',
  head: 'Operation',
  width: 'minmax(0, 1fr)',
  cell: (deployment) => {
    const { commit_sha, commit_message, note } = deployment;
    const reason = reasonOf(deployment);
    const summary = [originOf(deployment, idOf(deployment)), note ?? commit_message].filter(Boolean).join(': ');
    return (
      <span className="flex items-baseline gap-2">
        <Text mono tone="dim" className="shrink-0" title={commit_sha ?? undefined}>
          {commitInWords(commit_sha)}
        </Text>
        <Text cut tone={reason ? 'err' : 'quiet'} title={reason || summary}>
          {reason || summary}
        </Text>
      </span>
    );
  },
});

const times: Column<Deployment>[] = [
  {
    id: 'duration',
    head: 'Duration',
    width: 'var(--width-duration)',
    end: true,
    wideOnly: true,
    cell: ({ deployment_duration_ms: ms }) => <Quantity value={ms === null ? null : duration(milliseconds(ms))} unknown="Still running" />,
  },
  {
    id: 'at',
    head: 'Time',
    width: 'var(--width-when)',
    end: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];

/** Columns for one environment. @param rollBack null where rollback is not permitted */
export const historyColumns = (
  environmentId: string,
  rollBack: ((deployment: Deployment) => void) | null,
  canRollBackTo: (deployment: Deployment) => boolean,
): Column<Deployment>[] => [
  version,
  state,
  about(() => environmentId),
  ...times,
  {
    id: 'rollback',
    ...actionsHead,
    width: 'var(--width-word)',
    end: true,
    cell: (deployment) =>
      rollBack &&
      canRollBackTo(deployment) && (
        <RowAction onClick={() => rollBack(deployment)} label={`Roll back to version ${deployment.env_version}`}>
          Roll back
        </RowAction>
      ),
  },
];

/** Columns for all environments. */
export const deploymentColumns = (idOf: (deployment: Deployment) => string | undefined): Column<Deployment>[] => [
  {
    id: 'environment',
    head: 'Environment',
    width: 'var(--width-name)',
    cell: ({ environment_name: name }) => (
      <Text as="div" cut title={name ?? ''}>
        {name ?? '—'}
      </Text>
    ),
  },
  version,
  state,
  about(idOf),
  ...times,
];
