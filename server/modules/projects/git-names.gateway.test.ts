/** Names of repositories and branches that have a special meaning to git, a shell, a path or a URL are never sent to a host. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectedCloud, startConnectedCloud } from '../../fixtures/git-hosts/connected-cloud.ts';
import { FakeRepository } from '../../fixtures/git-hosts/fake-repository.ts';

let fixture: ConnectedCloud;

beforeAll(async () => {
  fixture = await startConnectedCloud();
  fixture.hosts.github.repositories.push(new FakeRepository(1, 'team/owls'));
  await fixture.connect(fixture.cloud.tenant, 'github');
});
afterAll(() => fixture.stop());

const hostile = [
  ...[
    'ext::sh -c touch% /tmp/pwned',
    '--upload-pack=touch /tmp/pwned',
    '-c',
    '-oProxyCommand=x',
    'file:///etc/passwd',
    '$(id)',
    '`id`',
    '; id',
    '| id',
    '&& id',
  ],
  ...[
    '../..',
    '.',
    '../../..',
    '/etc/passwd',
    'C:\\windows',
    '\\\\host\\share',
    'a\\b',
    '.git',
    'http://127.0.0.1/',
    'https://user:pass@host/x',
    'ssh://-oProxy/x',
  ],
  ...[
    'git@host:a/b',
    '//evil.test/x',
    'a b',
    'a\tb',
    'a\nb',
    'a\r\nHost: evil',
    'a\u0001b',
    'a\u007fb',
    'a\u202eb',
    'a~1',
    'a^',
    'a:b',
    'a?b',
    'a*b',
    'a[b',
    '@{u}',
  ],
  ...['@', 'a.lock', 'a.', 'a..b', '%2e%2e', '%2f', '#', '?x=1', 'a@{0}', 'x'.repeat(256)],
];
/** Each by itself, as an owner, as a repository, and somewhere in between. */
const repositories = hostile
  .flatMap((text) => [`${text}/owls`, `team/${text}`, `team/${text}/owls`, `team/owls${text}`])
  // These two are valid: a repository of another name, and one in groups.
  .filter((name) => name !== 'team/owls-c' && name !== 'team/owls/etc/passwd');
/** Allowed by git and harmless to hosts: as one segment of a path they have no other meaning. */
const harmless = new Set(['$(id)', '`id`', '%2e%2e', '%2f', '#']);
const branches = hostile
  .filter((text) => !harmless.has(text))
  .flatMap((text) => [text, `${text}/x`, `x/${text}`])
  .filter((name) => !['@/x', 'x/@', 'a./x'].includes(name));

const post = async (body: object) => {
  const { tenant, fetch } = fixture.cloud;
  const headers = { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`/v1/apps/${tenant.app_id}/git/link`, { method: 'POST', headers, body: JSON.stringify(body) });
  return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code];
};

it('no hostile name of a repository reaches the host', async () => {
  expect(repositories.length).toBeGreaterThan(180);
  fixture.hosts.github.asked.length = 0;
  const accepted: string[] = [];
  for (const repository of repositories) {
    const [status, code] = await post({ repository, branch: 'main' });
    if (status !== 400 || code !== 'invalid_request_body') accepted.push(`${JSON.stringify(repository)} ${status}`);
  }
  expect([accepted, fixture.hosts.github.asked]).toEqual([[], []]);
});

it('no hostile name of a branch reaches the host', async () => {
  fixture.hosts.github.asked.length = 0;
  const accepted: string[] = [];
  for (const branch of branches) {
    const [status, code] = await post({ repository: 'team/owls', branch });
    if (status !== 400 || code !== 'invalid_request_body') accepted.push(`${JSON.stringify(branch)} ${status}`);
  }
  expect([accepted, fixture.hosts.github.asked]).toEqual([[], []]);
});

it('odd names that are legal are sent to the host as one segment of a path', async () => {
  const { asked } = fixture.hosts.github;
  for (const branch of ['#', '%2f', '%2e%2e', '$(id)', 'feature/a+b&c=d', 'ünï']) {
    asked.length = 0;
    expect(await post({ repository: 'team/owls', branch })).toEqual([400, 'invalid_request_body']);
    expect(asked.at(-1)).toBe(`GET /repos/team/owls/branches/${encodeURIComponent(branch)}`);
  }
});
