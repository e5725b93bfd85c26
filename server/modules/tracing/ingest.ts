import type { IngestReply, LogsReply } from '../../../shared/contract/tracing/ingest.ts';
import { Failure, fail } from '../../app/fail.ts';
import { entryOf, type LoggedOutcome } from '../../app/ingest-log-entry.ts';
import { Answer, type Context, defineModule } from '../../app/module.ts';
import { protobufTypes, varint } from '../../app/otlp-status.ts';
import { failForOverload } from '../../app/overload.ts';
import { refuseOverQuota } from '../../app/quota-refusal.ts';
import { contentLength, type Media, readBytes, readMedia } from '../../app/read-body.ts';
import type { Services } from '../../app/services.ts';
import { metricsHint } from '../../ingest/agent-records/hint.ts';
import { QuotaExceeded } from '../../ingest/allowance.ts';
import type { Signal } from '../../ingest/decode-thread.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';
import { type Conditions, type IngestOutcome, IngestRefusal } from '../../ingest/pipeline.ts';

const mediaTypes = ['application/json', ...protobufTypes];
const linesMax = 5;

export const ingestModule = defineModule({
  group: 'ingest',
  needs: ['ingest', 'ingestLog', 'clock', 'environmentResolver'],
  wants: ['plans'],
  build: (services) => ({
    traces: (context) => withLogEntry(context, services, () => ingest(context, services, 'traces')),

    logs: (context) => withLogEntry(context, services, () => ingest(context, services, 'logs')),

    metrics: async ({ request, requestId, scope }) => {
      const { type } = readMedia(request, mediaTypes);
      const { length } = await readBytes(request, otlpLimits.bodyBytesMax);
      const { ingestLog, clock } = services;
      // One hint is enough for senders of unsupported data.
      const outcome = { status: 200, message: '', hint: metricsHint, bytes: length };
      if (ingestLog.isUnused(scope)) ingestLog.add(scope, entryOf(request, requestId, clock.now(), clock.now(), outcome));
      return type === 'application/json' ? new Answer(200, { data: { requestId } }) : protobufAnswer(0, '');
    },
  }),
});

type IngestServices = Pick<Services, 'ingest' | 'ingestLog' | 'clock' | 'environmentResolver'> & Partial<Pick<Services, 'plans'>>;

interface IngestResult {
  answer: Answer;
  bytes: number;
  outcome: IngestOutcome;
}

async function ingest(context: Context, services: IngestServices, signal: Signal): Promise<IngestResult> {
  const { scope, request, requestId } = context;
  const { ingest } = services;
  const media = readMedia(request, mediaTypes);
  const admission = admit(ingest, contentLength(request) ?? undefined);
  try {
    const bytes = await readBytes(request, otlpLimits.bodyBytesMax, admission.arrived);
    const protobuf = media.type !== 'application/json';
    const size = bytes.length;
    const outcome = await ingest.submit(
      scope,
      { signal, bytes, encoding: media.encoding, protobuf },
      await conditionsOf(context, services),
    );
    return { answer: answerOf(requestId, media, signal, outcome), bytes: size, outcome };
  } catch (error) {
    if (error instanceof IngestRefusal) fail(error.code, error.message);
    failForOverload(error);
    if (error instanceof QuotaExceeded) refuseOverQuota(error.exceeded, context, services.clock.now());
    throw error;
  } finally {
    admission.release();
  }
}

async function conditionsOf(
  { principal, request, scope }: Context,
  { clock, environmentResolver, plans }: IngestServices,
): Promise<Conditions> {
  const [attribution, allowance = null] = await Promise.all([environmentResolver.of(principal, request), plans?.of(scope.tenant_id)]);
  return {
    received_ms: clock.now(),
    attribution,
    allowance: allowance && { monthly_spans: allowance.monthly_spans, storage_bytes: allowance.storage_bytes },
  };
}

function admit(ingest: IngestServices['ingest'], length: number | undefined) {
  try {
    return ingest.admit(length);
  } catch (error) {
    failForOverload(error);
    throw error;
  }
}

/**
 * A full success has no further content; rejections and adjustments go into `partialSuccess`, which is never empty
 * (docs/reference/ingest.md#answers).
 */
function answerOf(requestId: string, { type }: Media, signal: Signal, { rejected, conflicts, reasons }: IngestOutcome): Answer {
  const rejectedCount = rejected + conflicts.length;
  const lines = [...reasons, ...conflicts].slice(0, linesMax);
  if (type !== 'application/json') return protobufAnswer(rejectedCount, lines.join('; '));
  if (lines.length === 0) return new Answer(200, { data: { requestId } } satisfies IngestReply & LogsReply);
  const partialSuccess = { [rejectedField[signal]]: String(rejectedCount), errorMessage: lines.join('; ') };
  return new Answer(200, { data: { requestId }, partialSuccess });
}

const rejectedField: Record<Signal, string> = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' };

/** ExportTraceServiceResponse, or its counterpart for logs: field 1 is partial_success {1: rejected_spans, 2: error_message}; full success is empty. */
function protobufAnswer(rejectedCount: number, message: string): Answer {
  const headers = { 'Content-Type': 'application/x-protobuf' };
  if (message === '') return new Answer(200, new Uint8Array(0), headers);
  const text = Buffer.from(message);
  const partial = Buffer.concat([
    Buffer.from([...(rejectedCount > 0 ? [0x08, ...varint(rejectedCount)] : []), 0x12, ...varint(text.length)]),
    text,
  ]);
  return new Answer(200, Buffer.concat([Buffer.from([0x0a, ...varint(partial.length)]), partial]), headers);
}

/** Adds the request to the ingest log, whatever its outcome. */
async function withLogEntry(
  context: Context,
  { ingestLog, clock }: Pick<Services, 'ingestLog' | 'clock'>,
  run: () => Promise<IngestResult>,
): Promise<Answer> {
  const { request, scope, requestId } = context;
  const startMs = clock.now();
  const note = (outcome: LoggedOutcome) => ingestLog.add(scope, entryOf(request, requestId, startMs, clock.now(), outcome));
  try {
    const { answer, bytes, outcome } = await run();
    note({
      status: answer.status,
      message: [...outcome.reasons, ...outcome.conflicts].slice(0, linesMax).join('; '),
      hint: outcome.hint,
      bytes,
      spans_accepted: outcome.accepted,
      spans_duplicate: outcome.duplicates,
      spans_rejected: outcome.rejected + outcome.conflicts.length,
      ...outcome.spanCounts,
    });
    return answer;
  } catch (error) {
    const { status, code, message } = error instanceof Failure ? error : new Failure('internal_error', 'The request failed');
    note({ status, code, message, bytes: contentLength(request) ?? 0 });
    throw error;
  }
}
