import type { Role } from '../../../shared/contract/role.ts';

/** Descriptions of the roles. The gateway enforces the permissions. */
export const roles: readonly { id: Role; label: string; about: string }[] = [
  { id: 'owner', label: 'Owner', about: 'Everything, and who else is an owner.' },
  { id: 'admin', label: 'Admin', about: 'Everything, and who is in the team.' },
  { id: 'write', label: 'Member', about: 'Works with traces, queues, keys and deployments.' },
  { id: 'read', label: 'Viewer', about: 'Looks, and changes nothing.' },
];

export const aboutRole = (role: Role): string => roles.find(({ id }) => id === role)?.about ?? '';
