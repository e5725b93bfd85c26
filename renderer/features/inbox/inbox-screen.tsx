import { Link } from '@tanstack/react-router';
import type { Notice } from '../../../shared/contract/evaluation/notices.ts';
import { readableText } from '../../../shared/mentions.ts';
import { asFailure } from '../../api/failure.ts';
import { useMe } from '../../api/identity.ts';
import { useMemberNames } from '../../api/members.ts';
import { useMarkAllNotices, useMarkNotice, useNotices } from '../../api/notices.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { noticeColumns } from './columns.tsx';
import { useOpenAtOnce, useOpenNotice } from './open-notice.ts';

/** What the signed-in person is told of, in all apps: comments that mention them, and replies. */
export function InboxScreen() {
  const notices = useNotices();
  const mark = useMarkNotice();
  const markAll = useMarkAllNotices();
  const me = useMe();
  const names = useMemberNames();
  const opening = useOpenNotice();
  const rows = notices.data?.pages.flatMap(({ data }) => data) ?? [];
  const open = (notice: Notice) => opening.mutate({ notice });
  const toggle = ({ id, read_at }: Notice) => mark.mutate({ id, isRead: read_at === null });
  const appName = (id: string) => {
    const app = me?.apps.find((mine) => mine.id === id);
    return app?.display_name || app?.name || '';
  };
  const isGone = useOpenAtOnce(notices, opening.mutate);
  const problem = mark.error ?? markAll.error;
  return (
    <>
      <title>Inbox · Glasshouse</title>
      <ScreenHeader title="Inbox">
        {opening.error && <Text tone="err">{`The comment could not be opened. ${asFailure(opening.error, '').why}`}</Text>}
        {isGone && <Text tone="err">The notice in the address is gone, perhaps because its comment was deleted.</Text>}
        {problem && <Text tone="err">{asFailure(problem, 'The notice could not be changed').why}</Text>}
        <span className="ml-auto">
          <Button disabled={markAll.isPending || rows.every(({ read_at }) => read_at !== null)} onClick={() => markAll.mutate()}>
            Mark all as read
          </Button>
        </span>
      </ScreenHeader>
      {notices.isError && !notices.data ? (
        <FailedState failure={asFailure(notices.error, 'The inbox could not be loaded')} onRetry={() => void notices.refetch()} />
      ) : (
        <DataList
          label="Inbox"
          columns={noticeColumns({ open, toggle, appName, names })}
          rows={rows}
          onOpen={open}
          rowKeys={[{ on: 'r', label: 'Mark as read or unread', run: toggle }]}
          secondLine={({ comment, read_at }) => (
            <Text as="div" cut tone={read_at === null ? 'fg' : 'dim'}>
              {readableText(comment.body)}
            </Text>
          )}
          listKey=""
        >
          {notices.data ? (
            <EmptyState
              title="Nothing in your inbox"
              action={
                <Link to="/traces" className={linkButton}>
                  Open traces
                </Link>
              }
            >
              Comments that mention you with @ arrive here, and replies on what you commented on. Comment on a trace to ask others about it.
            </EmptyState>
          ) : (
            <SkeletonRows label="Loading the inbox" />
          )}
        </DataList>
      )}
      {notices.hasNextPage && (
        <div className="flex shrink-0 justify-center border-line border-t p-2">
          <Button disabled={notices.isFetchingNextPage} onClick={() => void notices.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </>
  );
}
