import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { exactly, when } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyButton } from '../../ui/primitives/copy-button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Tabs } from '../../ui/primitives/tabs.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';
import { JsonView } from '../../ui/viewers/json-view.tsx';
import { PromptMessages, textOf } from './prompt-messages.tsx';
import { PromptVersions } from './prompt-versions.tsx';
import { type ListedPrompt, usePrompt, usePromptText } from './prompts-query.ts';
import type { PromptsView, PromptTab } from './url.ts';
import { changeInWords, reasonFor, versionOf } from './words.ts';

const promptTabs = [
  { id: 'text', label: 'Messages' },
  { id: 'versions', label: 'Versions' },
  { id: 'source', label: 'Source' },
  { id: 'config', label: 'Config' },
  { id: 'tree', label: 'Tree' },
] as const;

interface PromptDetailProps {
  path: string;
  view: PromptsView;
  /** Undefined while the list is loading, and for a prompt without a name. */
  prompt: ListedPrompt | undefined;
  /** Whether prompts are deployed, so that they have versions. */
  isDeployed: boolean;
}

/** One prompt: messages with variables, versions, source, and traces that used it. */
export function PromptDetail({ path, view, prompt, isDeployed }: PromptDetailProps) {
  const navigate = useNavigate();
  const { environment } = view;
  const parsed = usePrompt(path, environment);
  const inEnvironment = environment === undefined ? {} : { environment };
  const show = (search: PromptsView) => void navigate({ to: '/prompts', search: { ...inEnvironment, path, ...search }, replace: true });
  const tab: PromptTab = view.view === 'versions' && !isDeployed ? 'text' : (view.view ?? 'text');
  const isMissing = parsed.isError && isNotFound(parsed.error);
  return (
    <>
      <div className="flex h-header shrink-0 items-center gap-2 px-4">
        <Text as="h2" size="section" strong cut title={path}>
          {parsed.data?.view.name ?? prompt?.name ?? path}
        </Text>
        <span className="ml-auto flex shrink-0 gap-2">
          {parsed.data && <CopyButton text={() => parsed.data.view.messages.map(textOf).join('\n\n')} label="Copy messages" />}
          <Link to="/prompts" search={inEnvironment} replace className="split:hidden">
            <Button>Back</Button>
          </Link>
        </span>
      </div>
      {prompt?.changed_by && <LastChange prompt={prompt} />}
      {isMissing && tab !== 'versions' ? (
        <EmptyState
          title="Prompt not found"
          action={isDeployed && <Button onClick={() => show({ view: 'versions' })}>Show versions</Button>}
        >
          The file was moved or deleted.
        </EmptyState>
      ) : (
        <Tabs
          label="Prompt"
          tabs={promptTabs.filter(({ id }) => id !== 'versions' || isDeployed)}
          active={tab}
          onChange={(id) => show(id === 'text' ? {} : { view: id })}
        >
          <div className="grid min-w-0 gap-2.5 p-4">
            {tab === 'versions' ? (
              <PromptVersions
                path={path}
                view={view}
                name={parsed.data?.view.name ?? prompt?.name ?? null}
                onCompare={(version, base) => show({ view: 'versions', version, ...(base !== undefined && { base }) })}
              />
            ) : tab === 'source' ? (
              <Source path={path} environment={environment} />
            ) : (
              <ParsedPrompt parsed={parsed}>
                {({ view: shown, tree }) =>
                  tab === 'tree' ? (
                    <JsonView value={tree} open={7} />
                  ) : tab === 'config' ? (
                    <CodeBlock code={shown.config || '# no front matter'} label="the configuration" />
                  ) : (
                    <PromptMessages view={shown} path={path} dataset={prompt?.dataset ?? null} />
                  )
                }
              </ParsedPrompt>
            )}
          </div>
        </Tabs>
      )}
    </>
  );
}

const LastChange = ({ prompt }: { prompt: ListedPrompt }) => (
  <Text as="p" cut tone="dim" className="-mt-2 shrink-0 px-4 pb-2" title={changeInWords(prompt, exactly)}>
    {prompt.changed_by &&
      [
        `Changed ${prompt.changed_at === null ? '' : when(prompt.changed_at)}`,
        versionOf(prompt.changed_by),
        reasonFor(prompt.changed_by),
        prompt.changed_by.initiated_by,
      ]
        .filter(Boolean)
        .join(' · ')}
  </Text>
);

type ParsedQuery = ReturnType<typeof usePrompt>;

/** Renders a part of the parsed template once it has loaded. */
function ParsedPrompt({ parsed, children }: { parsed: ParsedQuery; children: (data: NonNullable<ParsedQuery['data']>) => ReactNode }) {
  if (parsed.data) return children(parsed.data);
  if (!parsed.isError) return <SkeletonCards label="Loading the prompt" />;
  return <FailedState failure={asFailure(parsed.error, 'The prompt could not be loaded')} onRetry={() => void parsed.refetch()} />;
}

function Source({ path, environment }: { path: string; environment: string | undefined }) {
  const text = usePromptText(path, environment);
  if (text.isError && text.data === undefined)
    return <FailedState failure={asFailure(text.error, 'The file could not be loaded')} onRetry={() => void text.refetch()} />;
  if (text.data === undefined) return <SkeletonCards label="Loading the file" />;
  return <CodeBlock code={text.data ?? ''} label="the file" />;
}
