/** Who asks, described by what docs/reference/access.md says of them: nothing here is read from the code that lets them in. */
import { type Permission, permissions } from '../../../shared/contract/permissions.ts';

/** Whose app: the one that is asked about, another of the same tenant, or one of another tenant. */
export type Whose = 'ours' | 'beside' | 'theirs';

export interface Caller {
  name: string;
  /** Of the whole Authorization header; null where nothing is sent. */
  credential: string | null;
  kind: 'key' | 'login';
  /** Whether it counts at all, wherever it is shown. */
  stands: boolean;
  /** Whether a key comes behind the word Bearer. */
  bearer: boolean;
  may: ReadonlySet<Permission>;
  /** The app of the key, or one of the tenant of the login. */
  of: Whose;
  /** The run that a key is bound to. */
  run?: string;
  /** The app that the header names; null for no header, and `two` for two that differ. */
  names: Whose | 'two' | 'nonsense' | null;
}

const of = (...allowed: Permission[]): ReadonlySet<Permission> => new Set(allowed);
const all: ReadonlySet<Permission> = new Set(permissions);

/** docs/reference/access.md#permissions. */
export const presets: Record<string, ReadonlySet<Permission>> = {
  SDK: of('trace.write', 'template.read', 'score.write'),
  'Read-Only': of('trace.read', 'span.read', 'session.read', 'score.read', 'dataset.read', 'metrics.read'),
  'Full Access': all,
};

/** docs/reference/access.md#run-keys. */
export const ofRunKey: ReadonlySet<Permission> = of('eval.write', 'trace.write', 'score.write', 'template.read', 'agent.write');

/** docs/reference/access.md#roles. */
export const ofRole: Record<'owner' | 'admin' | 'write' | 'read', ReadonlySet<Permission>> = {
  owner: all,
  admin: all,
  write: new Set(permissions.filter((permission) => !['app.write', 'app.delete', 'environment.delete'].includes(permission))),
  read: new Set(permissions.filter((permission) => /\.read$/.test(permission))),
};
