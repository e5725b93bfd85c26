import type { AuditEntry as PublicEntry } from '../../../shared/contract/identity/audit-log.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import type { AuditEntry } from '../../control/audit-log.ts';
import { auditCsv } from './audit-log/csv.ts';

export const auditLogModule = defineModule({
  group: 'auditLog',
  needs: ['control'],
  build: ({ control: { audit } }) => ({
    list: async ({ scope: { tenant_id } }, { query: { format, ...query } }) => {
      const { data, total } = await audit.list(tenant_id, query);
      const names = await audit.names(tenant_id, new Set(data.flatMap(({ actor_id, target }) => [actor_id, target])));
      const entries = data.map((entry) => publicEntry(entry, names));
      if (format === 'json') return asPage(query, { data: entries, total });
      return new Answer(200, Buffer.from(auditCsv(entries)), {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="audit-log.csv"',
      });
    },
  }),
});

/** Without its number, which counts the entries of all tenants. */
const publicEntry = ({ id, before_hash, after_hash, ...entry }: AuditEntry, names: ReadonlyMap<string, string>): PublicEntry => ({
  ...entry,
  actor_name: names.get(entry.actor_id) ?? null,
  target_name: names.get(entry.target) ?? null,
});
