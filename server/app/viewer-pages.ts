/**
 * Viewer addresses without the `#`, as people type and paste them. A browser is redirected to the page; programs, which do not ask for HTML,
 * get 404.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

const pages: ReadonlySet<string> = new Set([
  ...['traces', 'compare', 'sessions', 'dashboard', 'scores', 'queues', 'workers', 'datasets', 'experiments', 'evals', 'prompts'],
  ...['alerts', 'runaways', 'spending', 'deployments', 'forwarding', 'ingest-log', 'storage', 'setup', 'settings', 'join', 'link', 'inbox'],
]);

/** Whether the path of a request is that of a page, or of something on it. */
export const isViewerPage = (url: string): boolean => pages.has(/^\/([a-z-]+)(?=[/?]|$)/.exec(url)?.[1] ?? '');

export const redirectToPage: RequestHandler = (request, response, next) => {
  if (!isViewerPage(request.url) || !wantsPage(request)) {
    next();
    return;
  }
  // Temporary: another version may serve something at this path.
  response.writeHead(302, { Location: `/#${request.url}`, 'Cache-Control': 'no-store', Vary: 'Accept', 'Content-Length': 0 });
  response.end();
};

const wantsPage = ({ headers }: IncomingMessage): boolean => (headers.accept ?? '').includes('text/html');
