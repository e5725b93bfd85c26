import clsx from 'clsx';
import { asFailure } from '../../api/failure.ts';
import { exactly, when } from '../../model/time/time.ts';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { LineDiffView } from '../../ui/viewers/line-diff-view.tsx';
import { type PromptVersion, usePrompts, usePromptText, useVersions, type WhileDeployed } from './prompts-query.ts';
import type { PromptsView } from './url.ts';
import { VersionRuns } from './version-runs.tsx';
import { reasonFor, versionOf } from './words.ts';

interface PromptVersionsProps {
  path: string;
  view: PromptsView;
  /** By which runs refer to the prompt; null without one. */
  name: string | null;
  onCompare: (version: string, base: string | undefined) => void;
}

const tones = { added: 'ok', changed: 'quiet', removed: 'err' } as const;
const noBase = '';

/** Versions of a prompt: deployments to the environment that changed it, with a diff between any two. */
export function PromptVersions({ path, view, name, onCompare }: PromptVersionsProps) {
  const versions = useVersions(path, view.environment);
  const source = usePrompts(view.environment).data?.source;
  if (versions.isError && !versions.data)
    return <FailedState failure={asFailure(versions.error, 'The versions could not be loaded')} onRetry={() => void versions.refetch()} />;
  if (!versions.data) return <SkeletonRows rows={4} label="Loading the versions" />;
  const { data } = versions.data;
  if (data.length === 0) return <Text tone="dim">No deployment to this environment has changed this prompt.</Text>;
  const at = Math.max(
    0,
    data.findIndex(({ deployment }) => deployment.id === view.version),
  );
  const version = data[at] as PromptVersion;
  const base = data.find(({ deployment }) => deployment.id === view.base) ?? data[at + 1];
  return (
    <>
      <ul aria-label="Versions">
        {data.map((listed, index) => (
          <li key={listed.deployment.id}>
            <VersionLine version={listed} isOn={index === at} onClick={() => onCompare(listed.deployment.id, undefined)} />
          </li>
        ))}
      </ul>
      {versions.data.pagination.total > data.length && (
        <Text tone="dim">{`The newest ${data.length} of ${versions.data.pagination.total} versions.`}</Text>
      )}
      <div className="flex flex-wrap items-center gap-1 pt-1">
        <Text as="h3" strong>
          Changes from
        </Text>
        <InlineSelect
          label="Compared with"
          options={[
            ...data.filter(({ deployment }) => deployment.id !== version.deployment.id).map(optionOf),
            ...(base === undefined ? [{ id: noBase, label: 'no earlier version' }] : []),
          ]}
          value={base?.deployment.id ?? noBase}
          onChange={(id) => onCompare(version.deployment.id, id === noBase ? undefined : id)}
        />
        <Text strong>to</Text>
        <InlineSelect
          label="Version"
          options={data.map(optionOf)}
          value={version.deployment.id}
          onChange={(id) => onCompare(id, undefined)}
        />
      </div>
      {name !== null && base && (
        <VersionRuns
          versions={[base, version].map((each) => ({ label: versionOf(each.deployment), ...whileDeployed(data, each) }))}
          name={name}
          environment={source?.kind === 'environment' ? source.name : undefined}
        />
      )}
      <Comparison path={path} environment={view.environment} from={base} to={version} />
    </>
  );
}

/** A version is deployed until the next one that changed the prompt. */
function whileDeployed(versions: readonly PromptVersion[], version: PromptVersion): WhileDeployed {
  const next = versions[versions.indexOf(version) - 1];
  return { from: Date.parse(version.deployment.created_at), to: next ? Date.parse(next.deployment.created_at) : null };
}

const optionOf = ({ deployment }: PromptVersion) => ({
  id: deployment.id,
  label: `${versionOf(deployment)}, ${when(deployment.created_at)}`,
});

function VersionLine({ version: { change, deployment }, isOn, onClick }: { version: PromptVersion; isOn: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      title={exactly(deployment.created_at)}
      className={clsx('flex h-row w-full items-center gap-3 rounded-control px-2 text-left', isOn ? 'bg-select' : 'hover:bg-hover')}
    >
      <Text tone={tones[change]} className="w-(--width-total) shrink-0">
        {change}
      </Text>
      <Text mono tone="quiet" className="shrink-0">
        {versionOf(deployment)}
      </Text>
      <Text cut className="flex-1">
        {reasonFor(deployment) || '—'}
      </Text>
      <Text tone="dim" cut className="shrink-0">
        {deployment.initiated_by}
      </Text>
      <Text tone="dim" className="num shrink-0">
        {when(deployment.created_at)}
      </Text>
    </button>
  );
}

interface ComparisonProps {
  path: string;
  environment: string | undefined;
  from: PromptVersion | undefined;
  to: PromptVersion;
}

function Comparison({ path, environment, from, to }: ComparisonProps) {
  // Without an earlier deployment the version is compared with an empty file.
  const before = usePromptText(path, environment, (from ?? to).deployment.id);
  const after = usePromptText(path, environment, to.deployment.id);
  const failed = [before, after].find((text) => text.isError && text.data === undefined);
  if (failed) {
    const retry = () => void Promise.all([before.refetch(), after.refetch()]);
    return <FailedState failure={asFailure(failed.error, 'The versions could not be compared')} onRetry={retry} />;
  }
  if (before.data === undefined || after.data === undefined) return <SkeletonRows rows={6} label="Loading the comparison" />;
  return <LineDiffView before={from === undefined ? '' : (before.data ?? '')} after={after.data ?? ''} label="Diff" />;
}
