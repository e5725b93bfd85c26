import { expect } from 'vitest';
import { aSpan } from '../../../shared/fixtures/otlp.ts';
import { StorageError } from '../storage-error.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { Tenant } from './tenant.ts';

export function conditionGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a store that can be written says so, until it is stopped', async ({ location }) => {
    const store = await location().open();
    await store.probe();
    await new Tenant(store).write([aSpan()]);
    await store.probe();
    await store.stop();
    await expect(store.probe()).rejects.toBeInstanceOf(StorageError);
  });

  guarantee('an undamaged store knows of no damage', async ({ tenant }) => {
    const app = tenant();
    await app.write([aSpan()]);
    await app.everything();
    expect(app.store.damage.now()).toBe(null);
  });
}
