/**
 * Lints the API description with Redocly's recommended rules and a validator of the OpenAPI schema: the whole of it as in docs/openapi.json,
 * and the part that a gateway serves to clients. Needs no network.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

interface Generator {
  describeApi(): object;
  describeApiForClients(): object;
}

const generator = join(import.meta.dirname, '../server/app/openapi.ts');
/** docs/adr/035-api-document-for-client-authors.md explains why each of these rules is off. */
const config = await createConfig({
  extends: ['recommended'],
  rules: { 'info-license': 'off', 'no-server-example.com': 'off' },
});
/** Routes that redirect a browser: their only success is a 302. */
const redirects = ['get /v1/auth/openid', 'get /v1/auth/openid/callback', 'get /v1/git/callback'];

async function problemsOf(document: object): Promise<string[]> {
  const linted = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  const lintProblems = linted
    .map(({ severity, ruleId, message, location }) => ({ severity, ruleId, message, at: location[0]?.pointer ?? '#/' }))
    .filter(({ ruleId, at }) => ruleId !== 'operation-2xx-response' || !redirects.includes(operationAt(at)))
    .map(({ severity, ruleId, message, at }) => `${severity} ${ruleId}: ${message} at ${at}`);
  const { valid, errors = [] } = await new Validator({ strict: false }).validate(structuredClone(document) as Record<string, unknown>);
  return [...lintProblems, ...(valid ? [] : [`error openapi-schema: ${JSON.stringify(errors)}`])];
}

/** `get /v1/health` of `#/paths/~1v1~1health/get/responses`. */
function operationAt(pointer: string): string {
  const [, , path = '', method = ''] = pointer.split('/');
  return `${method} ${path.replaceAll('~1', '/').replaceAll('~0', '~')}`;
}

const { describeApi, describeApiForClients } = (await import(pathToFileURL(generator).href)) as Generator;
for (const [name, document] of Object.entries({ whole: describeApi(), 'for clients': describeApiForClients() })) {
  const problems = await problemsOf(document);
  for (const problem of problems.slice(0, 30)) process.stdout.write(`${problem} (${name})\n`);
  if (problems.length > 0) process.exitCode = 1;
}
