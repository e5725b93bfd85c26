/** State and maintenance of the store. Local gateways only. */
import { z } from 'zod';
import { damaged } from '../core/damaged.ts';
import { one } from '../core/envelope.ts';
import { limit } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const moment = z.iso.datetime();

export const keepDaysMax = 3650;
/** A smaller store could hold only what retention never removes. */
export const storeBytesMin = 64 * 1024 ** 2;

const keepDays = z.int().min(1).max(keepDaysMax);

const retention = z
  .object({
    keep_days: keepDays.nullable().meta({ description: 'Since the arrival of a trace; null keeps traces forever.' }),
    max_bytes: z
      .int()
      .min(storeBytesMin)
      .nullable()
      .meta({ description: 'Size of the database above which the oldest traces are removed; null for no limit.' }),
  })
  .meta({ id: 'Retention' });
export type Retention = z.output<typeof retention>;

const compaction = z
  .object({
    state: z.enum(['running', 'done', 'stopped', 'failed', 'at-next-start']).meta({
      description:
        '`at-next-start`: a file of an earlier version cannot shrink while it is in use, and a large one of which traces were deleted may have copies of them in unused bytes. It is rewritten when the gateway next starts.',
    }),
    phase: z
      .enum(['names', 'pages'])
      .meta({ description: 'Unused names are dropped first; then pages are moved and returned to the disk.' }),
    part: z.number().min(0).max(1).meta({ description: 'Fraction of the phase that is done.' }),
    freed_bytes: z.int().meta({ description: 'Returned to the disk so far.' }),
    left_bytes: z.int().meta({ description: 'In empty pages that are still in the file.' }),
    began_at: moment,
    ended_at: moment.nullable(),
    problem: z.string().nullable().meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'Compaction', description: 'The latest since the gateway was started.' });
export type Compaction = z.output<typeof compaction>;

const storage = z
  .object({
    file: z.string(),
    folder: z.string(),
    database_bytes: z.int(),
    log_bytes: z.int().meta({ description: 'Size of the write-ahead log, which is checkpointed from time to time.' }),
    reusable_bytes: z.int().meta({ description: 'Empty pages within the database.' }),
    disk_free_bytes: z.int(),
    traces: z.int(),
    spans: z.int(),
    sessions: z.int(),
    scores: z.int(),
    oldest: moment.nullable(),
    newest: moment.nullable(),
    retention: retention.extend({
      removed_traces: z.int().meta({ description: 'Total removed by retention.' }),
      removed_at: moment.nullable().meta({ description: 'When the last of them was removed.' }),
    }),
    compaction: compaction.nullable(),
    damage: damaged
      .extend({
        last: z.string().meta({ description: 'The latest damage found.' }),
        kept: z.array(z.string()).meta({ description: 'Folders that keep damaged data as it was found.' }),
      })
      .nullable(),
    quarantined: z.array(
      z.object({
        folder: z.string(),
        at: moment.nullable(),
        bytes: z.int(),
        reason: z.string().meta({ description: 'Empty when it was not recorded.' }),
      }),
    ),
  })
  .meta({
    id: 'Storage',
    description: 'Location and size of the store. Quarantined stores are listed newest first.',
  });
export type Storage = z.output<typeof storage>;

const declare = { tag: 'viewer', touches: ['telemetry'], only: 'local' } as const;
/** Nothing is written before the answer: a full disk shows in the state of the compaction. */
const inBackground = { touches: [], errors: ['storage_unavailable'] } as const;

export const viewerStorage = {
  get: route({
    ...declare,
    id: 'viewer-storage',
    method: 'GET',
    path: '/v1/viewer/storage',
    summary: 'Read the location and size of the store, and what was quarantined',
    permission: 'trace.read',
    reply: one(storage),
    errors: [],
  }),
  older: route({
    ...declare,
    id: 'viewer-storage-older',
    method: 'GET',
    path: '/v1/viewer/storage/older',
    summary: 'Estimate how many traces are older than a number of days, and so would be removed by retention',
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
    summary: 'Set how long traces are kept. Older traces are deleted soon after',
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
    summary: 'Start to return unused space to the disk, a little at a time between writes. A compaction that is running continues',
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
    summary: 'Stop a running compaction. Space that was returned to the disk stays free',
    permission: 'trace.write',
    reply: one(storage),
    ...inBackground,
  }),
};
