import type { z } from 'zod';
import type { Permission } from '../identity/permissions.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the bodies of a route are encoded. `otlp` reads JSON or protobuf and answers in the same encoding; `events` answers with server-sent
 * events; `bytes` answers with a body that is not JSON, of a type that the handler sets; `socket` becomes a WebSocket. Errors are JSON always.
 */
export type Wire = 'json' | 'otlp' | 'events' | 'bytes' | 'socket';

/** Where data is stored: the telemetry store, the project file, the project's folder of templates and datasets, or the control store. */
export type StoreName = 'telemetry' | 'config' | 'templates' | 'control';

/**
 * One endpoint, declared once. The server validates with it, authorises with it and answers 501 for it;
 * the OpenAPI document, the capabilities probe and the typed client are read from it.
 */
export interface Route {
  /** Unique, kebab-case; the OpenAPI operationId. */
  id: string;
  method: Method;
  /** Express form: `/v1/traces/:traceId`. */
  path: `/${string}`;
  summary: string;
  /** Groups routes in the documentation. */
  tag: string;
  /** `signed-in`: any authenticated caller, whatever its permissions. */
  permission: Permission | 'public' | 'signed-in';
  /**
   * Which credential is accepted. `raw-key`: a key without the word Bearer before it, as exporters send it, or a login. `bearer-key`: only a
   * key with Bearer before it. `session`: only a login; keys are forbidden. Absent: a key in either form, or a login.
   */
  credential?: 'raw-key' | 'bearer-key' | 'session';
  /** What the key of an eval run may do here. `own`: only requests for its run, the `runId` of the path. `nothing`. Absent: the same as any key. */
  runKeyAccess?: 'own' | 'nothing';
  /** Where a request names its app: in the path as `appId`, or nowhere. `key`: in a header, which a key does not need. Absent: in a header. */
  app?: 'path' | 'none' | 'key';
  /** Path of the gRPC method that does the same with the same message. */
  grpc?: `/${string}`;
  /** A rate limit of its own, in addition to the limit of the tenant. All but `search` are counted by the network of the client. */
  rate?: 'search' | 'login' | 'poll' | 'share';
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Maximum size of a JSON body in bytes, decoded. Absent: the default that body-limit.ts has for routes of its kind. */
  bodyMax?: number;
  /** The body is bytes of this type, not JSON. */
  takes?: { type: string; bytesMax: number };
  /** The body of a success. */
  reply: z.ZodType;
  /** Success statuses, 200 when absent. */
  status?: readonly number[];
  /** The route's own codes. Validation, credential and rate codes follow from its shape and are not repeated. */
  errors: readonly ErrorCode[];
  /** Codes that only the local gateway answers: the cloud refuses the projects that would cause them. */
  localErrors?: readonly ErrorCode[];
  /** The stores that it reads or writes; their error codes are declared automatically. */
  touches?: readonly StoreName[];
  /** Absent: served in both modes. */
  only?: 'cloud' | 'local';
  deprecated?: { use: string; sunset?: string };
  wire?: Wire;
  /** Further media types of a success, besides that of `wire`; such a body is text. */
  otherMediaTypes?: readonly string[];
  /** For browser redirects and for callers that are not API clients, such as webhooks: the document for clients leaves it out. */
  internal?: true;
  /** Left out of the OpenAPI document, which cannot describe it. */
  undocumented?: true;
  /** Other methods on its path answer 405, as its protocol requires; elsewhere they answer 404. */
  isOnlyMethod?: true;
  /** `Cache-Control` of a success; `no-store` when absent. */
  cache?: string;
}

/** Keeps the literal types of a declaration. Does nothing at run time. */
export const route = <const R extends Route>(declared: R): R => declared;

/** What a handler receives: every declared part, parsed. */
export type Parsed<R extends Route> = {
  [K in Extract<keyof R, 'params' | 'query' | 'body'>]: R[K] extends z.ZodType ? z.output<R[K]> : never;
};

type Part<R extends Route, K extends keyof R> = R[K] extends z.ZodType ? z.input<R[K]> : never;
type Parts<R extends Route> = Extract<keyof R, 'params' | 'query' | 'body'>;
/** A part that an empty object satisfies may be left out. */
type Optional<R extends Route> = { [K in Parts<R>]: Record<never, never> extends Part<R, K> ? K : never }[Parts<R>];

/** What a caller passes: every declared part, before parsing. */
export type RouteInput<R extends Route> = { [K in Exclude<Parts<R>, Optional<R>>]: Part<R, K> } & { [K in Optional<R>]?: Part<R, K> };

export type Reply<R extends Route> = z.output<R['reply']>;
