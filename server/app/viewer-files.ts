/** Serves the built viewer at `/`. Its pages may load nothing but themselves. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import express, { type RequestHandler } from 'express';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const missing = 'The viewer is not built yet. Run `npm start`, or `npx vite build`, and load this page again.\n';

export function serveViewer(viewerDir: string): RequestHandler {
  const files = express.static(viewerDir, { index: 'index.html', fallthrough: true, redirect: false, dotfiles: 'ignore', etag: true });
  return (request, response, next) => {
    // Its files have plain names. Other spellings of them, `/v1/..%2F` for `/`, are paths that nobody declared.
    if (/[%\\]/.test(request.path) || posix.normalize(request.path) !== request.path) {
      next();
      return;
    }
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (request.path === '/' && !existsSync(join(viewerDir, 'index.html'))) {
      response.status(503).type('text/plain').send(missing);
      return;
    }
    files(request, response, next);
  };
}
