/** HTTP application of the contract. Its services are passed in. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import type { Contract } from '../../shared/contract/index.ts';
import { answerFailure } from './answer.ts';
import { BodyReader } from './body-reader.ts';
import { Failure } from './fail.ts';
import { followIngestAlias } from './ingest-paths.ts';
import { type Call, type Mounting, mount } from './mount.ts';
import type { NoteRejection } from './rejected-connections.ts';
import { serveViewer } from './viewer-files.ts';
import { redirectToPage } from './viewer-pages.ts';

export interface GatewayOptions extends Omit<Mounting, 'app' | 'bodies'> {
  /** Entry file of the threads. */
  worker: URL;
  /** Folder of the built viewer. */
  viewerDir: string;
  /** Receives requests without a route. */
  note?: NoteRejection;
}

export interface Gateway {
  listener: RequestListener;
  /** gRPC calls, by the path of their method. */
  calls: ReadonlyMap<string, Call>;
  /** The groups of the contract that are mounted. */
  served: Set<keyof Contract>;
  /** Ends its thread after the last request. */
  stop(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Repeated and bracketed keys are handled by validate.ts.
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  const bodies = new BodyReader(options.worker);
  app.use((request, _response, next) => {
    followIngestAlias(request);
    next();
  });
  const { served, calls } = mount({ app, bodies, ...options });
  app.get('/*splat', redirectToPage);
  app.get(['/', '/*splat'], serveViewer(options.viewerDir));
  app.use((request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0];
    const failure = new Failure('not_found', `There is no ${request.method} ${path}`);
    options.note?.(request, failure);
    answerFailure(request, response, null, failure, options.log);
  });
  // Express calls this with its own errors, such as a path with broken percent-encoding.
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: unknown) => {
    answerFailure(request, response, null, error, options.log);
  });
  return { listener: app, calls, served, stop: () => bodies.stop() };
}
