import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { GitProvider, LinkDraft } from '../git-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { claimOf } from './leases.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { anApp, auditedTimes, by } from './records.ts';

const connection = (provider: GitProvider, sealed_tokens = 'tokens') => ({ provider, installation_id: 1, sealed_tokens });

const linkTo = (repository_id: string, provider: GitProvider = 'github'): LinkDraft => ({
  ...{ provider, repository_id, repository: 'a/b', branch: 'main' },
});

async function aConnectedApp(control: ControlStore, tenantId?: string): Promise<Scope> {
  const scope = await anApp(control, tenantId);
  await control.git.connect(by, scope, connection('github'));
  return scope;
}

const pushTo = (repository_id: string, delivery: string = randomUUID()) => ({
  ...({ provider: 'github', delivery, repository_id, branch: 'main' } as const),
});

const dueSince = async (control: ControlStore, { app_id }: Scope) =>
  (await control.git.due()).find(({ scope }) => scope.app_id === app_id)?.due_since ?? null;

export function gitGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent links of two apps to a branch those of one app succeed', async ({ control, race }) => {
    const first = await aConnectedApp(control);
    const scopes = [first, await aConnectedApp(control, first.tenant_id)];
    const repository = randomUUID();
    const result = await race(({ git }, index) => git.link(by, scopes[index % 2] as Scope, linkTo(repository)));
    const links = expectSuccesses(result, 100, 'Duplicate');
    const [link] = links;
    expect(links.every((each) => each?.id === link?.id)).toBe(true);
    const found = await Promise.all(scopes.map((scope) => control.git.findLink(scope)));
    expect(found.filter((each) => each !== null)).toEqual([{ ...linkTo(repository), id: link?.id }]);
    expect(await auditedTimes(control, first.tenant_id, 'git.link', link?.id ?? '')).toBe(1);
    const elsewhere = await aConnectedApp(control);
    expect(await control.git.link(by, elsewhere, linkTo(repository))).toMatchObject({ repository_id: repository });
  });

  guarantee('an app is linked only to a repository of the provider that it is connected to', async ({ control, race }) => {
    for (const first of [0, 1]) {
      const scope = await aConnectedApp(control);
      await race(async ({ git }, index) =>
        index % 2 === first ? void (await git.link(by, scope, linkTo('1'))) : git.connect(by, scope, connection('gitlab')),
      );
      expect([await control.git.findConnection(scope), await control.git.findLink(scope)]).toEqual([connection('gitlab'), null]);
      expect(await control.git.link(by, scope, linkTo('1'))).toBeNull();
    }
    const scope = await anApp(control);
    expect([await control.git.link(by, scope, linkTo('1')), await control.git.findConnection(scope)]).toEqual([null, null]);
  });

  guarantee('a link is replaced, and ends once', async ({ control, race }) => {
    const scope = await aConnectedApp(control);
    const [one, two] = [randomUUID(), randomUUID()];
    const first = await control.git.link(by, scope, linkTo(one));
    expect(await control.git.link(by, scope, linkTo(one))).toEqual(first);
    expect(await control.git.link(by, scope, linkTo(two))).toMatchObject({ repository_id: two });
    await control.git.connect(by, scope, connection('github', 'new'));
    expect(await control.git.findLink(scope)).toMatchObject({ repository_id: two });
    expect(expectOneOf(await race(({ git }) => git.unlink(by, scope)))).toBe(true);
    expect(await control.git.findLink(scope)).toBeNull();
  });

  guarantee('of concurrent renewals of one token one is stored', async ({ control, race }) => {
    const scope = await aConnectedApp(control);
    expect(expectOneOf(await race(({ git }, index) => git.renew(scope, 'tokens', `renewed ${index}`)))).toBe(true);
    const renewed = (await control.git.findConnection(scope))?.sealed_tokens ?? '';
    expect(renewed).toMatch(/^renewed \d+$/);
    expect(await control.git.renew(scope, 'tokens', 'late')).toBe(false);
    expect(await control.git.findConnection(scope)).toEqual(connection('github', renewed));
    await control.git.renew(scope, renewed, 'next');
    expect((await control.git.findConnection(scope))?.sealed_tokens).toBe('next');
  });

  guarantee('a nonce works once, for its app, until it expires', async ({ control, time, race }) => {
    const [scope, other] = [await anApp(control), await anApp(control)];
    const [nonce, late] = [randomUUID(), randomUUID()];
    await control.git.issueNonce(scope, nonce, time.in(60_000));
    await control.git.issueNonce(scope, late, time.in(0));
    expect([await control.git.consumeNonce(other, nonce), await control.git.consumeNonce(scope, late)]).toEqual([false, false]);
    expect(expectOneOf(await race(({ git }) => git.consumeNonce(scope, nonce)))).toBe(true);
    expect(await control.git.consumeNonce(scope, randomUUID())).toBe(false);
  });

  guarantee('a delivery counts once, for all apps that follow the branch', async ({ control, race }) => {
    const [first, second, other] = [await aConnectedApp(control), await aConnectedApp(control), await aConnectedApp(control)];
    const repository = randomUUID();
    for (const scope of [first, second]) await control.git.link(by, scope, linkTo(repository));
    await control.git.link(by, other, { ...linkTo(repository), branch: 'next' });
    const push = pushTo(repository);
    expect(expectOneOf(await race(({ git }) => git.receivePush(push)))).toBe(2);
    const due = (await control.git.due()).filter(({ scope }) => [first, second, other].some(({ app_id }) => app_id === scope.app_id));
    expect(due.map(({ scope }) => scope.app_id)).toEqual([first, second].map(({ app_id }) => app_id).sort());
    expect(await control.git.receivePush(pushTo(randomUUID()))).toBe(0);
  });

  guarantee('a later push stays due when an earlier one is settled, even within a millisecond', async ({ control, time }) => {
    const scope = await aConnectedApp(control);
    const repository = randomUUID();
    await control.git.link(by, scope, linkTo(repository));
    time.stepMs = 0;
    try {
      await control.git.makeDue(by, scope);
      const first = (await dueSince(control, scope)) ?? '';
      await control.git.receivePush(pushTo(repository));
      const lost = await claimOf(control);
      await control.leases.release(lost);
      const claim = await claimOf(control, lost.name);
      await control.git.settle(claim, scope, first);
      const second = (await dueSince(control, scope)) ?? '';
      expect(second > first).toBe(true);
      await control.git.settle(lost, scope, second);
      expect(await dueSince(control, scope)).toBe(second);
      await control.git.settle(claim, scope, second);
      expect(await dueSince(control, scope)).toBeNull();
    } finally {
      time.stepMs = 1;
    }
  });
}
