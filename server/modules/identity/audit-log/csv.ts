/** The audit log as CSV (RFC 4180), for spreadsheets and other tools. */
import type { AuditChange, AuditEntry } from '../../../../shared/contract/identity/audit-log.ts';

const columns = [
  ...(['at', 'actor_kind', 'actor_id', 'actor_name', 'ip', 'action', 'target', 'target_name', 'app_id'] as const),
  'changes',
] as const;

export const auditCsv = (entries: readonly AuditEntry[]): string =>
  [columns.join(','), ...entries.map((entry) => columns.map((column) => cell(textOf(entry, column))).join(',')), ''].join('\r\n');

const textOf = (entry: AuditEntry, column: (typeof columns)[number]): string =>
  column === 'changes' ? (entry.changes ?? []).map(inWords).join('; ') : String(entry[column] ?? '');

function inWords({ field, before, after }: AuditChange): string {
  if (before === undefined && after === undefined) return field;
  if (before === undefined) return `${field}: ${after}`;
  return `${field}: ${before ?? 'none'} → ${after ?? 'none'}`;
}

/** Spreadsheets would run a value that begins like a formula; an apostrophe makes it text. */
const formula = /^[=+\-@\t\r]/;

function cell(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
