/** Redaction of forwarded data: the rules of a destination, their preview, and the lookup of tokens. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';

/** Kinds of values that are detected in texts. A token names its kind: `‹email-…›`. */
export const hiddenKinds = ['api_key', 'private_key', 'jwt', 'credential', 'email', 'card', 'iban', 'ssn', 'phone', 'ip'] as const;
export type HiddenKind = (typeof hiddenKinds)[number];

export const redactionLimits = { patternsMax: 100, patternLengthMax: 200, namesMax: 50, nameLengthMax: 200, previewSpansMax: 50 } as const;

const names = z.array(z.string().min(1).max(redactionLimits.nameLengthMax)).max(redactionLimits.namesMax);

export const redactionPolicy = z
  .strictObject({
    drop: z.strictObject({
      inputs: z.boolean().meta({ description: 'Inputs of models and tools, in every convention.' }),
      outputs: z.boolean().meta({ description: 'Their outputs, and retrieved documents.' }),
      keys: z
        .array(z.string().min(1).max(redactionLimits.patternLengthMax))
        .max(redactionLimits.patternsMax)
        .meta({ description: 'Attributes of these keys. `*` stands for anything.' }),
    }),
    hide: z
      .array(z.enum(hiddenKinds))
      .max(hiddenKinds.length)
      .meta({ description: 'Values of these kinds are replaced by tokens. What a token stands for stays on this machine.' }),
    only: z
      .strictObject({ environments: names, tags: names })
      .meta({ description: 'Only what was sent from one of these environments, and only traces with one of these tags. Empty: all.' }),
  })
  .meta({ id: 'RedactionPolicy' });
export type RedactionPolicy = z.output<typeof redactionPolicy>;

/** Everything is sent unchanged. */
export const noRedaction: RedactionPolicy = {
  drop: { inputs: false, outputs: false, keys: [] },
  hide: [],
  only: { environments: [], tags: [] },
};

const change = z.object({
  path: z.string().meta({ description: 'Where, as in `span.attributes.input.value`.' }),
  before: z.string().meta({ description: 'The stored value. Long texts are cut around the change.' }),
  after: z.string().nullable().meta({ description: 'What would be sent; null when nothing of it is.' }),
  kinds: z.array(z.enum(hiddenKinds)).meta({ description: 'The kinds found in it; empty when it is dropped.' }),
});
export type RedactionChange = z.output<typeof change>;

const previewedSpan = z.object({
  trace_id: z.string(),
  span_id: z.string(),
  name: z.string(),
  retained: z.boolean().meta({ description: 'Not sent, because of its environment or tags.' }),
  changes: z.array(change),
  change_count: z.int().meta({ description: 'The number of all changes; only the first are listed.' }),
});
export type PreviewedSpan = z.output<typeof previewedSpan>;

const preview = z
  .object({
    spans: z.array(previewedSpan),
    totals: z.object({
      spans: z.int(),
      retained: z.int(),
      changed: z.int(),
      dropped: z.int().meta({ description: 'Attributes and bodies that are not sent.' }),
      hidden: z.partialRecord(z.enum(hiddenKinds), z.int()).meta({ description: 'Values that are replaced by tokens, by kind.' }),
      bytes_before: z.int().meta({ description: 'Approximate size as OTLP/JSON before compression.' }),
      bytes_after: z.int(),
    }),
    more: z.boolean().meta({ description: 'The trace has more spans than these.' }),
  })
  .meta({
    id: 'RedactionPreview',
    description: 'What a policy would do to stored spans. Nothing is sent or stored.',
  });
export type RedactionPreview = z.output<typeof preview>;

const token = z
  .object({ token: z.string(), kind: z.enum(hiddenKinds), value: z.string(), first_at: z.iso.datetime() })
  .meta({ id: 'RedactionToken' });
export type RedactionToken = z.output<typeof token>;

const declare = { tag: 'viewer', only: 'local' } as const;

export const redaction = {
  preview: route({
    ...declare,
    id: 'redaction-preview',
    method: 'POST',
    path: '/v1/viewer/forwarding/preview',
    summary: 'Preview what a policy would do to a trace or to the newest spans',
    permission: 'span.read',
    body: z.object({
      policy: redactionPolicy,
      trace_id: z.string().min(1).max(200).optional().meta({ description: 'Absent: the newest spans of all traces.' }),
      limit: z.int().min(1).max(redactionLimits.previewSpansMax).default(20),
      offset: z.int().min(0).max(100_000).default(0),
    }),
    reply: one(preview),
    // It writes nothing, so a full disk does not matter.
    errors: ['trace_not_found', 'storage_unavailable'],
  }),
  token: route({
    ...declare,
    id: 'redaction-token',
    method: 'GET',
    path: '/v1/viewer/forwarding-tokens/:token',
    summary: 'Look up what a redaction token stands for',
    permission: 'span.read',
    params: z.object({ token: z.string().min(1).max(200) }),
    reply: one(token),
    touches: ['telemetry'],
    errors: ['not_found'],
  }),
};
