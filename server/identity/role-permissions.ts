/** Permissions of each role (docs/reference/access.md#roles). */
import { type Permission, permissions } from '../../shared/contract/identity/permissions.ts';
import type { Role } from '../control/tenant-store.ts';

const deniedToReaders = new Set<Permission>(['audit_log.read']);
const deniedToWriters = new Set<Permission>([...deniedToReaders, 'trace.delete', 'app.write', 'app.delete', 'environment.delete']);

export const permissionsOf: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  admin: new Set(permissions),
  write: new Set(permissions.filter((permission) => !deniedToWriters.has(permission))),
  read: new Set(permissions.filter((permission) => permission.endsWith('.read') && !deniedToReaders.has(permission))),
};
