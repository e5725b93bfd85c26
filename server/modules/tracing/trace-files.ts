import { z } from 'zod';
import { archiveType } from '../../../shared/contract/core/export-limits.ts';
import { scoreDraft } from '../../../shared/contract/evaluation/score-draft.ts';
import { type Score, score } from '../../../shared/contract/evaluation/scores.ts';
import type { ImportReport } from '../../../shared/contract/tracing/trace-files.ts';
import { traceTag } from '../../../shared/contract/tracing/trace-tags.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { failForOverload } from '../../app/overload.ts';
import type { Services } from '../../app/services.ts';
import type { IngestBody, IngestOutcome } from '../../ingest/pipeline.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { nextTurn } from '../../platform/next-turn.ts';
import { release } from '../../platform/release.ts';
import type { Scope } from '../../platform/scope.ts';
import type { ArchivePart, TraceFile } from '../../telemetry/archive-store.ts';
import { addedTagsMax } from '../../telemetry/trace-tags.ts';

/** Local only: files come from and go to the user's disk. */
export const traceFilesModule = defineModule({
  group: 'traceFiles',
  needs: ['localTelemetry', 'ingest', 'clock'],
  build: (services) => ({
    exportOtlp: async ({ scope }, { query }) =>
      download(
        await services.localTelemetry.archives.otlp(scope, query.trace_id),
        query.trace_id,
        'otlp.json',
        'application/json; charset=utf-8',
      ),

    exportArchive: async ({ scope }, { query }) => {
      const file = await services.localTelemetry.archives.pack(scope, query.trace_id, services.clock.now());
      return download(file, query.trace_id, 'capsule', archiveType);
    },

    importArchive: async ({ scope }, { body }) => {
      const { problem, trace_ids, parts, scores, added_tags, bytes } = await services.localTelemetry.archives.open(scope, body);
      if (problem !== null) fail('invalid_capsule', problem);
      const valid = await validScores(scores);
      const tagged = validTags(trace_ids, added_tags);
      const report = await storeParts(services, scope, parts, bytes);
      release(bytes);
      const stored = await storeScores(services, scope, valid);
      for (const [traceId, add] of tagged) await services.localTelemetry.tags.change(scope, { trace_ids: [traceId], add, remove: [] });
      return { data: { trace_ids, ...report, scores_accepted: stored, scores_duplicate: valid.length - stored } };
    },
  }),
});

/** Body of `POST /v1/scores` with the fields that the gateway adds. Stored scores may have other sources. */
const archiveScore = z
  .strictObject(score.shape)
  .refine((fields) => scoreDraft.safeParse({ ...fields, source: 'api' }).success)
  .refine(({ source, user_id = '' }) => source.length <= 128 && source.isWellFormed() && user_id.isWellFormed());

async function validScores(scores: readonly unknown[]): Promise<Score[]> {
  const valid: Score[] = [];
  for (const slice of inSlices(scores)) {
    const parsed = z.array(archiveScore).safeParse(slice);
    if (!parsed.success) fail('invalid_capsule', 'The archive holds a score that cannot be stored');
    valid.push(...parsed.data);
    await nextTurn();
  }
  return valid;
}

function validTags(traceIds: readonly string[], tags: Record<string, string[]>): [string, string[]][] {
  const entry = z.tuple([z.string().refine((id) => traceIds.includes(id)), z.array(traceTag).max(addedTagsMax)]);
  const valid = z.array(entry).safeParse(Object.entries(tags));
  return valid.success ? valid.data : fail('invalid_capsule', 'The archive holds a tag that a trace cannot have');
}

function download({ problem, bytes }: TraceFile, traceIds: readonly string[], extension: string, type: string): Answer {
  if (problem?.kind === 'missing') fail('trace_not_found', `No trace ${problem.trace_id}`);
  if (problem) fail('payload_too_large', 'These traces are too large for one file. Export fewer at a time');
  const first = (traceIds[0] ?? '').replaceAll(/[^\w-]/g, '_').slice(0, 32);
  const name = traceIds.length === 1 ? `trace-${first}` : `traces-${traceIds.length}-${first}`;
  return new Answer(200, bytes, { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}.${extension}"` });
}

type Stored = Pick<ImportReport, 'spans_accepted' | 'spans_duplicate' | 'spans_conflicting'>;

/** Ingests the parts like ordinary OTLP requests. */
async function storeParts(services: ImportServices, scope: Scope, parts: ArchivePart[], bytes: Uint8Array): Promise<Stored> {
  const stored: Stored = { spans_accepted: 0, spans_duplicate: 0, spans_conflicting: 0 };
  for (const { signal, at, size } of parts) {
    const body = { signal, bytes: bytes.slice(at, at + size), encoding: null, protobuf: false };
    const { accepted, duplicates, conflicts } = await submit(services, scope, body);
    stored.spans_accepted += accepted;
    stored.spans_duplicate += duplicates;
    stored.spans_conflicting += conflicts.length;
  }
  return stored;
}

type ImportServices = Pick<Services, 'ingest' | 'clock'>;

async function submit({ ingest, clock }: ImportServices, scope: Scope, body: IngestBody): Promise<IngestOutcome> {
  try {
    const admission = ingest.admit(body.bytes.length);
    try {
      admission.arrived(body.bytes.length);
      return await ingest.submit(scope, body, { received_ms: clock.now(), attribution: null, allowance: null });
    } finally {
      admission.release();
    }
  } catch (error) {
    failForOverload(error);
    throw error;
  }
}

const storeScores = async ({ localTelemetry }: Pick<Services, 'localTelemetry'>, scope: Scope, scores: Score[]): Promise<number> =>
  scores.length === 0 ? 0 : localTelemetry.scores.insert(scope, scores);
