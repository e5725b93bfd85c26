/**
 * Request headers for app and environment: ours first, then the aliases of common SDKs, which we never send
 * (docs/reference/access.md#header-names).
 */
import type { IncomingMessage } from 'node:http';

const aliases = {
  app: ['x-service-app-id', 'x-alias-app-id', 'x-agentmark-app-id', 'x-puzzlet-app-id'],
  environment: ['x-service-environment', 'x-agentmark-environment'],
  sdkVersion: ['x-service-sdk-version', 'x-agentmark-sdk-version'],
  adapter: ['x-service-adapter', 'x-agentmark-adapter'],
  language: ['x-service-language', 'x-agentmark-language'],
  prNumber: ['x-service-pr-number', 'x-agentmark-pr-number'],
} as const;

/** The value of the header; null when several aliases differ. */
export function headerOf({ headers }: IncomingMessage, name: keyof typeof aliases): string | null | undefined {
  const sent = aliases[name].map((alias) => headers[alias]).filter((value) => value !== undefined);
  const [first] = sent;
  if (first === undefined) return undefined;
  return typeof first === 'string' && sent.every((value) => value === first) ? first : null;
}
