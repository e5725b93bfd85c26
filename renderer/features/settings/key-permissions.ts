/** Presets of key permissions. The API has the permissions alone (docs/reference/access.md#permissions). */
import { type KeyPermission, keyPermissions } from '../../../shared/contract/identity/permissions.ts';

interface Preset {
  id: 'sdk' | 'read' | 'full';
  label: string;
  about: string;
  permissions: readonly KeyPermission[];
}

export const presets: readonly Preset[] = [
  {
    id: 'sdk',
    label: 'SDK',
    about: 'Sends traces and scores, reads prompts.',
    permissions: ['trace.write', 'template.read', 'score.write'],
  },
  {
    id: 'read',
    label: 'Read-only',
    about: 'Reads telemetry; changes nothing.',
    permissions: ['trace.read', 'span.read', 'session.read', 'score.read', 'dataset.read', 'metrics.read'],
  },
  {
    id: 'full',
    label: 'Full access',
    about: 'Everything except creating and deleting apps. Give it only where it is needed.',
    permissions: keyPermissions,
  },
];

/** Label of the preset that a key has; otherwise its only permission, or the number of its permissions. */
export function permissionsLabel(granted: readonly string[]): string {
  const preset = presets.find(
    (option) => option.permissions.length === granted.length && option.permissions.every((permission) => granted.includes(permission)),
  );
  return preset?.label ?? (granted.length === 1 ? String(granted[0]) : `${granted.length} permissions`);
}

/** Permissions by resource, in the order of the contract. */
export const permissionGroups: readonly (readonly [resource: string, permissions: readonly KeyPermission[]])[] = [
  ...Map.groupBy(keyPermissions, (permission) => permission.split('.')[0] ?? '').entries(),
];
