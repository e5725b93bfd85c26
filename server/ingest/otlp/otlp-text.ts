/** Writes spans and log records as the JSON text of OTLP requests, each resource and scope said once where items of it follow each other. */
import { otlpJsonOf, otlpLogOf } from './encode-json.ts';
import type { RawLog, SentSpan } from './raw-span.ts';

type Json = Record<string, unknown>;

/** A span or a log record. */
export interface WrittenItem {
  /** All up to the first item: `{"resource":…,"scopeSpans":[{"scope":…,"spans":[`. */
  owner: string;
  item: string;
}

/** Says of a value how it is to be written, as `JSON.stringify` asks it. */
type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** What stands where the first item will. */
const mark = '0';
/** The same for spans and for log records. */
const closing = ']}]}';

const upToFirst = (owner: Json, replacer?: Replacer): string => JSON.stringify(owner, replacer).slice(0, -mark.length - closing.length);

export function writtenSpan({ span, resource, scope }: SentSpan, replacer?: Replacer): WrittenItem {
  const json = otlpJsonOf({ span, resource, scope });
  const { schemaUrl, ...itsResource } = json.resource;
  const { schemaUrl: scopeUrl, ...itsScope } = json.scope;
  const owner = { resource: itsResource, schemaUrl, scopeSpans: [{ scope: itsScope, schemaUrl: scopeUrl, spans: [Number(mark)] }] };
  return { owner: upToFirst(owner, replacer), item: JSON.stringify(json.span, replacer) };
}

const logOwner = upToFirst({ scopeLogs: [{ logRecords: [Number(mark)] }] });

/** What records were sent under is not kept: only the record counts. */
export const writtenLog = (log: RawLog, replacer?: Replacer): WrittenItem => ({
  owner: logOwner,
  item: JSON.stringify(otlpLogOf(log), replacer),
});

/**
 * Leaves out every empty array and object: nothing is read as the same as they are. What is left of an item opens no more arrays and
 * objects than its sender did, who may have sent nothing where `{}` is the word for it.
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
  #owner = '';

  add(sent: SentSpan): void {
    this.put(writtenSpan(sent));
  }

  put({ owner, item }: WrittenItem): void {
    const piece = owner === this.#owner ? `,${item}` : `${this.#owner === '' ? '' : `${closing},`}${owner}${item}`;
    this.#pieces.push(piece);
    this.length += piece.length;
    this.#owner = owner;
    this.count++;
  }

  /** The value of `resourceSpans`, or of `resourceLogs`. */
  resourceSpans(): string {
    return this.#owner === '' ? '[]' : `[${this.#pieces.join('')}${closing}]`;
  }
}

/** The value of `resourceLogs`; '' for none. */
export const resourceLogs = (logs: readonly RawLog[]): string =>
  logs.length === 0 ? '' : JSON.stringify([{ scopeLogs: [{ logRecords: logs.map(otlpLogOf) }] }]);
