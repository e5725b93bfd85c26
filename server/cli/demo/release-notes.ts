/** An agent that writes release notes of Tidepool, a made-up program that synchronises folders. */
import type { Agent, Failure, Model, Story, ToolCall, Turn } from './story.ts';

const system = `You write the release notes of Tidepool for the people who use it. Read the commits with git_log, then run the tests with run_tests.

If a test fails, write no notes: say which tests failed and which commit is the likely reason. Otherwise write at most six points, the most useful first.
Say what changes for the user and not how it was done. Leave out refactoring, tests and dependencies, unless they fix a security problem.
Mention numbers only if a commit gives them. Name nobody, and never promise anything about later versions.`;

const agent = (model: Model): Agent => ({
  name: 'release-notes',
  model,
  system,
  prompt: { name: 'release-notes', version: '5' },
  tools: ['git_log', 'run_tests'],
});

const log = (from: string, to: string, commits: readonly string[]): ToolCall => ({
  tool: 'git_log',
  args: { from, to },
  result: commits.join('\n'),
  ms: 130,
});
const passed = (tests: number, seconds: number): ToolCall => ({
  tool: 'run_tests',
  args: { suite: 'all' },
  result: { suite: 'all', tests, passed: tests, failed: 0, seconds },
  ms: seconds * 1000,
});
const broken = (failed: Failure, seconds: number): ToolCall => ({
  tool: 'run_tests',
  args: { suite: 'all' },
  failed,
  ms: seconds * 1000,
});

interface Release {
  version: string;
  before: string;
  model: Model;
  hoursAgo: number;
  environment?: Story['environment'];
  commits: readonly string[];
  tests: ToolCall;
  notes: string;
  helpful?: Turn['helpful'];
}

const releases: readonly Release[] = [
  {
    ...{ version: '4.12.1', before: '4.12.0', model: 'claude-sonnet-4-5', hoursAgo: 1.7 },
    commits: [
      '9f3c1a2 fix: a folder renamed during a sync is no longer uploaded twice',
      '41be770 fix: the tray icon shows an error if the disk is full',
      'c08d5e9 test: cover renames on Windows',
    ],
    tests: passed(431, 19),
    notes:
      '## Tidepool 4.12.1\n\n- A folder that you rename while it is being synchronised is no longer uploaded twice.\n- If the disk is full, the icon in the tray says so.',
    helpful: [1, 'Both fixes in the words of a user, and nothing about tests.'],
  },
  {
    ...{ version: '4.12.0', before: '4.11.3', model: 'gpt-5', hoursAgo: 7.2 },
    commits: [
      'e51f09b feat: pause a sync for one hour, until tomorrow, or until resumed',
      'a77d3c4 feat: choose folders that this computer leaves out',
      '0b9e6f1 perf: read file lists in pages, 2.4 times faster for folders with 100,000 files',
      '5d20c8e fix: times of files on FAT drives are compared to two seconds',
      'f4418aa build: update sqlite to 3.51',
      '3c6b2d7 refactor: one queue for uploads and downloads',
    ],
    tests: passed(428, 18),
    notes:
      '## Tidepool 4.12.0\n\n- Pause a sync for an hour, until tomorrow, or until you resume it.\n- Choose folders that a computer leaves out.\n- Folders with 100,000 files are read 2.4 times as fast.\n- Files on FAT drives are no longer copied again because of differences of up to two seconds in their times.',
    helpful: [1, 'Good order, and the figure comes from the commit.'],
  },
  {
    ...{ version: '4.12.0-rc.2', before: '4.12.0-rc.1', model: 'gpt-5-mini', hoursAgo: 10.8, environment: 'staging' },
    commits: [
      '5d20c8e fix: times of files on FAT drives are compared to two seconds',
      '88a1f30 refactor: read the clock in one place',
      'f4418aa build: update sqlite to 3.51',
    ],
    tests: broken(
      {
        type: 'TestsFailed',
        message: '3 of 428 tests failed: fat-times > odd seconds, fat-times > leap day, resume > after midnight',
      },
      17,
    ),
    notes:
      'There are no notes for 4.12.0-rc.2, because 3 of 428 tests failed: `fat-times > odd seconds`, `fat-times > leap day` and `resume > after midnight`. All three read the clock, so 88a1f30 is the likely reason.',
    helpful: [1, 'It stopped, as it should, and 88a1f30 was indeed the reason.'],
  },
  {
    ...{ version: '4.12.0-rc.1', before: '4.11.3', model: 'claude-haiku-4-5', hoursAgo: 15.6, environment: 'staging' },
    commits: [
      'e51f09b feat: pause a sync for one hour, until tomorrow, or until resumed',
      'a77d3c4 feat: choose folders that this computer leaves out',
      '0b9e6f1 perf: read file lists in pages, 2.4 times faster for folders with 100,000 files',
      '3c6b2d7 refactor: one queue for uploads and downloads',
    ],
    tests: passed(424, 18),
    notes:
      '## Tidepool 4.12.0-rc.1\n\n- New: pausing for one hour, until tomorrow or until resumed.\n- New: folders that a computer leaves out.\n- Large folders are read faster.\n- Uploads and downloads now share one queue.',
    helpful: [0, 'The last point is refactoring, and the figure of the faster reads is missing.'],
  },
  {
    ...{ version: '4.11.3', before: '4.11.2', model: 'claude-sonnet-4-5', hoursAgo: 26.1 },
    commits: [
      'b6f2e14 security: refuse links in archives that lead out of the folder',
      '70ce9d8 fix: sign in again after a change of the password',
      '2a9b3f5 docs: how to move a library to another disk',
    ],
    tests: passed(417, 17),
    notes:
      '## Tidepool 4.11.3\n\nThis version fixes a security problem: archives with links that lead out of the folder are refused. Please update.\n\n- After you change your password, Tidepool asks you to sign in again instead of failing silently.',
  },
  {
    ...{ version: '4.11.2', before: '4.11.1', model: 'gpt-5', hoursAgo: 44.4 },
    commits: [
      '1e8d7a6 fix: the list of conflicts is sorted by time again',
      'd39f0b2 fix: no more than four uploads at once on metered connections',
      '6607bce build: remove an unused setting',
    ],
    tests: passed(412, 17),
    notes:
      '## Tidepool 4.11.2\n\n- On metered connections at most four files are uploaded at once.\n- The list of conflicts is sorted by time again.',
  },
];

export const releaseNotes: readonly Story[] = releases.map(({ version, before, tests, commits, notes, helpful, ...release }) => ({
  key: `release ${version}`,
  name: `Release notes for ${version}`,
  environment: release.environment ?? 'production',
  tags: ['release'],
  hoursAgo: release.hoursAgo,
  agent: agent(release.model),
  turns: [
    {
      ask: `Write the release notes for Tidepool ${version}. The version before it is ${before}.`,
      rounds: [[log(`v${before}`, `v${version}`, commits)], [tests]],
      answer: notes,
      ...(helpful && { helpful }),
    },
  ],
}));
