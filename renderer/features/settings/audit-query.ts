/** Reading the audit log of the team: a page of it, and all that match as a file. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { pathOf } from '../../../shared/client.ts';
import { auditLog, auditPageMax } from '../../../shared/contract/identity/audit-log.ts';
import { fetchText } from '../../api/bytes.ts';
import { gateway } from '../../api/client.ts';
import { saveFile } from '../../api/save-file.ts';
import { count } from '../../model/text/format.ts';
import { boundsOf } from '../../model/time/time-range.ts';
import type { AuditView } from './url.ts';

export const auditPageSize = 100;
/** A file has at most this many entries. */
const filedMax = 100_000;

const filterOf = ({ actor, action, last }: AuditView) => ({
  ...(actor && { actor }),
  ...(action && { action }),
  ...(last && boundsOf({ last }, Date.now())),
});

export function useAuditLog(view: AuditView) {
  const { page = 1 } = view;
  return useQuery({
    queryKey: ['audit-log', view],
    queryFn: () => gateway.auditLog.list({ query: { ...filterOf(view), limit: auditPageSize, offset: (page - 1) * auditPageSize } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Downloads all entries that match. Entries that come meanwhile are left out, so that none is missing or there twice. More than fit are refused. */
async function download(view: AuditView): Promise<void> {
  const chosen = { to: Date.now(), ...filterOf(view) };
  const { total } = (await gateway.auditLog.list({ query: { ...chosen, limit: 1 } })).pagination;
  if (total > filedMax) throw new Error(`Narrow the filter: a file has at most ${count(filedMax)} entries, and ${count(total)} match.`);
  const filter = { ...chosen, format: 'csv', limit: auditPageMax };
  let text = '';
  for (let offset = 0; offset < filedMax; offset += auditPageMax) {
    const page = await fetchText(pathOf(auditLog.list.path, {}, { ...filter, offset }));
    const headEnd = page.indexOf('\r\n') + 2;
    text += offset === 0 ? page : page.slice(headEnd);
    if (page.length === headEnd) break;
  }
  saveFile(new Blob([text], { type: 'text/csv' }), 'audit-log.csv');
}

export const useAuditDownload = () => useMutation({ networkMode: 'always', mutationFn: download });
