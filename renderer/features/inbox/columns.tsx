import type { Notice } from '../../../shared/contract/evaluation/notices.ts';
import { authorName } from '../../model/text/author-name.ts';
import { exactly, when } from '../../model/time/time.ts';
import { actionsHead, type Column } from '../../ui/lists/data-list.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';

/** `Ann mentioned you on a trace`. */
function titleOf({ kind, comment }: Notice, names: Acts['names']): string {
  const who = authorName(comment, names);
  return kind === 'mention' ? `${who} mentioned you on a ${comment.resource_type}` : `${who} replied on a ${comment.resource_type}`;
}

interface Acts {
  open: (notice: Notice) => void;
  toggle: (notice: Notice) => void;
  appName: (id: string) => string;
  /** Of members, by their ids. */
  names: ReadonlyMap<string, string> | null;
}

export const noticeColumns = ({ open, toggle, appName, names }: Acts): Column<Notice>[] => [
  {
    id: 'title',
    head: 'Notice',
    isLead: true,
    width: 'minmax(0, 3fr)',
    cell: (notice) => (
      <button
        type="button"
        onClick={() => open(notice)}
        className="flex w-full min-w-0 items-center gap-2 text-left after:absolute after:inset-0"
      >
        {notice.read_at === null && (
          <span className="size-2 shrink-0 rounded-full bg-accent">
            <span className="sr-only">Unread: </span>
          </span>
        )}
        <Text cut strong={notice.read_at === null} tone={notice.read_at === null ? 'fg' : 'quiet'}>
          {titleOf(notice, names)}
        </Text>
      </button>
    ),
  },
  {
    id: 'app',
    head: 'App',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ app_id }) => (
      <Text as="div" cut tone="dim">
        {appName(app_id)}
      </Text>
    ),
  },
  {
    id: 'when',
    head: 'When',
    width: 'var(--width-when)',
    cell: ({ created_at }) => (
      <Text mono tone="quiet" title={exactly(created_at)}>
        {when(created_at)}
      </Text>
    ),
  },
  {
    id: 'actions',
    ...actionsHead,
    width: 'var(--width-word)',
    end: true,
    cell: (notice) => {
      const label = notice.read_at === null ? 'Mark read' : 'Mark unread';
      return (
        <RowAction label={`${label}: ${titleOf(notice, names)}`} onClick={() => toggle(notice)}>
          {label}
        </RowAction>
      );
    },
  },
];
