import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Ending } from './shares.ts';

/** A request as routes are given it, by HTTP or by gRPC. */
export type Asked = IncomingMessage & Pick<Request, 'params' | 'originalUrl'>;

/** Answer under construction. */
export interface Answering extends Ending {
  readonly writableFinished: boolean;
  readonly statusCode: number;
  setHeader(name: string, value: string | number): unknown;
}
