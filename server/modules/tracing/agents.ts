/** Sessions of coding agents (docs/reference/records.md#agent-sessions): events are stored as sent, and become spans of one trace. */
import { createHash } from 'node:crypto';
import { knownOf } from '../../agents/known-fields.ts';
import { traceIdOf } from '../../agents/session-spans.ts';
import { listInTurns } from '../../app/encode-in-turns.ts';
import { fail } from '../../app/fail.ts';
import { Answer, asPage, type Context, defineModule } from '../../app/module.ts';
import { failForOverload } from '../../app/overload.ts';
import { refuseOverQuota } from '../../app/quota-refusal.ts';
import type { Services } from '../../app/services.ts';
import type { Actor } from '../../control/actor.ts';
import type {
  AgentBlob,
  AgentPart,
  AgentQuota,
  AgentRefusal,
  AgentSession,
  AgentSessionStore,
  RecordResult,
} from '../../control/agent-session-store.ts';
import { type ExceededQuota, QuotaExceeded } from '../../ingest/allowance.ts';
import { must } from '../../platform/assert.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { nextTurn } from '../../platform/next-turn.ts';
import type { Scope } from '../../platform/scope.ts';
import { Encoded } from '../../telemetry/encoded.ts';

const blobBytesMax = 5 * 1024 * 1024;
/** Media types that a browser may display, because they cannot carry scripts. All others are downloads. */
const displayableTypes = /^(image\/(png|jpeg|gif|webp|avif)|(audio|video)\/[\w.+-]+)$/;

export const agentsModule = defineModule({
  group: 'agents',
  needs: ['control', 'agentDelivery', 'telemetry', 'plans', 'environmentResolver', 'clock'],
  build: (services) => ({
    ingest: async (context, { body }) => {
      const { events, blobs: sent, about, warnings } = knownOf(body);
      const { scope, principal, request } = context;
      const { agentSessions } = services.control;
      const blobs = await readBlobs(sent);
      const { quota, exhausted } = await quotaOf(context, services);
      const attribution = (await services.environmentResolver.of(principal, request)) ?? { name: '', version: null };
      const part = { about, trace_id: traceIdOf(about.session_id), events, blobs, attribution, quota };
      const recorded = await recordInPieces(agentSessions, principal.actor, scope, part);
      if ('refused' in recorded) {
        if (recorded.refused === 'size') return fail('payload_too_large', 'The session would become larger than 32 MiB');
        return refuseOverQuota(exhausted[recorded.refused], context, services.clock.now());
      }
      await deliver(context, services, about.session_id);
      const { isNew, ...counts } = recorded;
      const data = { session_id: about.session_id, ...counts, url: urlOf(context, about.session_id) };
      return new Answer(isNew ? 201 : 200, { data: { ...data, ...(warnings.length > 0 ? { warnings } : {}) } });
    },

    list: async (context, { query }) => {
      const { data, total } = await services.control.agentSessions.list(context.scope, query);
      return asPage(query, { data: data.map((session) => withUrl(context, session)), total });
    },

    get: async (context, { params: { sessionId } }) => {
      const session = await services.control.agentSessions.find(context.scope, sessionId);
      const { events, ...about } = session ?? fail('agent_session_not_found', `There is no session ${sessionId}`);
      const before = Buffer.from(`${JSON.stringify(withUrl(context, about)).slice(0, -1)},"events":`);
      const list = await listInTurns(events);
      const json = new Uint8Array(before.length + list.length + 1);
      json.set(before);
      json.set(list, before.length);
      json[json.length - 1] = 0x7d;
      return { data: new Encoded(json) };
    },

    blob: async ({ scope }, { params: { sha256 } }) => {
      const blob = await services.control.agentSessions.findBlob(scope, sha256);
      const { bytes, media_type } = blob ?? fail('blob_not_found', `There is no blob ${sha256}`);
      return new Answer(200, bytes, {
        'Content-Type': media_type,
        'Content-Security-Policy': "sandbox; default-src 'none'",
        ETag: `"${sha256}"`,
        ...(displayableTypes.test(media_type) ? {} : { 'Content-Disposition': `attachment; filename="${sha256.slice(0, 12)}.bin"` }),
      });
    },
  }),
});

/**
 * Splits a large part as its sender could have, because one write would delay all others. The end of the session is set with its last events.
 * A refusal concerns the whole part, unless others add to the session meanwhile.
 */
