/** What the store itself is like. On one's own machine only. */
import { z } from 'zod';
import { damaged } from '../core/damaged.ts';
import { one } from '../core/envelope.ts';
import { limit } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const moment = z.iso.datetime();

export const keepDaysMax = 3650;
/** A smaller store would be nothing but what never goes. */
export const storeBytesMin = 64 * 1024 ** 2;

const keepDays = z.int().min(1).max(keepDaysMax);

const retention = z
  .object({
    keep_days: keepDays.nullable().meta({ description: 'Since a trace arrived; null for ever.' }),
    max_bytes: z
      .int()
      .min(storeBytesMin)
      .nullable()
      .meta({ description: 'What the database may hold before the oldest go; null for any.' }),
  })
  .meta({ id: 'Retention' });
export type Retention = z.output<typeof retention>;

const compaction = z
  .object({
    state: z.enum(['running', 'done', 'stopped', 'failed', 'at-next-start']).meta({
      description:
        '`at-next-start`: a file of an earlier version cannot shrink while it is in use. It is written anew when the gateway starts next.',
    }),
    phase: z
      .enum(['names', 'pages'])
      .meta({ description: 'Names that nothing has any more are dropped first; then pages are moved and given back.' }),
    part: z.number().min(0).max(1).meta({ description: 'How much of the phase is done.' }),
    freed_bytes: z.int().meta({ description: 'Given back to the disk so far.' }),
    left_bytes: z.int().meta({ description: 'In pages that hold nothing and are still in the file.' }),
    began_at: moment,
    ended_at: moment.nullable(),
    problem: z.string().nullable().meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'Compaction', description: 'The newest since the gateway was started.' });
export type Compaction = z.output<typeof compaction>;

const storage = z
  .object({
    file: z.string(),
    folder: z.string(),
    database_bytes: z.int(),
    log_bytes: z.int().meta({ description: 'Size of the write-ahead log, which is checkpointed from time to time.' }),
    reusable_bytes: z.int().meta({ description: 'Pages within the database that hold nothing now.' }),
    disk_free_bytes: z.int(),
    traces: z.int(),
    spans: z.int(),
    sessions: z.int(),
    scores: z.int(),
    oldest: moment.nullable(),
    newest: moment.nullable(),
    retention: retention.extend({
      removed_traces: z.int().meta({ description: 'Ever, by these rules.' }),
      removed_at: moment.nullable().meta({ description: 'When the last of them went.' }),
    }),
    compaction: compaction.nullable(),
    damage: damaged
      .extend({
        last: z.string().meta({ description: 'What was met last.' }),
        kept: z.array(z.string()).meta({ description: 'Folders in which damaged bytes are kept as they were found.' }),
      })
      .nullable(),
    quarantined: z.array(
      z.object({
        folder: z.string(),
        at: moment.nullable(),
        bytes: z.int(),
        reason: z.string().meta({ description: 'Empty when it was not noted.' }),
      }),
    ),
  })
  .meta({
    id: 'Storage',
    description: 'Where things are kept and how much there is. Stores that were set aside are listed, newest first.',
  });
export type Storage = z.output<typeof storage>;

const declare = { tag: 'viewer', touches: ['telemetry'], only: 'local' } as const;
/** Nothing is written before the answer: a full disk is told in the state of the compaction. */
const inBackground = { touches: [], errors: ['storage_unavailable'] } as const;

export const viewerStorage = {
  get: route({
    ...declare,
    id: 'viewer-storage',
    method: 'GET',
    path: '/v1/viewer/storage',
    summary: 'Say where traces are kept, how much there is, and what was set aside',
    permission: 'trace.read',
    reply: one(storage),
    errors: [],
  }),
  older: route({
    ...declare,
    id: 'viewer-storage-older',
    method: 'GET',
    path: '/v1/viewer/storage/older',
    summary: 'Count, about, the traces that arrived before so many days: those that a rule would take',
    permission: 'trace.read',
    query: z.object({ days: limit(30, keepDaysMax) }),
    reply: one(z.object({ traces: z.int() })),
    errors: [],
  }),
  putRetention: route({
    ...declare,
    id: 'viewer-storage-retention',
    method: 'PUT',
    path: '/v1/viewer/storage/retention',
    summary: 'Say how long traces are kept. What is older goes soon, for good',
    permission: 'trace.write',
    body: retention,
    reply: one(retention),
    errors: [],
  }),
  compact: route({
    ...declare,
    id: 'viewer-storage-compact',
    method: 'POST',
    path: '/v1/viewer/storage/compact',
    summary: 'Begin to give room that nothing takes back to the disk, a little at a time between writes. One that runs goes on',
    permission: 'trace.write',
    reply: one(storage),
    status: [202],
    ...inBackground,
  }),
  cancelCompaction: route({
    ...declare,
    id: 'viewer-storage-compact-cancel',
    method: 'DELETE',
    path: '/v1/viewer/storage/compact',
    summary: 'End a compaction that runs. What was given back stays given back',
    permission: 'trace.write',
    reply: one(storage),
    ...inBackground,
  }),
};
