import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf } from './race.ts';
import { aMember, aTenant, aUser, auditedTimes, by } from './records.ts';

/** Audit entries about users belong to no tenant. */
const noTenant = '';

export function userGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('an address is of one user, in any case, however many create it at once', async ({ control, race }) => {
    const email = `${randomUUID()}@A.test`;
    const of = (index: number) => (index % 2 === 0 ? email : email.toUpperCase());
    const { values, errors } = await race((store, index) =>
      store.users.ensure(by, { email: of(index), name: `${index}`, password_hash: `${index}` }),
    );
    const [user, ...others] = new Set(values.map((value) => JSON.stringify(value)));
    expect([errors, others]).toEqual([[], []]);
    const found = await control.users.find(email.toUpperCase());
    expect(found).toEqual(JSON.parse(user as string));
    expect(found?.email).toBe(email.toLowerCase());
    expect(await control.users.passwordHash(found?.id ?? '')).toBe(found?.name);
    expect(await auditedTimes(control, noTenant, 'user.create', found?.id ?? '')).toBe(1);
    expect([await control.users.find('nobody@a.test'), await control.users.passwordHash(randomUUID())]).toEqual([null, null]);
  });

  guarantee('of concurrent replacements of one password one succeeds', async ({ control, race }) => {
    const id = await aUser(control, 'old');
    const won = expectOneOf(
      await race(async ({ users }, index) => (await users.replacePassword(by, id, 'old', `new ${index}`)) && `new ${index}`),
    );
    expect(await control.users.passwordHash(id)).toBe(won);
    await control.users.setPassword(by, id, 'by the operator');
    expect(await control.users.passwordHash(id)).toBe('by the operator');
  });

  guarantee('a user has one identity of each issuer, and an identity one user', async ({ control, race }) => {
    const users = [await aUser(control), await aUser(control)];
    const issuer = randomUUID();
    const subjects = Array.from({ length: 10 }, () => randomUUID());
    const attempt = (index: number) => ({ user: users[index % 2] as string, subject: subjects[index % 10] as string });
    const { errors } = await race(({ users: store }, index) => {
      const { user, subject } = attempt(index);
      return store.link(by, user, { issuer, subject });
    });
    expect(errors).toEqual([]);
    const linked = await Promise.all(subjects.map(async (subject) => (await control.users.findLinked({ issuer, subject }))?.id));
    expect(linked.filter((id) => id !== undefined).sort()).toEqual([...users].sort());
    await control.users.link(by, users[0] as string, { issuer: 'another', subject: issuer });
    expect((await control.users.findLinked({ issuer: 'another', subject: issuer }))?.id).toBe(users[0]);
  });

  guarantee('an identity that two users claim at once stays with one', async ({ control, race }) => {
    const users = [await aUser(control), await aUser(control)];
    const identity = { issuer: randomUUID(), subject: 's' };
    await race(({ users: store }, index) => store.link(by, users[index % 2] as string, identity));
    const linked = await control.users.findLinked(identity);
    expect(users).toContain(linked?.id);
    for (const user of users) await control.users.link(by, user, identity);
    expect(await control.users.findLinked(identity)).toEqual(linked);
  });

  guarantee('the first identity removes the password and ends all logins, a second one does not', async ({ control, time }) => {
    const tenant_id = await aTenant(control);
    const user_id = await aMember(control, tenant_id, 'read');
    await control.users.setPassword(by, user_id, 'of somebody');
    const login = () => control.sessions.start(by, { user_id, tenant_id, expires_at: time.in(60_000) });
    const before = await login();
    await control.users.link(by, user_id, { issuer: 'first', subject: user_id });
    expect([await control.users.passwordHash(user_id), await control.sessions.find(before.id)]).toEqual([null, null]);
    expect(await control.users.replacePassword(by, user_id, 'of somebody', 'kept by somebody')).toBe(false);
    expect(await control.users.passwordHash(user_id)).toBeNull();
    const after = await login();
    await control.users.setPassword(by, user_id, 'of the owner');
    await control.users.link(by, user_id, { issuer: 'second', subject: user_id });
    expect([await control.users.passwordHash(user_id), await control.sessions.find(after.id)]).toEqual(['of the owner', after]);
  });

  guarantee('a login is replaced once, by one of the same user, and not after it has ended', async ({ control, time, race }) => {
    const [tenant_id, next] = [await aTenant(control), await aTenant(control)];
    const user_id = await aMember(control, tenant_id, 'read');
    await control.tenants.setMember(by, next, user_id, 'read');
    const draft = (tenant: string) => ({ user_id, tenant_id: tenant, expires_at: time.in(60_000) });
    const first = await control.sessions.start(by, draft(tenant_id));
    const stranger = { ...draft(next), user_id: await aUser(control) };
    expect(await control.sessions.replace(by, first.id, stranger)).toBeNull();
    expect(await control.sessions.find(first.id)).toEqual(first);
    const second = expectOneOf(await race(({ sessions }) => sessions.replace(by, first.id, draft(next))));
    expect([await control.sessions.find(first.id), await control.sessions.find(second.id)]).toEqual([null, second]);
    expect(second).toMatchObject({ user_id, tenant_id: next });
    expect(await auditedTimes(control, tenant_id, 'session.end', first.id)).toBe(1);
    expect(await auditedTimes(control, next, 'session.start', second.id)).toBe(1);
    await control.sessions.endOthers(by, user_id, '');
    expect(await control.sessions.replace(by, second.id, draft(next))).toBeNull();
    const expired = await control.sessions.start(by, draft(next));
    time.ms += 60_000;
    expect(await control.sessions.replace(by, expired.id, draft(next))).toBeNull();
  });

  guarantee('a person sees and ends their logins, and nobody else does', async ({ control, time, race }) => {
    const [tenant_id, next] = [await aTenant(control), await aTenant(control)];
    const user_id = await aMember(control, tenant_id, 'read');
    const stranger = await aMember(control, tenant_id, 'read');
    await control.tenants.setMember(by, next, user_id, 'read');
    const { sessions } = control;
    const start = async (tenant: string, user = user_id) => {
      time.ms += 1000;
      return sessions.start(
        { ...by, ip: '192.0.2.7' },
        { user_id: user, tenant_id: tenant, expires_at: time.in(600_000), client: 'Firefox' },
      );
    };
    const [one, two, three, theirs] = [await start(tenant_id), await start(next), await start(tenant_id), await start(tenant_id, stranger)];
    const { name } = (await control.tenants.find(next)) ?? { name: '' };
    const listed = async (limit = 10) => (await sessions.list(user_id, limit)).map(({ id }) => id);
    expect(await listed()).toEqual([three.id, two.id, one.id]);
    expect((await sessions.list(user_id, 2))[1]).toEqual({
      ...two,
      tenant_name: name,
      client: 'Firefox',
      ip: '192.0.2.7',
      last_used_at: null,
    });

    const touch = async () => (await race(async (store) => store.sessions.touch(one))).errors;
    expect(await touch()).toEqual([]);
    const first = (await sessions.find(one.id))?.last_used_at ?? '';
    time.ms += 30_000;
    await sessions.touch({ id: one.id, last_used_at: first });
    await sessions.touch(one);
    expect((await sessions.find(one.id))?.last_used_at).toBe(first);
    time.ms += 31_000;
    await sessions.touch({ id: one.id, last_used_at: first });
    expect(((await sessions.find(one.id))?.last_used_at ?? '') > first).toBe(true);

    expect([await sessions.endOf(by, stranger, one.id), await sessions.endOf(by, user_id, randomUUID())]).toEqual([false, false]);
    expectOneOf(await race((store) => store.sessions.endOf(by, user_id, one.id)));
    expect(await auditedTimes(control, tenant_id, 'session.end', one.id)).toBe(1);
    await sessions.endIn(by, tenant_id, user_id);
    expect(await auditedTimes(control, tenant_id, 'member.sign_out', user_id)).toBe(1);
    expect([await listed(), await sessions.find(theirs.id)]).toEqual([[two.id], theirs]);
    time.ms += 600_000;
    expect([await listed(), await sessions.endOf(by, user_id, two.id)]).toEqual([[], false]);

    await start(next);
    const left = await start(tenant_id);
    await control.tenants.removeMember(by, next, user_id, 'read');
    expect(await listed()).toEqual([left.id]);
  });

  guarantee('a login lasts until it ends or expires, and its end is recorded once', async ({ control, time, race }) => {
    const tenant_id = await aTenant(control);
    const user_id = await aMember(control, tenant_id, 'read');
    const login = () => control.sessions.start(by, { user_id, tenant_id, expires_at: time.in(60_000) });
    const [one, two, three] = [await login(), await login(), await login()];
    expect(await control.sessions.find(one.id)).toEqual(one);
    const ids = [one.id, two.id, three.id, randomUUID()];
    expect(await control.sessions.roles(ids)).toEqual(new Map([one, two, three].map(({ id }) => [id, 'read'])));
    expect((await race(({ sessions }) => sessions.end(by, one.id))).errors).toEqual([]);
    expect(await control.sessions.find(one.id)).toBeNull();
    expect(await auditedTimes(control, tenant_id, 'session.end', one.id)).toBe(1);
    await control.sessions.endOthers(by, user_id, three.id);
    expect([await control.sessions.find(two.id), await control.sessions.find(three.id)]).toEqual([null, three]);
    expect(await control.sessions.roles(ids)).toEqual(new Map([[three.id, 'read']]));
    time.ms += 60_000;
    expect([await control.sessions.find(three.id), await control.sessions.find(randomUUID())]).toEqual([null, null]);
    expect([await control.sessions.roles(ids), await control.sessions.roles([])]).toEqual([new Map(), new Map()]);
  });
}
