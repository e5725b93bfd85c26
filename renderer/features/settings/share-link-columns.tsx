import { Link } from '@tanstack/react-router';
import type { ShareLink } from '../../../shared/contract/tracing/share-links.ts';
import { canBeRevoked, hiddenInWords } from '../../api/share-links.ts';
import { exactly, when } from '../../model/time/time.ts';
import { actionsHead, type Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';

const stateWords = { expired: 'Expired', revoked: 'Revoked', forbidden: 'Forbidden' } as const;
const forbiddenWhy = 'Links are forbidden, or its author may not make links any more';

/** @param revoke null without permission to revoke links */
export const shareLinkColumns = (revoke: ((link: ShareLink) => void) | null): Column<ShareLink>[] => [
  {
    id: 'trace',
    head: 'Trace',
    width: 'minmax(0, 2fr)',
    cell: ({ trace_id }) => (
      <Link
        to="/traces/$traceId"
        params={{ traceId: trace_id }}
        className="block truncate font-mono text-row hover:underline"
        title={trace_id}
      >
        {trace_id}
      </Link>
    ),
  },
  {
    id: 'author',
    head: 'Made by',
    width: 'minmax(0, 1fr)',
    cell: ({ author_name, created_at }) => (
      <Text as="div" cut tone="quiet" title={`${author_name ?? 'Somebody'}, ${exactly(created_at)}`}>
        {author_name ?? '—'}
      </Text>
    ),
  },
  {
    id: 'hides',
    head: 'Hides',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ hides }) => (
      <Text as="div" cut tone="quiet" title={hiddenInWords(hides)}>
        {hiddenInWords(hides)}
      </Text>
    ),
  },
  {
    id: 'state',
    head: 'Until',
    width: 'var(--width-when)',
    end: true,
    cell: (link) =>
      link.state === 'works' ? (
        <Quantity value={when(link.expires_at)} title={exactly(link.expires_at)} />
      ) : (
        <Text tone="dim" title={link.state === 'forbidden' ? forbiddenWhy : exactly(link.revoked_at ?? link.expires_at)}>
          {stateWords[link.state]}
        </Text>
      ),
  },
  {
    id: 'openings',
    head: 'Opened',
    width: 'var(--width-total)',
    end: true,
    cell: ({ openings, last_opened_at: at }) => <Quantity value={String(openings)} title={at ? `Last ${exactly(at)}` : 'Never opened'} />,
  },
  {
    id: 'revoke',
    ...actionsHead,
    width: 'var(--width-total)',
    end: true,
    cell: (link) =>
      revoke &&
      canBeRevoked(link) && (
        <RowAction onClick={() => revoke(link)} label={`Revoke the link made ${exactly(link.created_at)}`}>
          Revoke
        </RowAction>
      ),
  },
];
