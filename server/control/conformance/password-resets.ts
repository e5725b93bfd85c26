import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { PasswordResetDraft } from '../password-reset-store.ts';
import type { DeclareGuarantee, GuaranteeContext } from './guarantee.ts';
import { expectOneOf } from './race.ts';
import { aMember, aTenant, aUser, auditedTimes, by } from './records.ts';

const max = 3;
const lifeMs = 600_000;
const draftOf = (time: GuaranteeContext['time']): PasswordResetDraft => ({ digest: randomBytes(32), expires_at: time.in(lifeMs) });

export function passwordResetGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a permission replaces the password once, ends all logins and all other permissions', async ({ control, time, race }) => {
    const tenant_id = await aTenant(control);
    const user_id = await aMember(control, tenant_id, 'read');
    await control.users.setPassword(by, user_id, 'forgotten');
    const other = await aUser(control, 'of somebody else');
    const [one, two, theirs] = [draftOf(time), draftOf(time), draftOf(time)];
    for (const draft of [one, two]) expect(await control.passwordResets.create(by, user_id, draft, max)).toBe(true);
    expect(await control.passwordResets.create(by, other, theirs, max)).toBe(true);
    const login = await control.sessions.start(by, { user_id, tenant_id, expires_at: time.in(lifeMs) });
    expect((await control.passwordResets.find(one.digest))?.id).toBe(user_id);

    const won = expectOneOf(
      await race(async ({ passwordResets }, index) => (await passwordResets.use(by, one.digest, `new ${index}`)) && `new ${index}`),
    );
    expect([await control.users.passwordHash(user_id), await control.sessions.find(login.id)]).toEqual([won, null]);
    expect(await Promise.all([one, two].map(({ digest }) => control.passwordResets.find(digest)))).toEqual([null, null]);
    expect(await control.passwordResets.use(by, two.digest, 'again')).toBe(false);
    expect([(await control.passwordResets.find(theirs.digest))?.id, await control.users.passwordHash(other)]).toEqual([
      other,
      'of somebody else',
    ]);
    expect(await auditedTimes(control, tenant_id, 'user.request_reset', user_id)).toBe(2);
    expect(await auditedTimes(control, tenant_id, 'user.reset_password', user_id)).toBe(1);
    expect(await auditedTimes(control, tenant_id, 'session.end', login.id)).toBe(1);
  });

  guarantee('a user has a limited number of permissions, until they expire', async ({ control, time, race }) => {
    const user = await aUser(control, 'forgotten');
    const drafts = Array.from({ length: 200 }, () => draftOf(time));
    const { values, errors } = await race(({ passwordResets }, index) =>
      passwordResets.create(by, user, drafts[index] as PasswordResetDraft, max),
    );
    expect([errors, values.filter(Boolean).length]).toEqual([[], max]);
    const found = async () => (await Promise.all(drafts.map(({ digest }) => control.passwordResets.find(digest)))).filter(Boolean).length;
    expect(await found()).toBe(max);
    time.ms += lifeMs;
    expect(await found()).toBe(0);
    const used = await Promise.all(drafts.map(({ digest }) => control.passwordResets.use(by, digest, 'too late')));
    expect([used.includes(true), await control.users.passwordHash(user)]).toEqual([false, 'forgotten']);
    expect(await control.passwordResets.create(by, user, draftOf(time), max)).toBe(true);
  });

  guarantee('one that could not be sent is removed alone, and does not count', async ({ control, time }) => {
    const tenant_id = await aTenant(control);
    const user_id = await aMember(control, tenant_id, 'read');
    await control.users.setPassword(by, user_id, 'forgotten');
    const [unsent, sent, next] = [draftOf(time), draftOf(time), draftOf(time)];
    for (const draft of [unsent, sent]) await control.passwordResets.create(by, user_id, draft, 2);
    expect(await control.passwordResets.create(by, user_id, next, 2)).toBe(false);
    for (let times = 0; times < 2; times++) await control.passwordResets.withdraw(by, unsent.digest);
    expect(await control.passwordResets.find(unsent.digest)).toBeNull();
    expect((await control.passwordResets.find(sent.digest))?.id).toBe(user_id);
    expect(await control.passwordResets.create(by, user_id, next, 2)).toBe(true);
    expect(await auditedTimes(control, tenant_id, 'user.withdraw_reset', user_id)).toBe(1);
  });

  guarantee('only a user with a password gets one, and every change of the password ends it', async ({ control, time }) => {
    const { passwordResets, users } = control;
    expect(await passwordResets.create(by, await aUser(control), draftOf(time), max)).toBe(false);
    expect(await passwordResets.create(by, randomUUID(), draftOf(time), max)).toBe(false);
    const changes = [
      (id: string) => users.setPassword(by, id, 'new'),
      (id: string) => users.replacePassword(by, id, 'old', 'new'),
      (id: string) => users.link(by, id, { issuer: 'first', subject: id }),
    ];
    for (const change of changes) {
      const user = await aUser(control, 'old');
      const draft = draftOf(time);
      await passwordResets.create(by, user, draft, max);
      await users.replacePassword(by, user, 'another', 'new');
      expect((await passwordResets.find(draft.digest))?.id).toBe(user);
      await change(user);
      expect([await passwordResets.find(draft.digest), await passwordResets.use(by, draft.digest, 'x')]).toEqual([null, false]);
    }
  });
}
