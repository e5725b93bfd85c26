/**
 * What a gateway of the cloud must answer, by the declaration of the route and by docs/reference/access.md alone. Written without a look at
 * what stands before the handlers, so that neither can repeat a mistake of the other.
 */
import type { Route } from '../../../shared/contract/route.ts';
import type { Caller, Whose } from './caller.ts';

/** Whose records the path names. `mixed`: those of ours, and in one of them what is another tenant's. */
export type Target = Whose | 'mixed' | 'missing' | 'malformed';

export interface Verdict {
  status: 'passes' | 400 | 401 | 403 | 404 | 501;
  /** Of a refusal; one of them where several are declared. */
  codes: readonly string[];
}

const passes: Verdict = { status: 'passes', codes: [] };

/**
 * @param isMalformed whether the declaration refuses the parameters
 * @param runId the run that the path names, if it names one
 */
export function verdict(route: Route, caller: Caller, target: Target, isMalformed: boolean, runId?: string): Verdict {
  if (route.only === 'local') return { status: 501, codes: ['not_available_on_cloud'] };
  if (route.permission !== 'public') {
    if (!isKnown(route, caller)) return { status: 401, codes: ['unauthorized'] };
    if (!isAllowed(route, caller) || !isForRun(route, caller, runId)) return { status: 403, codes: ['forbidden'] };
  }
  if (isMalformed) return { status: 400, codes: ['invalid_path_params'] };
  // Anybody may take back a comment of their own, so it is looked at first. These are all somebody else's.
  if (route.id === 'delete-comment' && !caller.may.has('comment.delete')) return { status: 403, codes: ['forbidden'] };
  const codes = route.errors.filter((code) => code.endsWith('_not_found'));
  if (!route.path.includes(':') || codes.length === 0 || reaches(route, caller, target)) return passes;
  return { status: 404, codes };
}

function isKnown(route: Route, { credential, stands, kind, bearer, of, names }: Caller): boolean {
  if (credential === null || !stands || names === 'two') return false;
  if (kind === 'key' && route.credential === 'raw-key' && bearer) return false;
  if (route.credential === 'bearer-key' && !(kind === 'key' && bearer)) return false;
  if (route.app === 'path') return true;
  if (names === null) return route.app === 'none';
  return names === of || (kind === 'login' && isOfTenant(of, names));
}

const isOfTenant = (of: Whose, app: Caller['names']): boolean => (of === 'theirs' ? app === 'theirs' : app === 'ours' || app === 'beside');

function isAllowed({ permission, credential }: Route, { kind, may }: Caller): boolean {
  if (credential === 'session' && kind === 'key') return false;
  return permission === 'public' || permission === 'signed-in' || may.has(permission);
}

/** docs/reference/access.md#run-keys: the key of a run is for that run, and makes no other. */
const isForRun = ({ id, tag, path }: Route, { run }: Caller, runId: string | undefined): boolean =>
  run === undefined || (id !== 'create-eval-run' && (!path.includes('/:runId') || runId === run || tag === 'workers'));

/** A login reaches every app of its tenant by the path, and what is of the tenant as a whole; else one is in the app that the header names. */
function reaches({ app }: Route, { kind, of, names }: Caller, target: Target): boolean {
  if (app === 'none') return isOfTenant(of, target as Caller['names']);
  if (app !== 'path') return target === names;
  return kind === 'login' ? target !== 'mixed' && isOfTenant(of, target as Caller['names']) : target === of;
}
