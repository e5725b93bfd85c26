import { expect, it } from 'vitest';
import { readGitSettings } from './git-settings.ts';

const github = { GLASSHOUSE_GITHUB_CLIENT_ID: 'a', GLASSHOUSE_GITHUB_CLIENT_SECRET: 'b', GLASSHOUSE_GITHUB_WEBHOOK_SECRET: 'c' };

it('a host without settings is not offered; an empty variable counts as unset', () => {
  expect(readGitSettings({})).toEqual({ github: null, gitlab: null });
  expect(readGitSettings({ GLASSHOUSE_GITLAB_CLIENT_ID: '' })).toEqual({ github: null, gitlab: null });
});

it('the public addresses are the default', () => {
  expect(readGitSettings(github).github).toMatchObject({ url: 'https://github.com', api_url: 'https://api.github.com' });
});

it('a missing or invalid variable is named, and its value is not shown', () => {
  const { GLASSHOUSE_GITHUB_WEBHOOK_SECRET: _, ...incomplete } = github;
  expect(() => readGitSettings(incomplete)).toThrow('GLASSHOUSE_GITHUB_WEBHOOK_SECRET is missing');
  for (const url of ['file:///x', 'github.com', 'https://user:secret@host', 'https://host/?a=1'])
    expect(() => readGitSettings({ ...github, GLASSHOUSE_GITHUB_URL: url })).toThrow(/^GLASSHOUSE_GITHUB_URL must be an/);
  expect(() => readGitSettings({ ...github, GLASSHOUSE_GITHUB_URL: 'secret' })).not.toThrow('secret');
});
