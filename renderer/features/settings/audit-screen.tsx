import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { rangeWords, recentRanges } from '../../model/time/time-range.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type AuditRow, auditColumns } from './audit-columns.tsx';
import { auditPageSize, useAuditDownload, useAuditLog } from './audit-query.ts';
import { auditResources } from './audit-words.ts';
import { usePeople } from './members-query.ts';
import { type AuditView, readAuditUrl } from './url.ts';

const route = getRouteApi('/settings/audit-log');

/** Who did what in the team, newest first. */
export function AuditScreen() {
  const isAllowed = useMay()('audit_log.read');
  return (
    <>
      <title>Audit log · Glasshouse</title>
      {isAllowed ? (
        <AuditList />
      ) : (
        <EmptyState isPage title="The audit log is for owners and admins">
          It says who did what in the team. Ask an owner or admin for an entry, or for another role.
        </EmptyState>
      )}
    </>
  );
}

function AuditList() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const log = useAuditLog(view);
  const show = (change: Partial<AuditView>) =>
    void navigate({ to: '/settings/audit-log', search: readAuditUrl({ ...view, page: undefined, ...change }) });
  const rows = (log.data?.data ?? []).map((entry, place): AuditRow => ({ ...entry, id: String(place) }));
  const isFiltered = view.actor !== undefined || view.action !== undefined || view.last !== undefined;
  return (
    <>
      <ScreenHeader title="Audit log">
        <Filters view={view} rows={rows} onChange={show} />
        <Download view={view} isEmpty={rows.length === 0} />
      </ScreenHeader>
      {log.isError && !log.data ? (
        <FailedState failure={asFailure(log.error, 'The audit log could not be loaded')} onRetry={() => void log.refetch()} />
      ) : (
        <DataList
          label="Audit log"
          columns={auditColumns((actor) => show({ actor }))}
          rows={rows}
          onOpen={() => {}}
          listKey={JSON.stringify(view)}
        >
          {!log.data ? (
            <SkeletonRows label="Loading the audit log" />
          ) : isFiltered ? (
            <EmptyState
              title="No entries match"
              action={<Button onClick={() => show({ actor: undefined, action: undefined, last: undefined })}>Show all entries</Button>}
            >
              There may be entries of other people, actions or times.
            </EmptyState>
          ) : (
            <EmptyState title="No entries on this page">Each change in the team adds an entry, and so does each sign-in.</EmptyState>
          )}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={auditPageSize}
        total={log.data?.pagination.total ?? null}
        noun="entries"
        onPage={(page) => show({ page })}
      />
    </>
  );
}

const times = [{ id: '', label: 'All time' }, ...recentRanges.map((id) => ({ id, label: rangeWords(id) }))] as const;

type Resource = (typeof auditResources)[number]['id'];
const actionOf = ({ action }: AuditView): Resource => auditResources.find(({ id }) => id === action)?.id ?? '';

interface FiltersProps {
  view: AuditView;
  rows: readonly AuditRow[];
  onChange: (change: Partial<AuditView>) => void;
}

function Filters({ view, rows, onChange }: FiltersProps) {
  const people = (usePeople().data ?? []).filter(({ invited }) => !invited).map(({ id, email }) => ({ id, label: email }));
  const chosen = view.actor && !people.some(({ id }) => id === view.actor) ? view.actor : null;
  const nameOfChosen = rows.find(({ actor_id }) => actor_id === chosen)?.actor_name ?? chosen ?? '';
  const actors = [{ id: '', label: 'Everybody' }, ...people, ...(chosen ? [{ id: chosen, label: nameOfChosen }] : [])];
  return (
    <span className="flex min-w-0 items-center gap-1 overflow-hidden">
      <InlineSelect label="Who" options={actors} value={view.actor ?? ''} onChange={(actor) => onChange({ actor })} />
      <InlineSelect label="What" options={auditResources} value={actionOf(view)} onChange={(action) => onChange({ action })} />
      <InlineSelect label="When" options={times} value={view.last ?? ''} onChange={(last) => onChange({ last: last || undefined })} />
    </span>
  );
}

function Download({ view, isEmpty }: { view: AuditView; isEmpty: boolean }) {
  const download = useAuditDownload();
  const problem = download.error && asFailure(download.error, 'The audit log could not be downloaded').why;
  return (
    <span className="ml-auto flex min-w-0 shrink-0 items-center gap-2">
      {problem && (
        <Text tone="err" cut title={problem}>
          {problem}
        </Text>
      )}
      <Button disabled={isEmpty || download.isPending} onClick={() => download.mutate(view)}>
        Download CSV
      </Button>
    </span>
  );
}
