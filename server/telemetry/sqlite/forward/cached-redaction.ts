/** The redaction processor of the most recent rules: a sender uses the same ones for hours. */
import { RedactionProcessor, type RedactionSetting } from '../../../redaction/redaction-processor.ts';

export class CachedRedaction {
  #last: { text: string; redaction: RedactionProcessor } | null = null;

  of({ policy, token_key }: RedactionSetting): RedactionProcessor {
    const text = JSON.stringify([policy, Buffer.from(token_key).toString('base64')]);
    if (this.#last?.text !== text) this.#last = { text, redaction: new RedactionProcessor(policy, token_key) };
    return this.#last.redaction;
  }
}
