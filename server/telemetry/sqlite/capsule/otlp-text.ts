/** Writes spans as the JSON text of ExportTraceServiceRequests, each resource and scope said once where spans of it follow each other. */
import { otlpJsonOf, otlpLogOf } from '../../../ingest/otlp/encode-json.ts';
import type { RawLog, SentSpan } from '../../../ingest/otlp/raw-span.ts';

type Json = Record<string, unknown>;

export class OtlpText {
  /** UTF-16 units, about bytes. */
  length = 0;
  count = 0;
  readonly #pieces: string[] = [];
  #owner = '';

  add({ span, resource, scope }: SentSpan): void {
    const json = otlpJsonOf({ span, resource, scope });
    const owner = ownerText(json.resource, json.scope);
    const text = JSON.stringify(json.span);
    if (owner === this.#owner) this.#put(`,${text}`);
    else this.#put(`${this.#owner === '' ? '' : ']}]},'}${owner}${text}`);
    this.#owner = owner;
    this.count++;
  }

  #put(text: string): void {
    this.#pieces.push(text);
    this.length += text.length;
  }

  /** The value of `resourceSpans`. */
  resourceSpans(): string {
    return this.#owner === '' ? '[]' : `[${this.#pieces.join('')}]}]}]`;
  }
}

/** All up to the first span: `{"resource":…,"scopeSpans":[{"scope":…,"spans":[`. */
function ownerText({ schemaUrl, ...resource }: Json, { schemaUrl: scopeUrl, ...scope }: Json): string {
  const urlOf = (url: unknown) => (url === undefined ? '' : `"schemaUrl":${JSON.stringify(url)},`);
  return `{"resource":${JSON.stringify(resource)},${urlOf(schemaUrl)}"scopeSpans":[{"scope":${JSON.stringify(scope)},${urlOf(scopeUrl)}"spans":[`;
}

/** The value of `resourceLogs`; '' for none. What records were sent under is not kept: only the record counts. */
export const resourceLogs = (logs: readonly RawLog[]): string =>
  logs.length === 0 ? '' : JSON.stringify([{ scopeLogs: [{ logRecords: logs.map(otlpLogOf) }] }]);
