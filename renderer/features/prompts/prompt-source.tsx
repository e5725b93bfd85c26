import { useNavigate } from '@tanstack/react-router';
import { useEnvironmentNames } from '../../api/environment-names.ts';
import { useMay } from '../../api/identity.ts';
import { exactly } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { PromptSource } from './prompts-query.ts';
import { commitOf, reasonFor, sourceInWords } from './words.ts';

/** Choice of the environment, where there is more than one. */
export function EnvironmentPick({ chosen, onChoose }: { chosen: string | undefined; onChoose: (name: string | undefined) => void }) {
  const environments = useEnvironmentNames();
  if (!environments || environments.length < 2) return null;
  const standard = environments.find(({ isDefault }) => isDefault)?.name;
  return (
    <InlineSelect
      label="Environment"
      options={environments.map(({ name }) => ({ id: name, label: name }))}
      value={chosen ?? standard ?? ''}
      onChange={(name) => onChoose(name === standard ? undefined : name)}
    />
  );
}

/** Source of the list. */
export function SourceLine({ source }: { source: PromptSource }) {
  const deployment = source.kind === 'environment' ? source.deployment : null;
  const about = deployment && [reasonFor(deployment), deployment.initiated_by, exactly(deployment.created_at)].filter(Boolean).join(' · ');
  return (
    <Text tone="dim" cut title={about ?? undefined}>
      {sourceInWords(source)}
    </Text>
  );
}

/** Reason for an empty list, with the next step. */
export function NoPrompts({ source }: { source: PromptSource }) {
  const may = useMay();
  const navigate = useNavigate();
  if (source.kind === 'folder')
    return (
      <EmptyState title="No prompt yet">
        Prompts are files of your project that end in .prompt.mdx, in the folder of its templates. Start the gateway with --project and the
        path of the project. They appear here, and changes show at the next look.
      </EmptyState>
    );
  if (source.deployment !== null)
    return (
      <EmptyState title="No prompt in the deployed files">
        {`Prompts are files that end in .prompt.mdx, in the folder of the templates. ${commitOf(source.deployment.commit_sha)}, which ${source.name} serves, has none.`}
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
      action={may('environment.promote') && link('/settings/environments', 'Open the environments')}
    >
      {`Promote what another environment serves into ${source.name}: its prompts are listed here.`}
    </EmptyState>
  );
}
