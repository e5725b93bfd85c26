/** What the store itself is like. On one's own machine only. */
import { z } from 'zod';
import { one } from './envelope.ts';
import { route } from './route.ts';

const moment = z.iso.datetime();

const storage = z
  .object({
    file: z.string(),
    folder: z.string(),
    database_bytes: z.int(),
    log_bytes: z.int().meta({ description: 'Of the write-ahead log, which is folded into the database from time to time.' }),
    reusable_bytes: z.int().meta({ description: 'Pages within the database that hold nothing now.' }),
    disk_free_bytes: z.int(),
    traces: z.int(),
    spans: z.int(),
    sessions: z.int(),
    scores: z.int(),
    oldest: moment.nullable(),
    newest: moment.nullable(),
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

export const viewerStorage = {
  get: route({
    id: 'viewer-storage',
    method: 'GET',
    path: '/v1/viewer/storage',
    summary: 'Say where traces are kept, how much there is, and what was set aside',
    tag: 'viewer',
    permission: 'trace.read',
    touches: ['telemetry'],
    only: 'local',
    reply: one(storage),
    errors: [],
  }),
};
