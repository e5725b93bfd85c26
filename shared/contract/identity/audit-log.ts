/** Who did what in a tenant, and who was refused. Additive, for its owners and admins: a key is for one app, and this is the log of all. */
import { z } from 'zod';
import { many } from '../core/envelope.ts';
import { limit, milliseconds, offset, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

/** Entries of one answer. */
export const auditPageMax = 10_000;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const auditChange = z
  .object({
    field: z.string().meta({ description: 'Name of the property.' }),
    before: value.optional().meta({ description: 'Its value before, at most 200 characters. Absent where there was none.' }),
    after: value.optional().meta({ description: 'Its value afterwards, at most 200 characters. Absent where there is none.' }),
  })
  .meta({
    id: 'AuditChange',
    description: 'A changed property. Without both values it has changed, and the log does not say from what to what.',
  });

const auditEntry = z
  .object({
    at: z.iso.datetime().meta({ description: 'When it happened.' }),
    app_id: z.string().nullable(),
    actor_kind: z.enum(['user', 'key', 'system']).meta({ description: 'Whether a person, a key or the gateway itself did it.' }),
    actor_id: z.string().meta({ description: 'Id of the person or key, or name of the part of the gateway.' }),
    actor_name: z.string().nullable().meta({ description: 'E-mail address of the person or name of the key. Null when it is not known.' }),
    ip: z.string().nullable().meta({ description: 'Address that the request came from. Null for what the gateway did by itself.' }),
    action: z.string().meta({ description: 'Resource and verb, such as `api_key.create`. `refused`: the caller lacked the permission.' }),
    target: z.string().meta({ description: 'Id of the record. Of the operation, when it was refused.' }),
    target_name: z.string().nullable().meta({ description: 'Name of the record. Null when it has none, or no longer exists.' }),
    changes: z
      .array(auditChange)
      .nullable()
      .meta({ description: 'What has changed. Null where that is not recorded, as in entries of earlier versions.' }),
  })
  .meta({ id: 'AuditEntry', description: 'Something that was done, or refused, with who did it to what.' });

export const auditLog = {
  list: route({
    id: 'list-audit-log',
    method: 'GET',
    path: '/v1/audit-log',
    summary: 'List the audit log of the tenant, newest first, as JSON or CSV',
    tag: 'audit-log',
    only: 'cloud',
    touches: ['control'],
    permission: 'audit_log.read',
    credential: 'session',
    app: 'none',
    query: z.object({
      limit: limit(50, auditPageMax),
      offset,
      actor: text.min(1, 'must not be empty').optional().meta({ description: 'Only what this person or key did: its id.' }),
      action: text
        .min(1, 'must not be empty')
        .optional()
        .meta({ description: 'Only this action, such as `api_key.create`, or all actions on a resource: `api_key`.' }),
      target: text.min(1, 'must not be empty').optional().meta({ description: 'Only what was done to the record with this id.' }),
      app_id: text.min(1, 'must not be empty').optional().meta({ description: 'Only what was done in this app.' }),
      from: milliseconds.optional().meta({ description: 'Since the epoch, inclusive.' }),
      to: milliseconds.optional().meta({ description: 'Since the epoch, exclusive.' }),
      format: z.enum(['json', 'csv']).default('json').meta({ description: '`csv` answers the same page as a file for spreadsheets.' }),
    }),
    reply: many(auditEntry),
    otherMediaTypes: ['text/csv'],
    errors: [],
  }),
};

export type AuditEntry = z.output<typeof auditEntry>;
export type AuditChange = z.output<typeof auditChange>;
