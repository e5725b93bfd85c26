import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Actor } from '../actor.ts';
import type { ControlStore } from '../control-store.ts';
import type { ShareLinkDraft } from '../share-link-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, aMember, anApp, auditedTimes, by } from './records.ts';

const max = 1000;
const hides = { contents: true, attributes: false, costs: true };
const aDraft = (rest: Partial<ShareLinkDraft> = {}): ShareLinkDraft => ({
  ...{ trace_id: 't', hides, expires_at: '2100-01-01T00:00:00.000Z', digest: randomBytes(32) },
  ...rest,
});

async function aLink(control: ControlStore, rest: Partial<ShareLinkDraft> = {}) {
  const scope = await anApp(control);
  const author: Actor = { kind: 'user', id: await aMember(control, scope.tenant_id, 'write'), ip: null };
  const draft = aDraft(rest);
  const link = must(await control.shareLinks.create(author, scope, draft, max), 'links are allowed');
  return { scope, author, link, digest: draft.digest, isOpen: async () => (await control.shareLinks.findOpen(draft.digest)) !== null };
}

export function shareLinkGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'a link is found by the digest of its token, with its scope and what it hides, and counts its openings',
    async ({ control, time }) => {
      const { scope, link, digest, author } = await aLink(control);
      const tenant = must(await control.tenants.find(scope.tenant_id), 'it exists');
      const { id, expires_at } = link;
      expect(await control.shareLinks.findOpen(digest)).toEqual({
        ...{ id, trace_id: 't', expires_at, hides, scope, tenant_name: tenant.name, author_role: 'write' },
      });
      expect(await control.shareLinks.findOpen(randomBytes(32))).toBeNull();
      expect(link).toMatchObject({ openings: 0, last_opened_at: null, revoked_at: null, hides });
      await control.shareLinks.countOpening(id);
      await control.shareLinks.countOpening(id);
      time.ms += 61_000;
      await control.shareLinks.countOpening(id);
      const other = must(await control.shareLinks.create(author, scope, aDraft({ trace_id: 'other' }), max), 'links are allowed');
      const ofTrace = await control.shareLinks.list(scope, { ...all, trace_id: 't' });
      expect(ofTrace).toEqual({ data: [{ ...link, openings: 2, last_opened_at: expect.any(String) }], total: 1 });
      expect((await control.shareLinks.list(scope, all)).data.map((each) => each.id).sort()).toEqual([id, other.id].sort());
    },
  );

  guarantee('a revoked link is not found, and is revoked once; both are in the audit log', async ({ control }) => {
    const { scope, link, isOpen } = await aLink(control);
    expect(await isOpen()).toBe(true);
    expect(await control.shareLinks.revoke(by, scope, link.id)).toBe(true);
    expect(await isOpen()).toBe(false);
    expect(await control.shareLinks.revoke(by, scope, link.id)).toBe(false);
    for (const action of ['share_link.create', 'share_link.revoke'])
      expect([action, await auditedTimes(control, scope.tenant_id, action, link.id)]).toEqual([action, 1]);
  });

  guarantee('an expired link is not found; the lists forget it a month later', async ({ control, time }) => {
    const expires_at = time.in(60_000);
    const { scope, link, isOpen } = await aLink(control, { expires_at });
    expect(await isOpen()).toBe(true);
    time.ms += 60_000;
    expect(await isOpen()).toBe(false);
    const ids = async () => (await control.shareLinks.list(scope, all)).data.map(({ id }) => id);
    await control.shareLinks.create(by, scope, aDraft(), max);
    expect(await ids()).toContain(link.id);
    time.ms += 31 * 24 * 3600 * 1000;
    await control.shareLinks.create(by, scope, aDraft(), max);
    expect(await ids()).not.toContain(link.id);
  });

  guarantee('a tenant that allows no links has none that work, and makes none; others keep theirs', async ({ control }) => {
    const [own, other] = [await aLink(control), await aLink(control)];
    const { tenant_id } = own.scope;
    expect(await control.shareLinks.areAllowed(tenant_id)).toBe(true);
    await control.shareLinks.allow(by, tenant_id, false);
    await control.shareLinks.allow(by, tenant_id, false);
    expect([await own.isOpen(), await other.isOpen(), await control.shareLinks.areAllowed(tenant_id)]).toEqual([false, true, false]);
    expect(await control.shareLinks.create(by, own.scope, aDraft(), max)).toBeNull();
    await control.shareLinks.allow(by, tenant_id, true);
    expect(await own.isOpen()).toBe(true);
    expect(await auditedTimes(control, tenant_id, 'share_link.allow', tenant_id)).toBe(2);
  });

  guarantee('a link works only while its author is a member, whose role it tells', async ({ control }) => {
    const { scope, author, digest, isOpen } = await aLink(control);
    const roleOf = async () => (await control.shareLinks.list(scope, all)).data[0]?.author_role;
    await control.tenants.setMember(by, scope.tenant_id, author.id, 'read');
    expect([(await control.shareLinks.findOpen(digest))?.author_role, await roleOf()]).toEqual(['read', 'read']);
    await control.tenants.removeMember(by, scope.tenant_id, author.id, 'read');
    expect([await isOpen(), await roleOf()]).toEqual([false, null]);
  });

  guarantee('a link that is ended with its trace stays revoked', async ({ control }) => {
    const { scope, link, isOpen } = await aLink(control);
    await control.shareLinks.end(link.id);
    const ended = (await control.shareLinks.list(scope, all)).data[0]?.revoked_at;
    await control.shareLinks.end(link.id);
    expect([await isOpen(), await control.shareLinks.revoke(by, scope, link.id)]).toEqual([false, false]);
    expect([ended, (await control.shareLinks.list(scope, all)).data[0]?.revoked_at]).toEqual([expect.any(String), ended]);
  });

  guarantee('an app has as many links that work as it may, listed before those that have ended', async ({ control, race, time }) => {
    const { scope, link } = await aLink(control);
    await control.shareLinks.revoke(by, scope, link.id);
    time.ms += 1000;
    await control.shareLinks.create(by, scope, aDraft(), 2);
    expectSuccesses(await race(({ shareLinks }) => shareLinks.create(by, scope, aDraft(), 2)), 1, 'LimitReached');
    await control.shareLinks.revoke(by, scope, must((await control.shareLinks.list(scope, all)).data[0], 'it works').id);
    const isRevoked = async () => (await control.shareLinks.list(scope, all)).data.map(({ revoked_at }) => revoked_at !== null);
    expect(await isRevoked()).toEqual([false, true, true]);
    time.ms += 31 * 24 * 3600 * 1000;
    await control.shareLinks.create(by, scope, aDraft(), 2);
    expect(await isRevoked()).toEqual([false, false]);
  });

  guarantee('concurrent openings count once within a minute', async ({ control, race }) => {
    const { scope, link } = await aLink(control);
    expect((await race(({ shareLinks }) => shareLinks.countOpening(link.id))).errors).toEqual([]);
    expect((await control.shareLinks.list(scope, all)).data[0]?.openings).toBe(1);
  });

  guarantee('links go with their app; of concurrent revocations one counts', async ({ control, race }) => {
    const { scope, author, link, isOpen } = await aLink(control);
    expectOneOf(await race(({ shareLinks }) => shareLinks.revoke(by, scope, link.id)));
    const second = aDraft();
    await control.shareLinks.create(author, scope, second, max);
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect([await isOpen(), await control.shareLinks.findOpen(second.digest)]).toEqual([false, null]);
    expect((await control.shareLinks.list(scope, all)).total).toBe(0);
  });
}
