/**
 * Traces as files, to keep or to share. OTLP/JSON is what was received, without scores; any tool that knows OTLP reads it. A trace archive
 * holds the same, the scores and added tags, is a tenth of the size, and looks the same when it is opened on another machine.
 */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { archiveBytesMax, archiveType } from '../core/export-limits.ts';
import { describedAs, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const tracesMax = 100;

const traceId = text.min(1, 'must not be empty');

const selection = z.object({
  trace_id: z
    .union([traceId.transform((id) => [id]), z.array(traceId)])
    .refine((ids) => ids.length <= tracesMax, `at most ${tracesMax} traces`)
    .meta(describedAs({ type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: tracesMax })),
});

const otlpExport = z.looseObject({ resourceSpans: z.array(z.looseObject({})), resourceLogs: z.array(z.looseObject({})).optional() }).meta({
  id: 'OtlpExport',
  description: 'An ExportTraceServiceRequest. Log records of its spans are in `resourceLogs`, as in an ExportLogsServiceRequest.',
});

const importReport = z
  .object({
    trace_ids: z.array(z.string()),
    spans_accepted: z.int().meta({ description: 'Spans and log records that were not stored before.' }),
    spans_duplicate: z.int().meta({ description: 'Already stored with the same content.' }),
    spans_conflicting: z.int().meta({ description: 'Left out: other spans are stored under their ids.' }),
    scores_accepted: z.int(),
    scores_duplicate: z.int().meta({ description: 'Scores whose ids are already stored.' }),
  })
  .meta({
    id: 'ImportReport',
    description: 'What was imported from a trace archive. Importing the same archive again adds nothing and is not an error.',
  });
export type ImportReport = z.output<typeof importReport>;

export const traceFiles = {
  exportOtlp: route({
    id: 'viewer-export-otlp',
    method: 'GET',
    path: '/v1/viewer/export/otlp',
    summary: 'Read whole traces as they were received, as one OTLP/JSON document that POST /v1/traces takes',
    tag: 'viewer',
    permission: 'trace.read',
    query: selection,
    reply: otlpExport,
    touches: ['telemetry'],
    errors: ['trace_not_found', 'payload_too_large'],
    only: 'local',
  }),
  exportArchive: route({
    id: 'viewer-export-capsule',
    method: 'GET',
    path: '/v1/viewer/export/capsule',
    summary: 'Read whole traces with their scores as a trace archive: one file that another gateway imports',
    tag: 'viewer',
    permission: 'trace.read',
    query: selection,
    reply: z.string().meta({ format: 'binary' }),
    touches: ['telemetry'],
    errors: ['trace_not_found', 'payload_too_large'],
    only: 'local',
    wire: 'bytes',
  }),
  importArchive: route({
    id: 'viewer-import-capsule',
    method: 'POST',
    path: '/v1/viewer/import',
    summary: 'Import a trace archive. All of it is validated before any of it is stored',
    tag: 'viewer',
    permission: 'trace.write',
    body: z
      .custom<Uint8Array>((body) => body instanceof Uint8Array)
      .meta({ override: { type: 'string', format: 'binary', description: 'A trace archive of at most 48 MiB.' } }),
    takes: { type: archiveType, bytesMax: archiveBytesMax },
    reply: one(importReport),
    touches: ['telemetry'],
    errors: ['invalid_capsule'],
    only: 'local',
  }),
};
