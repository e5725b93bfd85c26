import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Ending } from './shares.ts';

/** A request as routes receive it, over HTTP or gRPC. */
export type RouteRequest = IncomingMessage & Pick<Request, 'params' | 'originalUrl'>;

/** An answer before it is sent. */
export interface RouteResponse extends Ending {
  readonly writableFinished: boolean;
  readonly statusCode: number;
  setHeader(name: string, value: string | number): unknown;
}
