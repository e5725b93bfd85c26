import type { Role } from '../../../shared/contract/identity/role.ts';

/** Descriptions of the roles. The gateway enforces the permissions. */
export const roles: readonly { id: Role; label: string; about: string }[] = [
  { id: 'owner', label: 'Owner', about: 'Everything, including owners.' },
  { id: 'admin', label: 'Admin', about: 'Everything, including members.' },
  { id: 'write', label: 'Member', about: 'Works with traces, queues, keys and deployments.' },
  { id: 'read', label: 'Viewer', about: 'Read-only access.' },
];

export const aboutRole = (role: Role): string => roles.find(({ id }) => id === role)?.about ?? '';
