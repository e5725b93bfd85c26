import { expect, it } from 'vitest';
import { inEnvironment, inOtherApp } from './place-url.ts';

it('another environment keeps the page and what it shows, without what belongs to one environment', () => {
  const list = { app: 'a', environment: 'staging', filter: 'model = x', last: '7d', peek: 'trace-1' };
  expect(inEnvironment('/traces', list, 'production')).toBe('/traces?app=a&environment=production&filter=model+%3D+x&last=7d');
  expect(inEnvironment('/traces', list, undefined)).toBe('/traces?app=a&filter=model+%3D+x&last=7d');
  const prompt = { app: 'a', path: 'refund.prompt.mdx', view: 'versions', version: 'd2', base: 'd1' };
  expect(inEnvironment('/prompts', prompt, 'staging')).toBe('/prompts?app=a&path=refund.prompt.mdx&view=versions&environment=staging');
  expect(inEnvironment('/settings/members', { app: 'a' }, 'staging')).toBe('/settings/members?app=a&environment=staging');
});

it('from a trace, which is of one environment, another environment leads to the list', () => {
  expect(inEnvironment('/traces/0af7', { app: 'a', span: 's' }, 'staging')).toBe('/traces?app=a&environment=staging');
  expect(inEnvironment('/sessions/s-1', { app: 'a', turn: 't' }, 'staging')).toBe('/sessions/s-1?app=a&turn=t&environment=staging');
});

it('another app keeps the page and conditions that mean the same there; the page of one item becomes its list', () => {
  const view = { app: 'a', environment: 'staging', filter: 'model = x', dataset_run_id: 'r', peek: 'trace-1', last: '7d' };
  expect(inOtherApp('/traces', view)).toBe('/traces?filter=model+%3D+x&last=7d');
  expect(inOtherApp('/traces/0af7', { app: 'a', span: 's' })).toBe('/traces');
  expect(inOtherApp('/workers/runs/1', { app: 'a' })).toBe('/workers');
  expect(inOtherApp('/settings/environments/1', { app: 'a' })).toBe('/settings/environments');
  expect(inOtherApp('/settings/git', { app: 'a', git: 'linked' })).toBe('/settings/git');
});
