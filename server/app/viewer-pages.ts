/**
 * Addresses of the viewer as people type and paste them, without the `#` behind which it keeps them. A browser is led to the page; programs,
 * which ask for no HTML, hear that there is no such path.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

const pages: ReadonlySet<string> = new Set([
  ...['traces', 'sessions', 'dashboard', 'scores', 'queues', 'workers', 'datasets', 'experiments', 'evals', 'prompts'],
  ...['forwarding', 'ingest-log', 'storage', 'setup', 'settings', 'join', 'link'],
]);

/** Whether the path of a request is that of a page, or of something on it. */
export const isViewerPage = (url: string): boolean => pages.has(/^\/([a-z-]+)(?=[/?]|$)/.exec(url)?.[1] ?? '');

export const leadToPage: RequestHandler = (request, response, next) => {
  if (!isViewerPage(request.url) || !wantsPage(request)) {
    next();
    return;
  }
  // For now: another version may serve something of its own there.
  response.writeHead(302, { Location: `/#${request.url}`, 'Cache-Control': 'no-store', Vary: 'Accept', 'Content-Length': 0 });
  response.end();
};

const wantsPage = ({ headers }: IncomingMessage): boolean => (headers.accept ?? '').includes('text/html');
