/**
 * Paths that OTLP exporters send to. Exporters configured for another backend keep its path prefix when only the host is changed, and a base
 * URL with a trailing slash gives two slashes: all of these are aliases of the same three routes. Only for POST: aliases cannot be read.
 */
import type { IncomingMessage } from 'node:http';

const ingestPath = /^(?:\/otel|\/api\/public\/otel)?(\/v1\/(?:traces|logs|metrics))\/*$/;

/** The path in the contract for a path or its alias; null for any other. */
export const ingestPathOf = (path: string): string | null => ingestPath.exec(path)?.[1] ?? null;

/** Rewrites the path of a request from an alias to its route. The query is unchanged. */
export function followIngestAlias(request: IncomingMessage): void {
  if (request.method !== 'POST') return;
  const { url = '' } = request;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const target = ingestPathOf(path);
  if (target !== null && target !== path) request.url = target + url.slice(path.length);
}
