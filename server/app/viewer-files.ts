/** Serves the built viewer at `/`. Its pages may load only their own files. */
import { existsSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import express, { type RequestHandler, type Response } from 'express';
import { codingFor } from './compressed.ts';

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

/** Build output below `assets/` has a hash of its content in its name. */
const immutable = 'public, max-age=31536000, immutable';
const revalidated = 'no-cache';

/** Extensions of the compressed copies that the build writes beside each file (vite.config.ts), by content coding. */
const extensions = { br: '.br', gzip: '.gz' } as const;

const staticFiles = (viewerDir: string, setHeaders?: (response: Response, path: string) => void): RequestHandler =>
  express.static(viewerDir, { index: false, fallthrough: true, redirect: false, cacheControl: false, ...(setHeaders && { setHeaders }) });

export function serveViewer(viewerDir: string): RequestHandler {
  const plain = staticFiles(viewerDir);
  const compressed = staticFiles(viewerDir, (response, path) => {
    response.type(extname(path.slice(0, -3)));
    response.setHeader('Content-Encoding', path.endsWith(extensions.br) ? 'br' : 'gzip');
  });
  return (request, response, next) => {
    // Viewer files have plain names. Other spellings, such as `/v1/..%2F` for `/`, are undeclared paths.
    if (/[%\\]/.test(request.path) || posix.normalize(request.path) !== request.path || /\.(br|gz)$/.test(request.path)) {
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
    response.setHeader('Cache-Control', request.path.startsWith('/assets/') ? immutable : revalidated);
    response.setHeader('Vary', 'Accept-Encoding');
    const { url } = request;
    const file = request.path === '/' ? '/index.html' : request.path;
    const serve = (handler: RequestHandler, path: string, otherwise: () => void) => {
      request.url = path;
      handler(request, response, (error) => {
        request.url = url;
        if (error) next(error);
        else otherwise();
      });
    };
    const notFound = () => {
      response.removeHeader('Cache-Control');
      next();
    };
    const coding = codingFor(request.headers['accept-encoding']);
    const servePlain = () => serve(plain, file, notFound);
    if (coding === 'identity') servePlain();
    else serve(compressed, file + extensions[coding], servePlain);
  };
}
