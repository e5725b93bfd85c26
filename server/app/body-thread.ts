/** The thread that inflates, scans, parses and validates large JSON bodies, one at a time, so that the HTTP loop does not. */
import type { ErrorCode } from '../../shared/contract/core/errors.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { answerMessages } from '../platform/answer-messages.ts';
import { must } from '../platform/assert.ts';
import type { WorkProtocol } from '../platform/thread.ts';
import { Failure } from './fail.ts';
import { readSentBody, type SentBody } from './parse-body.ts';

/** Start message of the thread. */
export interface BodyTask {
  role: 'body';
}

interface BodyRequest {
  /** Id of the route. Schemas cannot be sent: the thread has its own copy of the contract. */
  route: string;
  body: SentBody<ArrayBuffer>;
}

type BodyReply = { kind: 'read'; value: unknown } | { kind: 'refused'; code: ErrorCode; message: string; extras: Record<string, unknown> };

export type BodyProtocol = WorkProtocol<BodyTask, ReturnType<typeof createWork>>;

export const runBodyThread = (): void => answerMessages(createWork());

function createWork() {
  const routes = new Map(Object.values(contract).flatMap((group) => Object.values<Route>(group).map((route) => [route.id, route])));
  return { read: ({ route, body }: BodyRequest) => read(must(routes.get(route), 'the route is declared'), body) };
}

function read(route: Route, body: SentBody): BodyReply {
  try {
    return { kind: 'read', value: readSentBody(body, route) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, extras } = error;
    return { kind: 'refused', code, message, extras };
  }
}
