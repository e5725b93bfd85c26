import type { z } from 'zod';
import type { Permission } from '../identity/permissions.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the bytes of a route travel. `otlp` reads JSON or protobuf and answers in kind; `events` answers server-sent events; `bytes`
 * answers a body that is not JSON, of a type that the handler says; `socket` becomes a WebSocket. Failures are JSON whatever the wire.
 */
export type Wire = 'json' | 'otlp' | 'events' | 'bytes' | 'socket';

/** Where things are kept: the telemetry store, the project's own file, its folder of templates and datasets, or what teams keep beside them. */
export type Kept = 'telemetry' | 'config' | 'templates' | 'control';

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
  /** `signed-in`: whoever is known, whatever they may do. */
  permission: Permission | 'public' | 'signed-in';
  /**
   * Which credential it takes. `raw-key`: a key without the word Bearer before it, as exporters send it, or a login. `bearer-key`: a key
   * with it, and nothing else. `session`: a login only; keys are forbidden. Absent: a key either way, or a login.
   */
  credential?: 'raw-key' | 'bearer-key' | 'session';
  /** What a key of one run may do here. `own`: only what is about its run, which the path names as `runId`. `nothing`. Absent: as any key. */
  keyOfRun?: 'own' | 'nothing';
  /** Where a request says which app it is about: in the path as `appId`, or nowhere. Absent: in a header. */
  app?: 'path' | 'none';
  /** The method of gRPC that does the same with the same message: its path. */
  grpc?: `/${string}`;
  /** Counted apart, beside the requests of the tenant as a whole. `login` and `poll`: by the network that they come from. */
  rate?: 'search' | 'login' | 'poll';
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Bytes that a JSON body may have, decoded. Absent: what body-limit.ts gives to routes of its kind. */
  bodyMax?: number;
  /** The body is bytes of this type, not JSON. */
  takes?: { type: string; bytesMax: number };
  /** The body of a success. */
  reply: z.ZodType;
  /** Success statuses, 200 when absent. */
  status?: readonly number[];
  /** The route's own codes. Validation, credential and rate codes follow from its shape and are not repeated. */
  errors: readonly ErrorCode[];
  /** Codes that only the local gateway gives: no project that the cloud takes in is like that. */
  localErrors?: readonly ErrorCode[];
  /** What it reads or writes; what can go wrong there follows. */
  touches?: readonly Kept[];
  /** Absent: served in both modes. */
  only?: 'cloud' | 'local';
  deprecated?: { use: string; sunset?: string };
  wire?: Wire;
  /** Media types that a success can have beside that of the wire; such a body is text. */
  alsoAs?: readonly string[];
  /** For browsers that are led from page to page, and for callers that are no clients of the API: clients are not shown it. */
  internal?: true;
  /** Left out of the OpenAPI document, which has no words for it. */
  undocumented?: true;
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
export type Asked<R extends Route> = { [K in Exclude<Parts<R>, Optional<R>>]: Part<R, K> } & { [K in Optional<R>]?: Part<R, K> };

export type Reply<R extends Route> = z.output<R['reply']>;
