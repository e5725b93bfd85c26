/**
 * Redaction of spans, log records and scores by the policy of one destination. It never sees the network, and
 * what it hides it hands over as tokens, to be kept before anything is sent.
 */

import type { RedactionPolicy } from '../../shared/contract/redaction.ts';
import type { Score } from '../../shared/contract/scores.ts';
import type { RawLog, SentSpan } from '../ingest/otlp/raw-span.ts';
import type { Origin } from '../telemetry/forward-store.ts';
import type { Token } from '../telemetry/redaction-store.ts';
import { Dropping } from './dropping.ts';
import { Hiding, TokenMint } from './hiding.ts';
import { type Note, Redactor } from './redactor.ts';

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

  /** Whether something from there leaves at all. */
  admits({ environment, tags }: Origin): boolean {
    const { environments, tags: wanted } = this.#only;
    const isPlace = environments.length === 0 || environments.includes(environment);
    return isPlace && (wanted.length === 0 || wanted.some((tag) => tags.includes(tag)));
  }

  /** Null: it stays here. The same object when it leaves as it is. */
  span(sent: SentSpan, at: Origin): { sent: SentSpan; tokens: Token[] } | null {
    return this.admits(at) ? { sent: this.#redactor?.sent(sent) ?? sent, tokens: this.#taken() } : null;
  }

  log(log: RawLog, at: Origin): { log: RawLog; tokens: Token[] } | null {
    return this.admits(at) ? { log: this.#redactor?.log(log) ?? log, tokens: this.#taken() } : null;
  }

  /** The number stays a number. Whom or what it is about is hidden as it is in spans. */
  score(score: Score, at: Origin): { score: Score; tokens: Token[] } | null {
    if (!this.admits(at)) return null;
    const hide = (text: string) => this.#hiding.text(text);
    const { name, label, reason, resource_id, user_id, session_id } = score;
    const hidden: Score = { ...score, name: hide(name), label: hide(label), reason: hide(reason) };
    // An id of a span or a trace is all digits now and then.
    if (!/^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i.test(resource_id)) hidden.resource_id = hide(resource_id);
    if (user_id !== undefined) hidden.user_id = hide(user_id);
    if (session_id !== undefined) hidden.session_id = hide(session_id);
    return { score: hidden, tokens: this.#taken() };
  }

  /** As `span`, and tells each difference. For showing what would be; its tokens are not to be kept. */
  shown(sent: SentSpan, note: Note): SentSpan {
    const left = new Redactor(this.#hiding, this.#dropping, note).sent(sent);
    this.#taken();
    return left;
  }

  #taken(): Token[] {
    const { tokens } = this.#hiding;
    if (tokens.length > 0) this.#hiding.tokens = [];
    return tokens;
  }
}
