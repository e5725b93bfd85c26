/**
 * `npm run bench:redaction -- --dir ../shared/corpus`: recall on seeded secrets, false positives in recorded traffic (which has only test
 * keys), whether dropped inputs and outputs are really gone, and the time per span. It calls redaction and the store directly, because
 * HTTP does not return what it counts. Exits with 0 only when no dropped content remains.
 */
import { parseArgs } from 'node:util';
import { seededSecrets } from '../../server/fixtures/seeded-secrets.ts';
import { StoreOutbox } from '../../server/forwarding/forwarder.ts';
import { noRedactionSetting, Redaction } from '../../server/forwarding/redaction.ts';
import type { RedactionSetting } from '../../server/forwarding/redaction-thread.ts';
import { createPricing } from '../../server/ingest/cost/pricing.ts';
import { contentOf } from '../../server/ingest/normalise/index.ts';
import { otlpJsonOf } from '../../server/ingest/otlp/encode-json.ts';
import { withLogsAsEvents } from '../../server/ingest/otlp/log-events.ts';
import type { SpanData } from '../../server/ingest/otlp/raw-span.ts';
import { BatchBuilder } from '../../server/ingest/prepare/prepare.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { RedactionProcessor } from '../../server/redaction/redaction-processor.ts';
import { openSqliteTelemetry } from '../../server/telemetry/sqlite/store.ts';
import { type HiddenKind, hiddenKinds, noRedaction, type RedactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { type CorpusSpan, corpusSpans } from './corpus-spans.ts';
import { remainingTexts } from './texts.ts';

const { values } = parseArgs({
  options: { dir: { type: 'string', default: '../shared/corpus' }, spans: { type: 'string', default: '20000' } },
});
const key = new Uint8Array(32).fill(1);
const noContext = { environment: '', tags: [] };
const hidingAll: RedactionPolicy = { ...noRedaction, hide: [...hiddenKinds] };
const print = (line: string) => process.stdout.write(`${line}\n`);

function recall(): void {
  const redaction = new RedactionProcessor(hidingAll, key);
  const counts = new Map<HiddenKind, { all: number; found: number }>();
  const missed = new Map<string, number>();
  const [first] = corpusSpans(values.dir);
  if (!first) throw new Error(`No span in ${values.dir}`);
  for (const { kind, shape, text, forms } of seededSecrets(10_200, 99)) {
    const wrapped = JSON.stringify({ note: `Use ${text}\nfrom now on.` });
    const sent: SpanData = { ...first.sent, span: { ...first.sent.span, attributes: [['input.value', wrapped]] } };
    const remaining = JSON.stringify(redaction.span(sent, noContext)?.sent.span.attributes);
    const isFound = forms.every((form) => !remaining.includes(form) && !remaining.includes(JSON.stringify(form).slice(1, -1)));
    const count = counts.get(kind) ?? { all: 0, found: 0 };
    counts.set(kind, { all: count.all + 1, found: count.found + (isFound ? 1 : 0) });
    if (!isFound) missed.set(shape, (missed.get(shape) ?? 0) + 1);
  }
  print('## Recall of seeded values, in JSON in an attribute');
  for (const [kind, { all, found }] of counts) print(`${kind.padEnd(12)} ${found} of ${all} (${((100 * found) / all).toFixed(2)} %)`);
  for (const [shape, count] of missed) print(`  missed: ${count} of ${shape}`);
}

function falsePositives(spans: readonly CorpusSpan[]): void {
  const redaction = new RedactionProcessor(hidingAll, key);
  let bytes = 0;
  const found = new Map<string, { kind: HiddenKind; value: string; times: number; captures: Set<string> }>();
  for (const { capture, sent } of spans) {
    bytes += Buffer.byteLength(JSON.stringify(otlpJsonOf(sent)));
    for (const { token, kind, value } of redaction.span(sent, noContext)?.tokens ?? []) {
      const entry = found.get(token) ?? { kind, value, times: 0, captures: new Set<string>() };
      entry.times++;
      found.set(token, { ...entry, captures: entry.captures.add(capture) });
    }
  }
  print(`## What is hidden in ${spans.length} recorded spans (${(bytes / 1e6).toFixed(2)} MB)`);
  for (const { kind, value, times, captures } of [...found.values()].sort((a, b) => b.times - a.times))
    print(
      `${kind.padEnd(12)} ${String(times).padStart(4)} times in ${captures.size} captures (${[...captures][0]}): ${JSON.stringify(value.slice(0, 80))}`,
    );
  const times = [...found.values()].reduce((sum, each) => sum + each.times, 0);
  print(
    `${found.size} values, ${times} times: ${((1000 * times) / spans.length).toFixed(1)} per 1,000 spans, ${(times / (bytes / 1e6)).toFixed(1)} per MB`,
  );
}

/** @returns how many texts of dropped inputs and outputs remain */
function remainingContent(spans: readonly CorpusSpan[]): number {
  const redaction = new RedactionProcessor({ ...noRedaction, drop: { inputs: true, outputs: true, keys: [] } }, key);
  const left = new Map<string, Set<string>>();
  let [withContent, withRest] = [0, 0];
  for (const { capture, sent } of spans) {
    const after = redaction.span(sent, noContext)?.sent ?? sent;
    const before = contentOf(withLogsAsEvents(sent));
    if (before.input !== '' || before.output !== '') withContent++;
    const { input, output, output_object, input_messages, output_messages, props, tool_definitions } = contentOf(withLogsAsEvents(after));
    if (
      [input, output, output_object, props, tool_definitions].some((text) => text !== '') ||
      input_messages.length + output_messages.length > 0
    ) {
      withRest++;
      left.set(
        capture,
        (left.get(capture) ?? new Set()).add(`${sent.span.name} still has content: ${input}${output}${output_object}`.slice(0, 100)),
      );
    }
    for (const text of remainingTexts(sent, after)) {
      const where = JSON.stringify(
        after.span.attributes.find(([, value]) => JSON.stringify(value).includes(JSON.stringify(text).slice(1, -1)))?.[0] ??
          after.span.name,
      );
      left.set(capture, (left.get(capture) ?? new Set()).add(`${where}: ${text.slice(0, 60)}`));
    }
  }
  print(`## Inputs and outputs dropped from ${withContent} spans that have some: ${withRest} still have some after normalisation`);
  for (const [capture, texts] of left) for (const text of texts) print(`  ${capture} ${text}`);
  return [...left.values()].reduce((sum, texts) => sum + texts.size, 0);
}

function speed(spans: readonly CorpusSpan[]): void {
  const redactions: [string, RedactionProcessor][] = [
    ['hides everything', new RedactionProcessor(hidingAll, key)],
    [
      'hides everything, drops inputs and outputs',
      new RedactionProcessor({ ...hidingAll, drop: { inputs: true, outputs: true, keys: ['app.*'] } }, key),
    ],
  ];
  print('## Time of redaction alone, over the recorded spans, median of 9 rounds');
  for (const [name, redaction] of redactions) {
    const rounds = Array.from({ length: 9 }, () => {
      const began = performance.now();
      for (const { sent } of spans) redaction.span(sent, noContext);
      return ((performance.now() - began) * 1000) / spans.length;
    }).sort((a, b) => a - b);
    print(`${name}: ${(rounds[4] ?? 0).toFixed(1)} µs per span`);
  }
}

/** Time from the store to the compressed batch, through one reader thread and the redaction thread, as in the forwarder. */
async function throughput(spans: readonly CorpusSpan[]): Promise<void> {
  const folder = makeScratchFolder('redaction');
  const worker = new URL('../../server/entry/thread.ts', import.meta.url);
  const store = await openSqliteTelemetry(folder, worker, undefined, { readers: 1 });
  const redaction = new Redaction(worker);
  const scope = { tenant_id: 'local', app_id: 'local' };
  const pricing = createPricing();
  const spanCount = Number(values.spans);
  try {
    for (let at = 0; at < spanCount; ) {
      const builder = new BatchBuilder(pricing, Date.now(), null);
      for (const end = Math.min(spanCount, at + 500); at < end; at++) {
        const { sent } = spans[at % spans.length] as CorpusSpan;
        const span_id = (BigInt(at) + 2n ** 60n).toString(16).padStart(16, '0');
        builder.add({ span: { ...sent.span, span_id }, resource: sent.resource, scope: sent.scope, warnings: [] });
      }
      await store.writer.write(scope, builder.finish());
    }
    print(`## From the store to compressed batches of 512, ${spanCount} spans, one reader thread and one redaction thread`);
    const settings: [string, RedactionSetting][] = [
      ['without rules', noRedactionSetting],
      ['hides everything', { policy: hidingAll, token_key: key }],
      ['without rules, again', noRedactionSetting],
      ['hides everything, again', { policy: hidingAll, token_key: key }],
    ];
    for (const [name, setting] of settings) {
      await store.forwarding.begin(scope, name, true);
      const began = performance.now();
      const outbox = new StoreOutbox({ telemetry: store, redaction, scope, name, setting, clock: systemClock });
      let sent = 0;
      for (let batch = await outbox.next(512); batch; batch = await outbox.next(512)) {
        sent += batch.count;
        await outbox.ack(batch, { count: 0, message: '' });
      }
      const seconds = (performance.now() - began) / 1000;
      print(`${name}: ${Math.round(sent / seconds)} spans/s (${((seconds * 1e6) / sent).toFixed(0)} µs per span)`);
    }
  } finally {
    await redaction.stop();
    await store.stop();
    removeFolder(folder);
  }
}

const spans = corpusSpans(values.dir);
recall();
falsePositives(spans);
const left = remainingContent(spans);
speed(spans);
await throughput(spans);
process.exitCode = left === 0 ? 0 : 1;
