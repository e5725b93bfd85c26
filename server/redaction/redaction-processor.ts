/**
 * Redacts spans, log records and scores by the policy of one destination. Sends nothing: the caller must store the returned tokens before it
 * sends the result.
 */

import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { HiddenKind, RedactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { droppedMark } from '../ingest/normalise/index.ts';
import type {
  RawAttribute,
  RawEvent,
  RawLink,
  RawLog,
  RawResource,
  RawScope,
  RawSpan,
  RawValue,
  SpanData,
} from '../ingest/otlp/raw-span.ts';
import type { Origin } from '../telemetry/forward-store.ts';
import type { Token } from '../telemetry/redaction-store.ts';
import { Dropping } from './dropping.ts';
import { Hiding, TokenMint } from './hiding.ts';

export class RedactionProcessor {
  readonly #only: RedactionPolicy['only'];
  readonly #hiding: Hiding;
  readonly #dropping: Dropping;
  readonly #redactor: Redactor | null;

  constructor({ drop, hide, only }: RedactionPolicy, tokenKey: Uint8Array) {
    if (hide.length > 0 && tokenKey.length === 0) throw new Error('tokens need a key');
    this.#only = only;
    this.#hiding = new Hiding(hide, new TokenMint(tokenKey));
    this.#dropping = new Dropping(drop);
    this.#redactor = hide.length > 0 || this.#dropping.isAny ? new Redactor(this.#hiding, this.#dropping) : null;
  }

  /** Whether items of this origin may be sent. */
  admits({ environment, tags }: Origin): boolean {
    const { environments, tags: allowedTags } = this.#only;
    const isAllowed = environments.length === 0 || environments.includes(environment);
    return isAllowed && (allowedTags.length === 0 || allowedTags.some((tag) => tags.includes(tag)));
  }

  /** Null: the span is not sent. The same object when nothing changes. */
  span(sent: SpanData, origin: Origin): { sent: SpanData; tokens: Token[] } | null {
    return this.admits(origin) ? { sent: this.#redactor?.sent(sent) ?? sent, tokens: this.#takeTokens() } : null;
  }

  log(log: RawLog, origin: Origin): { log: RawLog; tokens: Token[] } | null {
    return this.admits(origin) ? { log: this.#redactor?.log(log) ?? log, tokens: this.#takeTokens() } : null;
  }

  /** The number itself is never hidden. Ids of its resource, user and session are hidden as in spans. */
  score(score: Score, origin: Origin): { score: Score; tokens: Token[] } | null {
    if (!this.admits(origin)) return null;
    const hide = (text: string) => this.#hiding.text(text);
    const { name, label, reason, resource_id, user_id, session_id } = score;
    const hidden: Score = { ...score, name: hide(name), label: hide(label), reason: hide(reason) };
    // The id of a span or a trace may be all digits, like a card number.
    if (!/^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i.test(resource_id)) hidden.resource_id = hide(resource_id);
    if (user_id !== undefined) hidden.user_id = hide(user_id);
    if (session_id !== undefined) hidden.session_id = hide(session_id);
    return { score: hidden, tokens: this.#takeTokens() };
  }

  /** The redacted span, with a call of `note` for each change. For previews: its tokens must not be stored. */
  preview(sent: SpanData, note: Note): SpanData {
    const redacted = new Redactor(this.#hiding, this.#dropping, note).sent(sent);
    this.#takeTokens();
    return redacted;
  }

  /** For display: their tokens are not stored. */
  texts(texts: readonly string[]): string[] {
    const hidden = texts.map((text) => this.#hiding.text(text));
    this.#takeTokens();
    return hidden;
  }

  #takeTokens(): Token[] {
    const { tokens } = this.#hiding;
    if (tokens.length > 0) this.#hiding.tokens = [];
    return tokens;
  }
}

/** Receives one change; `after` is undefined when the value is dropped. */
export type Note = (path: string, before: RawValue, after: RawValue | undefined, kinds: readonly HiddenKind[]) => void;

type IsDropped = (key: string, value: RawValue) => boolean;

interface Bag {
  attributes: RawAttribute[];
  dropped: number;
}

/** Applies the rules to each part. Unchanged parts are returned by reference and not copied. Ids are never changed. */
export class Redactor {
  readonly #hiding: Hiding;
  readonly #dropping: Dropping;
  readonly #note: Note | null;
  /** Path of the current part; only maintained for notes. */
  readonly #path: (string | number)[] = [];
  /** Keys dropped from the current attributes, at any depth. */
  #droppedKeys: string[] = [];

  constructor(hiding: Hiding, dropping: Dropping, note: Note | null = null) {
    this.#hiding = hiding;
    this.#dropping = dropping;
    this.#note = note;
  }

  sent(sent: SpanData): SpanData {
    const { span, resource, scope, logs } = sent;
    const isDropped = this.#dropping.ofSpan(span.attributes);
    const parts = {
      span: this.#within('span', () => this.#span(span, isDropped)),
      resource: this.#within('resource', () => this.#resource(resource, isDropped)),
      scope: this.#within('scope', () => this.#scope(scope, isDropped)),
    };
    return withParts(sent, logs ? { ...parts, logs: this.#within('logs', () => this.#each(logs, (log) => this.log(log))) } : parts);
  }

  log(log: RawLog): RawLog {
    const { name, attributes } = log;
    this.#droppedKeys = [];
    const body = this.#within('body', () => this.#body(log));
    return withParts(log, {
      ...this.#bag(log, this.#dropping.ofEvent(name, attributes), this.#droppedKeys),
      name: this.text('name', name),
      severity_text: this.text('severity_text', log.severity_text),
      body,
    });
  }

  #body({ name, attributes, body }: RawLog): RawValue {
    if (body === null || !this.#dropping.body(name, attributes)) return this.#value(body);
    this.#note?.(this.#path.join('.'), body, undefined, []);
    this.#droppedKeys.push('body');
    return null;
  }

  text(name: string, text: string): string {
    return text === '' ? text : this.#within(name, () => this.#noted(text, (hiding) => hiding.text(text)) as string);
  }

  #span(span: RawSpan, isDropped: IsDropped): RawSpan {
    const { attributes, dropped } = this.#bag({ attributes: span.attributes, dropped: span.dropped_attributes }, isDropped);
    return withParts(span, {
      name: this.text('name', span.name),
      trace_state: this.text('trace_state', span.trace_state),
      status_message: this.text('status_message', span.status_message),
      attributes,
      dropped_attributes: dropped,
      events: this.#within('events', () => this.#each(span.events, (event) => this.#event(event))),
      links: this.#within('links', () => this.#each(span.links, (link) => this.#link(link, isDropped))),
    });
  }

  #event(event: RawEvent): RawEvent {
    const isDropped = this.#dropping.ofEvent(event.name, event.attributes);
    return withParts(event, { name: this.text('name', event.name), ...this.#bag(event, isDropped) });
  }

  #link(link: RawLink, isDropped: IsDropped): RawLink {
    return withParts(link, { trace_state: this.text('trace_state', link.trace_state), ...this.#bag(link, isDropped) });
  }

  #resource(resource: RawResource, isDropped: IsDropped): RawResource {
    return withParts(resource, { schema_url: this.text('schema_url', resource.schema_url), ...this.#bag(resource, isDropped) });
  }

  #scope(scope: RawScope, isDropped: IsDropped): RawScope {
    const [name, version] = [this.text('name', scope.name), this.text('version', scope.version)];
    return withParts(scope, { name, version, schema_url: this.text('schema_url', scope.schema_url), ...this.#bag(scope, isDropped) });
  }

  /** Attributes with a mark that lists the dropped keys. */
  #bag({ attributes, dropped }: Bag, isDropped: IsDropped, droppedKeys: string[] = []): Bag {
    this.#droppedKeys = droppedKeys;
    const sent = this.#within('attributes', () => this.#entries(attributes, isDropped));
    if (droppedKeys.length === 0) return { attributes: sent, dropped };
    const earlier = sent.find(([key]) => key === droppedMark)?.[1];
    const keys = [...new Set([...(Array.isArray(earlier) ? earlier.filter((key) => typeof key === 'string') : []), ...droppedKeys])];
    return { attributes: [...sent.filter(([key]) => key !== droppedMark), [droppedMark, keys]], dropped: dropped + droppedKeys.length };
  }

  #entries(entries: RawAttribute[], isDropped: IsDropped): RawAttribute[] {
    return this.#each(entries, (entry) => {
      const [key, value] = entry;
      if (this.#dropping.isAny && isDropped(key, value)) {
        this.#droppedKeys.push(this.#hiding.text(key));
        this.#note?.(this.#path.join('.'), value, undefined, []);
        return null;
      }
      const name = this.#noted(key, (hiding) => hiding.text(key)) as string;
      const sent = typeof value === 'string' ? this.#noted(value, (hiding) => hiding.named(key, value)) : this.#value(value);
      return name === key && sent === value ? entry : [name, sent];
    });
  }

  #value(value: RawValue): RawValue {
    if (Array.isArray(value)) return this.#each(value, (item) => this.#value(item));
    if (typeof value === 'object' && value !== null && 'map' in value) {
      const map = this.#entries(value.map, (key) => this.#dropping.byKey(key));
      return map === value.map ? value : { map };
    }
    return this.#noted(value, (hiding) => hiding.scalar(value));
  }

  /** Maps a list without its null results. The same list when nothing changes. */
  #each<T>(list: T[], change: (item: T) => T | null): T[] {
    let changed: T[] | null = null;
    for (let at = 0; at < list.length; at++) {
      const item = list[at] as T;
      const next = this.#note === null ? change(item) : this.#within(nameOf(item, at), () => change(item));
      if (next !== item && changed === null) changed = list.slice(0, at);
      if (next !== null || item === null) changed?.push(next as T);
    }
    return changed ?? list;
  }

  #noted(value: RawValue, hide: (hiding: Hiding) => RawValue): RawValue {
    const before = this.#hiding.tokens.length;
    const after = hide(this.#hiding);
    if (after !== value) {
      const kinds = this.#hiding.tokens.slice(before).map(({ kind }) => kind);
      this.#note?.(this.#path.join('.'), value, after, kinds);
    }
    return after;
  }

  #within<T>(name: string | number, work: () => T): T {
    if (this.#note === null) return work();
    this.#path.push(name);
    const result = work();
    this.#path.pop();
    return result;
  }
}

/** Attributes are named by their key, other items by their index. */
const nameOf = (item: unknown, at: number): string | number =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' ? item[0] : at;

/** A copy with the changed parts; the same object when no part changed. */
function withParts<T extends object>(original: T, parts: Partial<T>): T {
  for (const part in parts) if (parts[part] !== original[part]) return { ...original, ...parts };
  return original;
}
