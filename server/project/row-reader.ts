/** Parses datasets into rows: small ones here, large ones in a thread, so that the event loop is not blocked. */
import type { Scope } from '../platform/scope.ts';
import { ThreadQueue } from '../platform/thread-queue.ts';
import { type RowForm, type RowsRead, rowsOf } from './dataset-rows.ts';
import type { RowsProtocol } from './rows-thread.ts';

const smallBytesMax = 64 * 1024;

export class RowReader {
  readonly #thread: ThreadQueue<RowsProtocol>;

  /** @param entry the worker file */
  constructor(entry: URL) {
    this.#thread = new ThreadQueue(entry, { role: 'rows' });
  }

  /**
   * @param bytes in their own buffer, which is transferred to the thread
   * @throws ThreadDied
   */
  read({ tenant_id }: Scope, bytes: Uint8Array<ArrayBuffer>, form: RowForm): Promise<RowsRead> {
    if (bytes.length <= smallBytesMax) return Promise.resolve(rowsOf(bytes, form));
    return this.#thread.ask(tenant_id, 'read', { bytes, form }, [bytes.buffer]);
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
