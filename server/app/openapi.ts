/** The contract as OpenAPI 3.1, from the same values that validate requests. The full document is checked in as docs/openapi.json. */
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { introduction } from '../reference/introduction.ts';
import { tags } from '../reference/tags.ts';
import { appHeader, securitySchemes } from './openapi/credentials.ts';
import { type Document, describeNames } from './openapi/descriptions.ts';
import { answerHeaders } from './openapi/headers.ts';
import { isInternal, operationOf } from './openapi/operation.ts';
import { removeUnused } from './openapi/unused.ts';

export const everyRoute: Route[] = Object.values(contract).flatMap((group) => Object.values(group) as Route[]);

/** The serving gateway puts its address into `servers`. */
export function describeApi(): Document {
  return documentOf(everyRoute.filter(({ undocumented }) => !undocumented));
}

/** For authors of clients: without the operations for the viewer and browsers, which change with them. */
export function describeApiForClients(): Document {
  return documentOf(everyRoute.filter((route) => !route.undocumented && !isInternal(route)));
}

function documentOf(routes: readonly Route[]): Document {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const used = new Set(routes.map(({ tag }) => tag));
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Glasshouse gateway', version: '1.0', description: introduction },
      servers: [{ url: 'http://localhost:9418' }],
      tags: Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
      paths,
      components: { securitySchemes, headers: answerHeaders, parameters: { AppId: appHeader } },
    },
    { override: simplify },
  ) as unknown as Document;
  return removeUnused(describeNames(document));
}

const ownPattern = new Set(['date', 'date-time', 'uuid']);

/** Objects are open, because answers may gain properties in any release. Patterns that only repeat a format are dropped. */
function simplify({ jsonSchema, io }: { jsonSchema: Record<string, unknown>; io: 'input' | 'output' }): void {
  if (io === 'output' && jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  if (ownPattern.has(String(jsonSchema['format']))) delete jsonSchema['pattern'];
}
