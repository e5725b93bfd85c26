/** Callers as docs/reference/access.md describes them, independent of the authentication code. */
import { type Permission, permissions } from '../../../shared/contract/identity/permissions.ts';

/** The app of the request, another app of the same tenant, or one of another tenant. */
export type Owner = 'ours' | 'beside' | 'theirs';

export interface Caller {
  name: string;
  /** Value of the Authorization header; null for none. */
  credential: string | null;
  kind: 'key' | 'login';
  /** False for revoked, expired and forged credentials. */
  isValid: boolean;
  /** The key follows the word `Bearer`. */
  bearer: boolean;
  may: ReadonlySet<Permission>;
  /** App of the key, or an app of the login's tenant. */
  of: Owner;
  /** Run of a run key. */
  run?: string;
  /** A member who joined after the records were made. */
  isNewcomer?: true;
  /** Records of this person alone, by path parameter, instead of those of our app. */
  owns?: Readonly<Record<string, string>>;
  /** App in the header; null for no header, `two` for two different ones. */
  names: Owner | 'two' | 'nonsense' | null;
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
  write: new Set(
    permissions.filter(
      (permission) => !['trace.delete', 'app.write', 'app.delete', 'environment.delete', 'audit_log.read'].includes(permission),
    ),
  ),
  read: new Set(permissions.filter((permission) => /\.read$/.test(permission) && permission !== 'audit_log.read')),
};
