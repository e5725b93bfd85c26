/** Writes spans and log records as OTLP/JSON requests. Consecutive items share their resource and scope. */
import { otlpJsonOf, otlpLogOf } from './encode-json.ts';
import type { RawLog, SentSpan } from './raw-span.ts';

type Json = Record<string, unknown>;

/** A span or a log record. */
export interface WrittenItem {
  /** All up to the first item: `{"resource":…,"scopeSpans":[{"scope":…,"spans":[`. */
  head: string;
  item: string;
}

/** Replacer of `JSON.stringify`. */
type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** Placeholder of the first item. */
const mark = '0';
/** The same for spans and for log records. */
const closing = ']}]}';

const upToFirst = (head: Json, replacer?: Replacer): string => JSON.stringify(head, replacer).slice(0, -mark.length - closing.length);

export function writtenSpan({ span, resource, scope }: SentSpan, replacer?: Replacer): WrittenItem {
  const json = otlpJsonOf({ span, resource, scope });
  const { schemaUrl, ...itsResource } = json.resource;
  const { schemaUrl: scopeUrl, ...itsScope } = json.scope;
  const head = { resource: itsResource, schemaUrl, scopeSpans: [{ scope: itsScope, schemaUrl: scopeUrl, spans: [Number(mark)] }] };
  return { head: upToFirst(head, replacer), item: JSON.stringify(json.span, replacer) };
}

const logHead = upToFirst({ scopeLogs: [{ logRecords: [Number(mark)] }] });

/** The resource and scope of log records are not stored, only the record. */
export const writtenLog = (log: RawLog, replacer?: Replacer): WrittenItem => ({
  head: logHead,
  item: JSON.stringify(otlpLogOf(log), replacer),
});

/**
 * Drops empty arrays and objects, which OTLP reads like absent ones. An item then has no more arrays and objects than in its original
 * request, where `{}` may have been absent.
 */
export function withoutEmpty(this: unknown, _key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
  if (!isEmpty) return value;
  return Array.isArray(this) ? null : undefined;
}

/** Holds either spans or log records. */
export class OtlpText {
  /** UTF-16 units, about bytes. */
  length = 0;
  count = 0;
  readonly #pieces: string[] = [];
  #head = '';

  add(sent: SentSpan): void {
    this.put(writtenSpan(sent));
  }

  put({ head, item }: WrittenItem): void {
    const piece = head === this.#head ? `,${item}` : `${this.#head === '' ? '' : `${closing},`}${head}${item}`;
    this.#pieces.push(piece);
    this.length += piece.length;
    this.#head = head;
    this.count++;
  }

  /** The value of `resourceSpans`, or of `resourceLogs`. */
  resourceSpans(): string {
    return this.#head === '' ? '[]' : `[${this.#pieces.join('')}${closing}]`;
  }
}

/** The value of `resourceLogs`; '' for none. */
export const resourceLogs = (logs: readonly RawLog[]): string =>
  logs.length === 0 ? '' : JSON.stringify([{ scopeLogs: [{ logRecords: logs.map(otlpLogOf) }] }]);
