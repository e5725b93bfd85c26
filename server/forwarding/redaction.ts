/** Redaction of batches and previews in a thread, as requested by the main thread. */
import { noRedaction, type RedactionPolicy, type RedactionPreview } from '../../shared/contract/operations/redaction.ts';
import { ThreadQueue } from '../platform/thread-queue.ts';
import { Encoded } from '../telemetry/encoded.ts';
import type { OutboxBatch } from '../telemetry/forward-store.ts';
import type { PreviewSpans } from '../telemetry/redaction-store.ts';
import type { RedactedBatch, RedactionProtocol, RedactionSetting } from './redaction-thread.ts';

/** Used when a destination has no redaction rules. */
export const noRedactionSetting: RedactionSetting = { policy: noRedaction, token_key: new Uint8Array(0) };

/** Whether the policy needs to know the origin of an item. */
export const asksOrigin = ({ only }: RedactionPolicy): boolean => only.environments.length > 0 || only.tags.length > 0;

export class Redaction {
  readonly #thread: ThreadQueue<RedactionProtocol>;

  /** @param entry the worker file */
  constructor(entry: URL) {
    this.#thread = new ThreadQueue(entry, { role: 'redact' });
  }

  /**
   * Transfers the buffer of `found`.
   * @param name name of the destination: destinations take turns
   * @throws ThreadDied
   */
  batch(name: string, found: Encoded<OutboxBatch>, setting: RedactionSetting): Promise<RedactedBatch> {
    return this.#thread.ask(name, 'batch', { found, setting }, [found.json.buffer]);
  }

  /** What would be sent of some spans. Transfers the buffer of `found`. Its tokens are not stored. @throws ThreadDied */
  async preview(found: Encoded<PreviewSpans>, setting: RedactionSetting): Promise<Encoded<RedactionPreview>> {
    const { json } = await this.#thread.ask('', 'preview', { found, setting }, [found.json.buffer]);
    return new Encoded(json);
  }

  /** Texts for display, in the same order. Their tokens are not stored. @throws ThreadDied */
  texts(texts: readonly string[], setting: RedactionSetting): Promise<string[]> {
    return this.#thread.ask('', 'texts', { texts, setting }, []);
  }

  /** Ends the thread. Pending requests get no answer. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
