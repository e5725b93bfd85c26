/**
 * The thread that encodes requests for a journal. It is not the one that writes: senders are answered when their requests are in the journal, and would
 * otherwise wait for the running commit.
 */
import { answerMessages } from '../../../platform/answer-messages.ts';
import type { WorkProtocol } from '../../../platform/thread.ts';
import type { StorageErrorKind } from '../../storage-error.ts';
import type { SentRequest } from '../../store-requests.ts';
import { type EncodedRequest, encodeRequest, unpacked } from './request-codec.ts';
import { writeFailure } from './write-failure.ts';

/** Start message of the thread. */
export interface EncodeTask {
  role: 'encode';
}

export type EncodeProtocol = WorkProtocol<EncodeTask, typeof work>;

interface Failure {
  errorKind: StorageErrorKind;
  message: string;
}

const work = {
  encode: (request: SentRequest): EncodedRequest | Failure => {
    try {
      return encodeRequest(unpacked(request));
    } catch (error) {
      const { errorKind, message } = writeFailure(error);
      return { errorKind, message };
    }
  },
};

export const runEncodeThread = (): void => answerMessages(work, { encode: (answer) => ('body' in answer ? [answer.body.buffer] : []) });
