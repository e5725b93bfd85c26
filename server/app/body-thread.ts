/** The thread that inflates, looks over, parses and validates large JSON bodies, one at a time, so that the HTTP loop does not. */
import { parentPort } from 'node:worker_threads';
import type { ErrorCode } from '../../shared/contract/errors.ts';
import { contract } from '../../shared/contract/index.ts';
import type { Route } from '../../shared/contract/route.ts';
import { must } from '../platform/assert.ts';
import { collectWhenIdle } from '../platform/idle-collect.ts';
import { Failure } from './fail.ts';
import { readSent, type SentBody } from './parse-body.ts';

/** What the thread is started with. */
export interface BodyTask {
  role: 'body';
}

export interface BodyRequest {
  /** Id of the route. Schemas cannot be sent: the thread has its own copy of the contract. */
  route: string;
  body: SentBody<ArrayBuffer>;
}

export type BodyReply =
  | { kind: 'read'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; extras: Record<string, unknown> };

export function runBodyThread(): void {
  const main = must(parentPort, 'bodies are read in a worker thread');
  const routes = new Map(Object.values(contract).flatMap((group) => Object.values<Route>(group).map((route) => [route.id, route])));
  const worked = collectWhenIdle();
  main.on('message', ({ route, body }: BodyRequest) => {
    main.postMessage(read(must(routes.get(route), 'the route is declared'), body));
    worked();
  });
}

function read(route: Route, body: SentBody): BodyReply {
  try {
    return { kind: 'read', value: readSent(body, route) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, extras } = error;
    return { kind: 'refused', code, message, extras };
  }
}
