/** Every setting that the gateway reads can be found: in the documentation, in both compose files, and in the example of their settings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readCodingAgentSettings } from './cloud-agent-runs.ts';
import { readCloudSettings } from './cloud-settings.ts';
import { settingNames, unknownSettings } from './setting-names.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const namesIn = (text: string) => new Set(text.match(/\bGLASSHOUSE_[A-Z0-9_]*[A-Z0-9]\b/g));
const sorted = (names: Iterable<string>) => [...names].sort();

const secret = { GLASSHOUSE_SECRET: 'x'.repeat(32) };
/** What other settings need before they matter. */
const switchedOn = { ...secret, GLASSHOUSE_METRICS_PORT: '9464', GLASSHOUSE_POSTGRES_URL: 'postgres://db.test/glasshouse' };
const agents = { GLASSHOUSE_WORKERS: 'process', GLASSHOUSE_WORKER_COMMAND: '["agent"]' };
const guides = ['deploy.md', 'scale.md', 'git-hosts.md', 'coding-agents.md', 'alerts.md'].map((name) => read(`docs/${name}`));
const tables = guides.flatMap((text) => text.split('\n').filter((line) => line.startsWith('|'))).join('\n');

type Environment = Record<string, string>;

function environmentOf(composeFile: string, service: string): Environment {
  const { services } = parse(read(composeFile), { merge: true }) as { services: Record<string, { environment: Environment }> };
  return services[service]?.environment ?? {};
}

/** Its lines `NAME=value`, whether commented or not, each with the line above. */
const example = [...read('deploy/.env.example').matchAll(/^(?<above>.*)\n(?<hash>#?)(?<name>[A-Z0-9_]+)=(?<value>.*)$/gm)].map(
  ({ groups }) => groups as Record<'above' | 'hash' | 'name' | 'value', string>,
);

/** Of these the cluster file has its own values, and so no files. */
const setByCluster = ['GLASSHOUSE_POSTGRES_URL_FILE', 'GLASSHOUSE_CLICKHOUSE_URL_FILE'];

it('the list of settings has every variable that is named in the sources that read settings', () => {
  const folder = join(root, 'server/entry');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const named = new Set(sources.flatMap((name) => [...namesIn(read(`server/entry/${name}`))]));
  expect(sorted(named.difference(settingNames))).toEqual(['GLASSHOUSE_DATA']);
  expect(settingNames.size).toBeGreaterThan(40);
});

it('a variable that is no setting is noticed', () => {
  const variables = { ...secret, GLASSHOUSE_SECRET_FILE: '', GLASSHOUSE_OICD_ISSUER: 'x', GLASSHOUSE_DATA: '/data', PATH: '/bin' };
  expect(unknownSettings(variables)).toEqual(['GLASSHOUSE_OICD_ISSUER']);
});

it('tables of the documentation have every setting, and no other', () => {
  expect(sorted(namesIn(tables))).toEqual(sorted(settingNames));
});

describe('compose files', () => {
  it('pass on every setting, and no other', () => {
    expect(sorted(Object.keys(environmentOf('deploy/compose.yaml', 'glasshouse')))).toEqual(sorted(settingNames));
    const ofCluster = sorted(settingNames.difference(new Set(setByCluster)));
    for (const service of ['gateway-1', 'gateway-2'])
      expect(sorted(Object.keys(environmentOf('deploy/compose.cluster.yaml', service)))).toEqual(ofCluster);
  });

  it('take each from the variable of its name, so that one that is not set changes nothing', () => {
    for (const [name, value] of Object.entries(environmentOf('deploy/compose.yaml', 'glasshouse')))
      expect(value).toBe(`\${${name}:-${name === 'GLASSHOUSE_METRICS_HOST' ? '0.0.0.0' : ''}}`);
    const empty = Object.fromEntries([...settingNames].map((name) => [name, '']));
    expect(readCloudSettings({ ...empty, ...secret })).toEqual(readCloudSettings(secret));
  });
});

describe('.env.example', () => {
  it('has every setting once, and no other', () => {
    expect(example.map(({ name }) => name).sort()).toEqual(sorted([...settingNames, 'DATABASE_PASSWORD']));
  });

  it('explains each in one line, with its default', () => {
    for (const { above, name, value } of example) {
      expect(above, name).toMatch(/^# [A-Z].*\b(?:Default:|No default\.|Required)/);
      if (value !== '' && name !== 'GLASSHOUSE_SLACK_API') expect(above, name).toContain(`Default: ${value}`);
    }
  });

  it('names the defaults that the gateway has: setting all of them changes nothing', () => {
    const values = Object.fromEntries(example.map(({ name, value }) => [name, value]));
    const { alerts, ...all } = readCloudSettings({ ...values, ...switchedOn });
    expect({ ...all, alerts: {} }).toEqual(readCloudSettings(switchedOn));
    expect(alerts).toEqual({ slackApi: 'https://slack.com/api/' });
    expect(readCodingAgentSettings({ ...values, ...agents }, 'linux')).toEqual(readCodingAgentSettings(agents, 'linux'));
  });

  it('sets nothing but the secret, which is empty', () => {
    expect(example.filter(({ hash }) => hash === '').map(({ name, value }) => [name, value])).toEqual([['GLASSHOUSE_SECRET', '']]);
  });
});
