/** Redaction as the gateway's main thread asks for it. */
import { noRedaction, type RedactionPolicy, type RedactionPreview } from '../../shared/contract/operations/redaction.ts';
import { startThread } from '../platform/thread.ts';
import { ThreadQueue } from '../platform/thread-queue.ts';
import { Encoded } from '../telemetry/encoded.ts';
import type { OutboxBatch } from '../telemetry/forward-store.ts';
import type { PreviewSpans } from '../telemetry/redaction-store.ts';
import type {
  RedactedBatch,
  RedactionReply,
  RedactionRequest,
  RedactionSetting,
  RedactionTask,
  RedactionWork,
} from './redaction-thread.ts';

/** Used when a destination has no redaction rules. */
export const noRedactionSetting: RedactionSetting = { policy: noRedaction, token_key: new Uint8Array(0) };

/** Whether the origin of an item decides if it leaves. */
export const asksOrigin = ({ only }: RedactionPolicy): boolean => only.environments.length > 0 || only.tags.length > 0;

export class Redaction {
  readonly #thread: ThreadQueue<RedactionWork>;

  /** @param entry the worker file */
  constructor(entry: URL) {
    this.#thread = new ThreadQueue(() => startThread(entry, { role: 'redact' } satisfies RedactionTask));
  }

  /** Uses `found` up. @param name of the destination: those that ask take turns @throws ThreadDied */
  async batch(name: string, found: Encoded<OutboxBatch>, setting: RedactionSetting): Promise<RedactedBatch> {
    return (await this.#ask(name, { make: 'batch', json: found.json, setting })) as RedactedBatch;
  }

  /** What would leave of some spans. Uses `found` up. Its tokens are not kept. @throws ThreadDied */
  async preview(found: Encoded<PreviewSpans>, setting: RedactionSetting): Promise<Encoded<RedactionPreview>> {
    const { preview } = (await this.#ask('', { make: 'preview', json: found.json, setting })) as { preview: Uint8Array<ArrayBuffer> };
    return new Encoded(preview);
  }

  /** Ends the thread. Nothing may be asked of it any more. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #ask(name: string, request: RedactionRequest): Promise<RedactionReply> {
    return this.#thread.ask(name, request, [request.json.buffer]);
  }
}
