import { expect, it } from 'vitest';
import { permissions } from '../../../shared/contract/identity/permissions.ts';
import { permissionGroups, presets, rightsInWords } from './key-rights.ts';

it('a key says which preset it was made with, in whatever order its permissions come', () => {
  for (const { label, permissions: held } of presets) expect(rightsInWords(held.toReversed())).toBe(label);
  expect(rightsInWords(['trace.write'])).toBe('trace.write');
  expect(rightsInWords(['trace.write', 'trace.read'])).toBe('2 permissions');
});

it('every permission is in one group', () => {
  expect(permissionGroups.flatMap(([, held]) => held).sort()).toEqual([...permissions].sort());
});