async function recordInPieces(
  sessions: AgentSessionStore,
  actor: Actor,
  scope: Scope,
  part: AgentPart,
): Promise<RecordResult | AgentRefusal> {
  const slices = inSlices(part.events);
  if (slices.length + part.blobs.length <= 1) return sessions.record(actor, scope, part);
  const refusal = await sessions.check(scope, part);
  if (refusal) return refusal;
  const { ended_at: _, ...unended } = part.about;
  const pieces: Pick<AgentPart, 'events' | 'blobs'>[] = slices.map((events) => ({ events, blobs: [] }));
  pieces.push(...part.blobs.map((blob) => ({ events: [], blobs: [blob] })));
  const recordedPieces: RecordResult[] = [];
  for (const [index, piece] of pieces.entries()) {
    const about = index < slices.length - 1 ? unended : part.about;
    const recorded = await sessions.record(actor, scope, { ...part, ...piece, about });
    if ('refused' in recorded) return recorded;
    recordedPieces.push(recorded);
    await nextTurn();
  }
  const sum = (what: 'events_added' | 'blobs_added') => recordedPieces.reduce((total, recorded) => total + recorded[what], 0);
  return { ...must(recordedPieces[0], 'there is a piece'), events_added: sum('events_added'), blobs_added: sum('blobs_added') };
}

type UrlContext = Pick<Context, 'baseUrl' | 'scope'>;

/** Dashboard page. The URL names the app, for users who have another one open. */
const urlOf = ({ baseUrl, scope }: UrlContext, sessionId: string): string =>
  `${baseUrl}/#/sessions/${encodeURIComponent(sessionId)}?app=${scope.app_id}`;
const withUrl = <S extends AgentSession>(context: UrlContext, session: S) => ({ ...session, url: urlOf(context, session.session_id) });

type SentBlob = Parameters<typeof readBlob>[0];

async function readBlobs(sent: readonly SentBlob[]): Promise<AgentBlob[]> {
  const blobs: AgentBlob[] = [];
  for (const [index, blob] of sent.entries()) {
    blobs.push(readBlob(blob, index));
    await nextTurn();
  }
  return blobs;
}

/** Decoded bytes, if they match their hash. */
function readBlob({ sha256, media_type, data }: { sha256: string; media_type: string; data: string }, index: number): AgentBlob {
  const refuse = (problem: string): never =>
    fail('invalid_request_body', 'Invalid request body', { details: { [`blobs.${index}`]: problem } });
  const bytes = Buffer.from(data, 'base64');
  // The decoder skips invalid characters, so the result is encoded again and compared.
  if (bytes.toString('base64') !== data) return refuse('data must be base64');
  if (bytes.length > blobBytesMax) return refuse('must not be larger than 5 MB');
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) return refuse('sha256 is not the hash of the data');
  return { sha256, media_type, bytes };
}

type QuotaServices = Pick<Services, 'control' | 'agentDelivery' | 'telemetry' | 'plans' | 'clock'>;

/** Usage and remaining quota of the tenant. The telemetry store has the final say about spans, which it counts. */
async function quotaOf({ scope }: Context, { control, telemetry, plans, clock }: QuotaServices) {
  const limits = await plans.of(scope.tenant_id);
  const agentBytes = await control.agentSessions.storedBytes(scope.tenant_id);
  const used = (await telemetry.usage.of(scope, clock.now())).decode();
  const exhausted: Record<keyof AgentQuota, ExceededQuota> = {
    events: { what: 'monthly_spans', current: used.spans, limit: limits.monthly_spans ?? 0 },
    bytes: { what: 'storage_bytes', current: used.bytes + agentBytes, limit: limits.storage_bytes ?? 0 },
  };
  const quota: AgentQuota = {
    events: limits.monthly_spans === null || used.spans < limits.monthly_spans,
    bytes: limits.storage_bytes === null ? null : limits.storage_bytes - used.bytes,
  };
  return { quota, exhausted };
}

async function deliver(context: Context, { agentDelivery, clock }: QuotaServices, sessionId: string): Promise<void> {
  try {
    await agentDelivery.deliver(context.scope, sessionId);
  } catch (error) {
    failForOverload(error);
    if (error instanceof QuotaExceeded) refuseOverQuota(error.exceeded, context, clock.now());
    throw error;
  }
}
