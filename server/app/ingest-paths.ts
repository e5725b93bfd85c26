/**
 * Where OTLP exporters send to. Exporters that were made for another backend keep its prefix when only the host is changed, and a base URL
 * with a slash at its end makes two: they are all the same three routes. Only POST: nothing is read under other names.
 */
import type { IncomingMessage } from 'node:http';

const ingestPath = /^(?:\/otel|\/api\/public\/otel)?(\/v1\/(?:traces|logs|metrics))\/*$/;

/** The path that the contract has for it; null for any other. */
export const ingestPathOf = (path: string): string | null => ingestPath.exec(path)?.[1] ?? null;

/** Leads a request to an alias on to its route. The query stays. */
export function followIngestAlias(request: IncomingMessage): void {
  if (request.method !== 'POST') return;
  const { url = '' } = request;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const led = ingestPathOf(path);
  if (led !== null && led !== path) request.url = led + url.slice(path.length);
}
