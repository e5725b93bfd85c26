import type { IncomingMessage } from 'node:http';
import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import { headerOf } from '../../identity/header-names.ts';
import type { WorkerAbout } from '../../workers/connection-registry.ts';

const textMax = 200;

export const connectModule = defineModule({
  group: 'connect',
  needs: ['workers'],
  build: ({ workers }) => ({
    open: ({ scope, request, baseUrl }) => {
      if (!isOurs(request, baseUrl)) fail('forbidden', 'Web pages of other origins may not connect');
      if (scope.app_id === '') fail('missing_required_field', 'The key is bound to no app', { field: 'app_id' });
      const about = aboutOf(request);
      return (socket) => workers.register(scope, socket, about);
    },
  }),
});

/** Programs send no Origin, or that of the gateway; pages of others send theirs. */
function isOurs({ headers }: IncomingMessage, baseUrl: string): boolean {
  if (headers.origin === undefined) return true;
  const host = URL.parse(headers.origin)?.host;
  return host !== undefined && (host === headers.host || host === URL.parse(baseUrl)?.host);
}

function aboutOf(request: IncomingMessage): WorkerAbout {
  const text = (name: 'sdkVersion' | 'adapter' | 'language') => headerOf(request, name)?.slice(0, textMax) ?? null;
  const language = text('language');
  if (language !== null && language !== 'typescript' && language !== 'python')
    fail('invalid_headers', 'Invalid headers', { details: { 'X-Service-Language': 'must be typescript or python' } });
  return { sdk_version: text('sdkVersion'), adapter: text('adapter'), language };
}
