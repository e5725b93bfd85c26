import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { type Column, DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { useIsNarrow } from '../../ui/primitives/narrow.ts';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Split } from '../../ui/primitives/split.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { PromptDetail } from './prompt-detail.tsx';
import { EnvironmentPick, NoPrompts, SourceLine } from './prompt-source.tsx';
import { type ListedPrompt, usePrompts } from './prompts-query.ts';
import type { PromptsView } from './url.ts';
import { changeInWords } from './words.ts';

const route = getRouteApi('/prompts');

const columnsOf = (view: PromptsView): Column<ListedPrompt>[] => [
  {
    id: 'path',
    head: 'Prompt',
    width: 'minmax(0, 1fr)',
    cell: ({ path }) => {
      const [file = '', ...folders] = path.split('/').reverse();
      const search = { ...(view.environment !== undefined && { environment: view.environment }), path };
      return (
        <Link to="/prompts" search={search} replace title={path} className="block truncate text-row after:absolute after:inset-0">
          {file.replace(/\.prompt\.mdx$/, '')}
          <span className="pl-2 font-mono text-fg-3 text-label">{folders.reverse().join('/')}</span>
        </Link>
      );
    },
  },
  {
    id: 'model',
    head: 'Model',
    width: 'minmax(0, 0.6fr)',
    cell: ({ kind, models }) => (
      <Text as="div" cut tone="quiet" title={[kind, ...models].filter(Boolean).join(', ')}>
        {models[0] ?? kind ?? '—'}
        {models.length > 0 && kind !== null && kind !== 'text' && <Text tone="dim">{` ${kind}`}</Text>}
      </Text>
    ),
  },
  {
    id: 'changed',
    head: 'Changed',
    width: 'var(--width-when)',
    end: true,
    cell: (prompt) => (
      <Text as="div" cut tone="quiet" className="tabular-nums" title={changeInWords(prompt, exactly)}>
        {prompt.changed_at === null ? '—' : when(prompt.changed_at)}
      </Text>
    ),
  },
];

/** Prompts of the project folder, or of an environment of the app. */
export function PromptsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const { environment } = view;
  const prompts = usePrompts(environment);
  const listed = prompts.data?.prompts;
  const open = view.path ?? listed?.[0]?.path;
  const isCovered = useIsNarrow() && view.path !== undefined;
  const inEnvironment = environment === undefined ? {} : { environment };
  const close = () => void navigate({ to: '/prompts', search: inEnvironment, replace: true });
  const showDefault = () => void navigate({ to: '/prompts', search: {} });
  // While the prompt is shown beside the list, the list handles Esc.
  useKeys('Prompts', isCovered ? [{ on: ['Escape'], label: 'Back', run: close }] : [], { isFirst: true });
  const current = listed?.find(({ path }) => path === open);
  return (
    <>
      <title>{view.path === undefined ? 'Prompts · Glasshouse' : `${view.path} · Glasshouse`}</title>
      <ScreenHeader title="Prompts">
        <EnvironmentPick
          selected={environment}
          onSelect={(name) => void navigate({ to: '/prompts', search: name ? { environment: name } : {} })}
        />
        {prompts.data && <SourceLine source={prompts.data.source} />}
        <span className="ml-auto shrink-0">{listed && <Text tone="dim">{plural(listed.length, 'prompt')}</Text>}</span>
      </ScreenHeader>
      {prompts.isError && !prompts.data ? (
        <PromptsFailure error={prompts.error} onDefault={showDefault} onRetry={() => void prompts.refetch()} />
      ) : prompts.data && listed?.length === 0 && view.path === undefined ? (
        <NoPrompts source={prompts.data.source} />
      ) : (
        <Split
          isDetailWanted={view.path !== undefined}
          index={
            <DataList
              label="Prompts"
              columns={columnsOf(view)}
              rows={listed ?? []}
              selected={open ?? null}
              onOpen={({ path }) => void navigate({ to: '/prompts', search: { ...inEnvironment, path }, replace: true })}
              listKey={environment ?? ''}
            >
              {!listed && <SkeletonRows label="Loading prompts" />}
            </DataList>
          }
          detail={
            open !== undefined && (
              <PromptDetail
                key={`${environment} ${open}`}
                path={open}
                view={view}
                prompt={current}
                isDeployed={prompts.data?.source.kind === 'environment'}
              />
            )
          }
        />
      )}
    </>
  );
}

interface PromptsFailureProps {
  error: Error;
  onDefault: () => void;
  onRetry: () => void;
}

const PromptsFailure = ({ error, onDefault, onRetry }: PromptsFailureProps) =>
  isNotFound(error) ? (
    <EmptyState title="Environment not found" action={<Button onClick={onDefault}>Show the default environment</Button>} />
  ) : (
    <FailedState failure={asFailure(error, 'The prompts could not be loaded')} onRetry={onRetry} />
  );
