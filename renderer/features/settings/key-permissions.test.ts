import { expect, it } from 'vitest';
import { keyPermissions } from '../../../shared/contract/identity/permissions.ts';
import { permissionGroups, permissionsLabel, presets } from './key-permissions.ts';

it('a key is labelled with its preset, whatever the order of its permissions', () => {
  for (const { label, permissions: granted } of presets) expect(permissionsLabel(granted.toReversed())).toBe(label);
  expect(permissionsLabel(['trace.write'])).toBe('trace.write');
  expect(permissionsLabel(['trace.write', 'trace.read'])).toBe('2 permissions');
});

it('every permission is in one group', () => {
  expect(permissionGroups.flatMap(([, group]) => group).sort()).toEqual([...keyPermissions].sort());
});
