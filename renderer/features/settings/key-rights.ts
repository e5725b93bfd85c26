/** Presets of key permissions. The API has the permissions alone (docs/reference/access.md#permissions). */
import { type Permission, permissions } from '../../../shared/contract/identity/permissions.ts';

interface Preset {
  id: 'sdk' | 'read' | 'full';
  label: string;
  about: string;
  permissions: readonly Permission[];
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
    permissions,
  },
];

/** The preset that a key was made with, in a word; else how many permissions it has. */
export function rightsInWords(held: readonly string[]): string {
  const preset = presets.find((each) => each.permissions.length === held.length && each.permissions.every((one) => held.includes(one)));
  return preset?.label ?? (held.length === 1 ? String(held[0]) : `${held.length} permissions`);
}

/** Permissions by resource, in the order of the contract. */
export const permissionGroups: readonly (readonly [resource: string, permissions: readonly Permission[]])[] = [
  ...Map.groupBy(permissions, (permission) => permission.split('.')[0] ?? '').entries(),
];
