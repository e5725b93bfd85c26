import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/format.ts';
import { type Column, DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { useKeys } from '../../ui/keys.tsx';
import { ScreenHeader } from '../../ui/list-screen.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Split } from '../../ui/split.tsx';
import { Text } from '../../ui/text.tsx';
import { PromptDetail } from './prompt-detail.tsx';
import { usePrompts } from './prompts-query.ts';

const route = getRouteApi('/prompts');

interface Listed {
  id: string;
  path: string;
}

const columns: Column<Listed>[] = [
  {
    id: 'path',
    head: 'prompt',
    width: 'minmax(0, 1fr)',
    cell: ({ path }) => {
      const [file = '', ...folders] = path.split('/').reverse();
      return (
        <Link to="/prompts" search={{ path }} replace title={path} className="block truncate text-row after:absolute after:inset-0">
          {file.replace(/\.prompt\.mdx$/, '')}
          <span className="pl-2 font-mono text-fg-3 text-label">{folders.reverse().join('/')}</span>
        </Link>
      );
    },
  },
];

export function PromptsScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const prompts = usePrompts();
  const open = view.path ?? prompts.data?.[0]?.path;
  const isCovered = useIsNarrow() && view.path !== undefined;
  const close = () => void navigate({ to: '/prompts', replace: true });
  // Where the prompt stands beside the list, Esc is about the list.
  useKeys('Prompts', isCovered ? [{ on: ['Escape'], label: 'Back', run: close }] : [], { isFirst: true });
  const isEmpty = prompts.data?.length === 0;
  return (
    <>
      <title>{view.path === undefined ? 'Prompts · Glasshouse' : `${view.path} · Glasshouse`}</title>
      <ScreenHeader title="Prompts">
        <span className="ml-auto">{prompts.data && <Text tone="dim">{plural(prompts.data.length, 'prompt')}</Text>}</span>
      </ScreenHeader>
      {prompts.isError && !prompts.data ? (
        <FailedState failure={asFailure(prompts.error, 'The prompts could not be listed')} onRetry={() => void prompts.refetch()} />
      ) : isEmpty ? (
        <EmptyState title="No prompt yet">
          Prompts are files of your project that end in .prompt.mdx, in the folder of its templates. Start the gateway with --project and
          the path of the project; what is there appears here, and what is changed shows at the next look.
        </EmptyState>
      ) : (
        <Split
          isDetailWanted={view.path !== undefined}
          index={
            <DataList
              label="Prompts"
              columns={columns}
              rows={prompts.data ?? []}
              selected={open ?? null}
              onOpen={({ path }) => void navigate({ to: '/prompts', search: { path }, replace: true })}
              listKey=""
            >
              <SkeletonRows label="Loading prompts" />
            </DataList>
          }
          detail={open !== undefined && <PromptDetail key={open} path={open} look={view.view ?? 'text'} />}
        />
      )}
    </>
  );
}
