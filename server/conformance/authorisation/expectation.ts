/**
 * Expected answer of a cloud gateway, from the declaration of the route and docs/reference/access.md. Independent of the authentication
 * code, so that both cannot share a mistake.
 */
import type { Route } from '../../../shared/contract/core/route.ts';
import type { Permission } from '../../../shared/contract/identity/permissions.ts';
import type { Caller, Owner } from './caller.ts';

/** Owner of the records in the path. `mixed`: our record in the first parameter, another tenant's in the second. */
export type Target = Owner | 'mixed' | 'missing' | 'malformed';

export interface Expectation {
  status: 'passes' | 400 | 401 | 403 | 404 | 501;
  /** Accepted error codes of a refusal. */
  codes: readonly string[];
  /** Permission that a refusal names, when it is not that of the route. */
  requires?: Permission;
}

const passes: Expectation = { status: 'passes', codes: [] };

const writesRules: ReadonlySet<string> = new Set(['create-annotation-queue-rule', 'replace-annotation-queue-rule']);

/**
 * @param isMalformed the schema refuses the parameters
 * @param runId run in the path, if any
 */
export function expectedAnswer(route: Route, caller: Caller, target: Target, isMalformed: boolean, runId?: string): Expectation {
  if (route.only === 'local') return { status: 501, codes: ['not_available_on_cloud'] };
  if (route.permission !== 'public') {
    if (!isKnown(route, caller)) return { status: 401, codes: ['unauthorized'] };
    if (!isAllowed(route, caller) || !isForRun(route, caller, runId)) return { status: 403, codes: ['forbidden'] };
  }
  if (isMalformed) return { status: 400, codes: ['invalid_path_params'] };
  // Authors may delete their own comments; these comments belong to others.
  if (route.id === 'delete-comment' && !caller.may.has('comment.delete')) return { status: 403, codes: ['forbidden'] };
  // What a rule adds tells what is in the traces.
  if (writesRules.has(route.id) && !caller.may.has('trace.read')) return { status: 403, codes: ['forbidden'], requires: 'trace.read' };
  // A notice and a login are of one person alone; but for one caller these are of other people.
  const isOwn = isOwnRecord(route, caller, target);
  if (route.id === 'mark-notice' && caller.isNewcomer && !isOwn) return { status: 404, codes: ['notice_not_found'] };
  if (route.id === 'end-login') return isOwn ? passes : { status: 404, codes: ['login_not_found'] };
  const codes = route.errors.filter((code) => code.endsWith('_not_found'));
  if (!route.path.includes(':') || codes.length === 0 || reaches(route, caller, target)) return passes;
  return { status: 404, codes };
}

/** Whether the record in the path is the caller's alone. */
export const isOwnRecord = ({ id }: Route, { owns }: Caller, target: Target): boolean =>
  target === 'ours' && owns !== undefined && (id === 'mark-notice' || id === 'end-login');

function isKnown(route: Route, { credential, isValid, kind, bearer, of, names }: Caller): boolean {
  if (credential === null || !isValid || names === 'two') return false;
  if (kind === 'key' && route.credential === 'raw-key' && bearer) return false;
  if (route.credential === 'bearer-key' && !(kind === 'key' && bearer)) return false;
  if (route.app === 'path') return true;
  if (names === null) return route.app === 'none' || (route.app === 'key' && kind === 'key');
  return names === of || (kind === 'login' && isOfTenant(of, names));
}

const isOfTenant = (of: Owner, app: Caller['names']): boolean => (of === 'theirs' ? app === 'theirs' : app === 'ours' || app === 'beside');

function isAllowed({ permission, credential }: Route, { kind, may }: Caller): boolean {
  if (credential === 'session' && kind === 'key') return false;
  return permission === 'public' || permission === 'signed-in' || may.has(permission);
}

/** docs/reference/access.md#run-keys: a run key works for its own run and cannot create runs. */
const isForRun = ({ id, tag, path }: Route, { run }: Caller, runId: string | undefined): boolean =>
  run === undefined || (id !== 'create-eval-run' && (!path.includes('/:runId') || runId === run || tag === 'workers'));

/** A login reaches all apps of its tenant by path, and tenant-wide routes; all other requests stay in the app of the header. */
function reaches({ app }: Route, { kind, of, names }: Caller, target: Target): boolean {
  if (app === 'none') return isOfTenant(of, target as Caller['names']);
  if (app !== 'path') return target === names;
  return kind === 'login' ? target !== 'mixed' && isOfTenant(of, target as Caller['names']) : target === of;
}
