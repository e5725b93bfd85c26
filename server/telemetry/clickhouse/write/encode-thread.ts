/**
 * The thread that encodes requests for a journal. It is not the one that writes: senders are answered when their requests are in the journal, and would
 * wait for what is being written.
 */
import { unpack } from '../../../ingest/prepare/pack.ts';
import { answerMessages } from '../../../platform/answer-messages.ts';
import type { WorkProtocol } from '../../../platform/thread.ts';
import type { SentRequest } from '../../store-requests.ts';
import { encodeRequest } from './request-codec.ts';

/** Start message of the thread. */
export interface EncodeTask {
  role: 'encode';
}

export type EncodeProtocol = WorkProtocol<EncodeTask, typeof work>;

const work = {
  encode: (request: SentRequest) => encodeRequest(request.kind === 'batch' ? { ...request, batch: unpack(request.batch) } : request),
};

export const runEncodeThread = (): void => answerMessages(work, { encode: ({ body }) => [body.buffer] });
