import { useNavigate } from '@tanstack/react-router';
import { useEnvironmentNames } from '../../api/environment-names.ts';
import { useMay } from '../../api/identity.ts';
import { exactly } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyButton } from '../../ui/primitives/copy-button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { PromptSource } from './prompts-query.ts';
import { commitOf, reasonFor, sourceInWords } from './words.ts';

/** Select for the environment, if there is more than one. */
export function EnvironmentPick({ selected, onSelect }: { selected: string | undefined; onSelect: (name: string | undefined) => void }) {
  const environments = useEnvironmentNames();
  if (!environments || environments.length < 2) return null;
  const defaultName = environments.find(({ isDefault }) => isDefault)?.name;
  return (
    <InlineSelect
      label="Environment"
      options={environments.map(({ name }) => ({ id: name, label: name }))}
      value={selected ?? defaultName ?? ''}
      onChange={(name) => onSelect(name === defaultName ? undefined : name)}
    />
  );
}

/** Where the listed prompts come from. */
export function SourceLine({ source }: { source: PromptSource }) {
  const deployment = source.kind === 'environment' ? source.deployment : null;
  const tooltip =
    deployment && [reasonFor(deployment), deployment.initiated_by, exactly(deployment.created_at)].filter(Boolean).join(' · ');
  return (
    <Text tone="dim" cut title={tooltip ?? undefined}>
      {sourceInWords(source)}
    </Text>
  );
}

/** Starts the gateway with a project. */
const startLine = 'glasshouse start --project ../my-project';

/** Empty state with the reason and the next step. */
export function NoPrompts({ source }: { source: PromptSource }) {
  const may = useMay();
  const navigate = useNavigate();
  if (source.kind === 'folder')
    return (
      <EmptyState title="No prompts yet" action={<CopyButton text={() => startLine} label="Copy command" />}>
        Prompts are files that end in .prompt.mdx, in the <code className="font-mono">agentmark/</code> folder of your project. Start the
        gateway with that project to list them here: <code className="font-mono">{startLine}</code>, or in a clone{' '}
        <code className="font-mono">npm start -- --project ../my-project</code>
      </EmptyState>
    );
  if (source.deployment !== null)
    return (
      <EmptyState title="No prompts in the deployed files">
        {`Prompts are files in the templates folder that end in .prompt.mdx. ${commitOf(source.deployment.commit_sha)}, which ${source.name} serves, has none.`}
      </EmptyState>
    );
  const link = (to: '/settings/git' | '/settings/environments', label: string) => (
    <Button primary onClick={() => void navigate({ to })}>
      {label}
    </Button>
  );
  return source.is_default ? (
    <EmptyState title="Nothing is deployed to this environment yet" action={may('app.write') && link('/settings/git', 'Link a repository')}>
      {may('app.write')
        ? 'Link a repository of prompts: each push to its branch is deployed, and its prompts are listed here.'
        : 'Ask an owner or admin to link a repository: each push to its branch is deployed, and its prompts are listed here.'}
    </EmptyState>
  ) : (
    <EmptyState
      title="Nothing is deployed to this environment yet"
      action={may('environment.promote') && link('/settings/environments', 'Open environments')}
    >
      {`Promote the version of another environment to ${source.name} to list its prompts here.`}
    </EmptyState>
  );
}
