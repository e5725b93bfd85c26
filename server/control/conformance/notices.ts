import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type { ControlStore } from '../control-store.ts';
import { noticeDays, noticesMax } from '../notice-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { aMember, anApp, aUser, by, keyDraft } from './records.ts';

const asUser = (id: string): Actor => ({ kind: 'user', id, ip: null });
const mention = (id: string): string => `@[Somebody](user:${id})`;
const dayMs = 24 * 60 * 60 * 1000;

const write = (control: ControlStore, author: Actor, scope: Scope, body: string, resource_id = 't') =>
  control.comments.create(author, scope, { resource_id, resource_type: 'trace', body });

const noticesOf = async (control: ControlStore, { tenant_id }: Scope, user_id: string) =>
  (await control.notices.list({ tenant_id, user_id }, { limit: 100 })).data;

/** An app, and members of its tenant. */
async function aTeam(control: ControlStore) {
  const scope = await anApp(control);
  const [ann, ben, cleo] = [
    await aMember(control, scope.tenant_id, 'owner'),
    await aMember(control, scope.tenant_id, 'read'),
    await aMember(control, scope.tenant_id, 'write'),
  ];
  return { scope, ann, ben, cleo };
}

export function noticeGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a comment tells whom it mentions and who commented before, each once, and nobody else', async ({ control }) => {
    const { scope, ann, ben, cleo } = await aTeam(control);
    const outsider = await aUser(control);
    const elsewhere = await anApp(control);
    await control.tenants.setMember(by, elsewhere.tenant_id, outsider, 'owner');
    await write(control, asUser(ann), scope, 'first');
    await write(control, asUser(cleo), scope, 'of another trace', 'other');
    const all = [ann, ben, outsider, randomUUID()].map(mention).join(' ');
    const comment = await write(control, asUser(ben), scope, `${all} ${mention(ann)}`);
    expect(comment.body).toContain(mention(outsider));
    expect(await noticesOf(control, scope, ann)).toMatchObject([{ kind: 'mention', app_id: scope.app_id, comment, read_at: null }]);
    const { id: keyId } = await control.keys.create(by, scope, keyDraft('bot'), null);
    await write(control, { kind: 'key', id: keyId, ip: null }, scope, mention(cleo));
    expect((await noticesOf(control, scope, ann)).map(({ kind }) => kind)).toEqual(['reply', 'mention']);
    expect((await noticesOf(control, scope, ben)).map(({ kind }) => kind)).toEqual(['reply']);
    expect(await noticesOf(control, scope, cleo)).toMatchObject([{ kind: 'mention', comment: { author_name: 'bot' } }]);
    expect(await noticesOf(control, scope, outsider)).toEqual([]);
    expect(await noticesOf(control, elsewhere, outsider)).toEqual([]);
  });

  guarantee('of unread replies on a trace a member has only the newest, under the id of the first', async ({ control }) => {
    const { scope, ann, ben, cleo } = await aTeam(control);
    for (const author of [ann, ben]) await write(control, asUser(author), scope, 'first');
    await write(control, asUser(ann), scope, 'first', 'other');
    const inbox = async () =>
      (await noticesOf(control, scope, ann)).map(({ id, kind, comment }) => ({ id, is: `${kind} ${comment.body}` }));
    const [first] = await inbox();
    await write(control, asUser(cleo), scope, 'elsewhere', 'other');
    await write(control, asUser(cleo), scope, mention(ann));
    await write(control, asUser(cleo), scope, 'second');
    const unread = await inbox();
    expect(unread.map(({ is }) => is)).toEqual(['reply second', `mention ${mention(ann)}`, 'reply elsewhere']);
    const { id } = must(unread[0], 'there are three');
    expect(id).toBe(first?.id);
    await control.notices.mark({ tenant_id: scope.tenant_id, user_id: ann }, id, true);
    await write(control, asUser(cleo), scope, 'third');
    expect((await inbox()).map(({ is }) => is)).toEqual(['reply third', ...unread.map(({ is }) => is)]);
    expect(await noticesOf(control, scope, ben)).toMatchObject([{ kind: 'reply', comment: { body: 'third' } }]);
  });

  guarantee('a review that mentions somebody tells them', async ({ control }) => {
    const { scope, ann, ben } = await aTeam(control);
    const texts = { description: null, instructions: null, dataset_id: null };
    const { id: queueId } = await control.queues.create(by, scope, { name: 'q', ...texts, score_config_names: [], reviewers_required: 1 });
    await control.items.add(by, scope, queueId, [{ resource_id: 'r', resource_type: 'trace' }]);
    const list = await control.items.list(scope, queueId, { limit: 1, offset: 0 });
    const itemId = must(list?.data[0], 'it was added').id;
    const review = { status: 'completed', reviewer: ben, scores: [], comment: mention(ann), author_name: null } as const;
    await control.items.review(asUser(ben), scope, { queueId, itemId }, review);
    expect(await noticesOf(control, scope, ann)).toMatchObject([{ kind: 'mention', comment: { resource_id: 'r', user_id: ben } }]);
  });

  guarantee('a notice is read, unread and counted for its recipient only', async ({ control }) => {
    const { scope, ann, ben, cleo } = await aTeam(control);
    const [own, foreign] = [ann, ben].map((user_id) => ({ tenant_id: scope.tenant_id, user_id })) as [
      { tenant_id: string; user_id: string },
      { tenant_id: string; user_id: string },
    ];
    for (const body of ['1', '2', '3']) await write(control, asUser(cleo), scope, `${mention(ann)} ${mention(ben)} ${body}`);
    const { data, next } = await control.notices.list(own, { limit: 2 });
    expect(data.map(({ comment }) => comment.body.at(-1))).toEqual(['3', '2']);
    const rest = await control.notices.list(own, { limit: 2, before: must(next, 'there is another page') });
    expect([rest.data.map(({ comment }) => comment.body.at(-1)), rest.next]).toEqual([['1'], null]);
    const newest = must(data[0], 'there are three');
    expect(await control.notices.mark(foreign, newest.id, true)).toBeNull();
    const read = must(await control.notices.mark(own, newest.id, true), 'it is theirs');
    expect(read).toEqual({ ...newest, read_at: expect.any(String) });
    expect(await control.notices.mark(own, newest.id, true)).toEqual(read);
    expect([await control.notices.unread(own), await control.notices.unread(foreign)]).toEqual([2, 3]);
    expect(await control.notices.mark(own, newest.id, false)).toEqual(newest);
    expect([await control.notices.markAll(own), await control.notices.markAll(own)]).toEqual([3, 0]);
    expect([await control.notices.unread(own), await control.notices.unread(foreign)]).toEqual([0, 3]);
  });

  guarantee('a notice goes with its comment, its app and the membership', async ({ control }) => {
    const { scope, ann, ben, cleo } = await aTeam(control);
    const kept = await write(control, asUser(cleo), scope, mention(ann) + mention(ben));
    const removed = await write(control, asUser(cleo), scope, mention(ann));
    const other = await anApp(control, scope.tenant_id);
    await write(control, asUser(cleo), other, mention(ann));
    expect(await noticesOf(control, scope, ann)).toHaveLength(3);
    await control.apps.remove(by, other.tenant_id, other.app_id);
    await control.comments.remove(by, scope, removed.id, false);
    expect((await noticesOf(control, scope, ann)).map(({ comment }) => comment.id)).toEqual([kept.id]);
    await control.tenants.removeMember(by, scope.tenant_id, ben, 'read');
    await control.tenants.setMember(by, scope.tenant_id, ben, 'read');
    expect(await noticesOf(control, scope, ben)).toEqual([]);
  });

  guarantee(
    'of comments that are written at once each tells once, and of each member the newest are kept, for a time',
    async ({ control, time, race }) => {
      const { scope, ann, ben, cleo } = await aTeam(control);
      const recipient = { tenant_id: scope.tenant_id, user_id: ann };
      await write(control, asUser(cleo), scope, mention(ann) + mention(ben), 'oldest');
      const { errors } = await race((store) => write(store, asUser(cleo), scope, mention(ann)));
      expect([errors, await control.notices.unread(recipient)]).toEqual([[], noticesMax]);
      const { data } = await control.notices.list(recipient, { limit: noticesMax });
      expect([data.length, data.some(({ comment }) => comment.resource_id === 'oldest')]).toEqual([noticesMax, false]);
      time.ms += noticeDays * dayMs + 1;
      expect([await control.notices.unread(recipient), await noticesOf(control, scope, ben)]).toEqual([0, []]);
      await write(control, asUser(cleo), scope, mention(ann));
      expect(await noticesOf(control, scope, ann)).toHaveLength(1);
    },
  );
}
