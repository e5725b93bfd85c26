/**
 * The one-way structure rules (README "The rules"), as data. A rule forbids imports from files that match `from`
 * to anything that matches `to`, unless it matches `unless`, in which `$unit` is the first capture of `from`.
 * Tests may import anything: the rules are for code that ships.
 */
import { builtinModules } from 'node:module';
import type { Finding } from './finding.ts';
import type { Import } from './import-graph.ts';
import type { Tree } from './tree.ts';

interface OneWay {
  rule: string;
  from: RegExp;
  /** Files that are exempt. */
  fromNot?: RegExp;
  to: RegExp;
  unless?: string;
  instead: string;
}

const test = /\.test\.tsx?$|(^|\/)(conformance|fixtures)\//;
export const isTest = (file: string): boolean => test.test(file);
const anyPackage = /^(shared|server|renderer|main|e2e|bench|scripts|checks)\//;
const database = /^server\/(telemetry\/(sqlite|clickhouse)|control\/(queries|sqlite|postgres))\//;
const builtin = new RegExp(`^node:|^(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})(/|$)`);

const boundary = (name: string, mayUse: string, instead: string): OneWay => ({
  rule: `${name}-package-boundary`,
  from: new RegExp(`^${name}/`),
  fromNot: /\.test\.tsx?$|\.config\.ts$/,
  to: anyPackage,
  unless: `^(${mayUse})/`,
  instead,
});

export const oneWays: OneWay[] = [
  boundary('shared', 'shared', 'Put what both sides need in shared/, and leave the rest where it is.'),
  boundary('server', 'server|shared', 'The gateway is plain Node. What the window and the gateway share lives in shared/.'),
  boundary('renderer', 'renderer|shared', 'Ask the gateway over HTTP through renderer/api; types come from shared/contract.'),
  boundary('main', 'main|shared|server/entry', 'Use what server/entry offers, or extend it there.'),
  {
    rule: 'nothing-imports-main',
    from: /^(?!main\/|e2e\/)/,
    to: /^main\//,
    instead: 'main/ only assembles. Move the shared part to server/entry or shared/.',
  },
  {
    rule: 'shared-is-pure',
    from: /^shared\//,
    fromNot: /\.test\.ts$/,
    to: /^(?!\.)(?!zod(\/|$))(?!(shared|server|renderer|main|e2e|bench|scripts|checks)\/)/,
    instead: 'shared/ uses zod and the language. Pass what a platform offers in as an argument.',
  },
  {
    rule: 'electron-lives-in-main',
    from: /^(?!main\/|e2e\/)/,
    to: /^electron(\/|$)/,
    instead: 'Only main/ uses Electron; the window reaches it through shared/desktop.ts.',
  },
  {
    rule: 'desktop-is-plain-node',
    from: /^main\/desktop\//,
    fromNot: test,
    to: /^electron(\/|-|$)|^main\/(?!desktop\/)/,
    instead: 'Take what you need of Electron as an argument from the caller in main/.',
  },
  {
    rule: 'renderer-has-no-node',
    from: /^renderer\//,
    fromNot: /\.test\.tsx?$|\.config\.ts$/,
    to: builtin,
    instead: 'The viewer is an ordinary web page. Ask the gateway, or the desktop through shared/desktop.ts.',
  },
  {
    rule: 'only-entry-picks-a-database',
    from: /^server\//,
    fromNot: new RegExp(`^server/entry/|${test.source}|${database.source}`),
    to: database,
    instead: 'Import the interface beside it; server/entry passes the implementation in.',
  },
  {
    rule: 'modules-are-independent',
    from: /^server\/modules\/(?!index\.)((?:(?:core|tracing|evaluation|projects|identity|operations|viewer)\/)?[^/.]+)/,
    fromNot: test,
    to: /^server\/modules\//,
    unless: '^server/modules/($unit)[./]',
    instead: 'What two modules need moves down: to server/app, a store, or server/platform.',
  },
  {
    rule: 'features-are-independent',
    from: /^renderer\/features\/([^/]+)\//,
    fromNot: test,
    to: /^renderer\/features\//,
    unless: '^renderer/features/($unit)/',
    instead: 'What two screens need moves down: to renderer/model, renderer/ui or renderer/api. Link by URL.',
  },
  {
    rule: 'renderer-layer-order',
    from: /^renderer\/(features|api|model|ui)\//,
    fromNot: test,
    to: /^renderer\/app\//,
    instead: 'app > features > api, model, ui. Pass it in as a property, or move it down.',
  },
  {
    rule: 'renderer-layer-order',
    from: /^renderer\/(api|model|ui)\//,
    fromNot: test,
    to: /^renderer\/features\//,
    instead: 'api, model and ui serve every screen and import none. Pass it in as a property, or move it down.',
  },
  {
    rule: 'renderer-layer-order',
    from: /^renderer\/(model|ui)\//,
    fromNot: test,
    to: /^renderer\/api\//,
    instead: 'ui and model work on data that they are given; a feature fetches it and passes it in.',
  },
  {
    rule: 'no-test-imports',
    from: /^(shared|server|renderer|main|scripts)\//,
    fromNot: test,
    to: test,
    instead: 'Move what a test and the product both need to a product file of its own.',
  },
];

function breaches({ from, fromNot, to, unless }: OneWay, one: Import): boolean {
  const matched = from.exec(one.from);
  if (!matched || fromNot?.test(one.from) || !to.test(one.to)) return false;
  return unless === undefined || !new RegExp(unless.replace('$unit', matched[1] ?? '')).test(one.to);
}

export const oneWayRules = ({ imports }: Tree): Finding[] =>
  imports.flatMap((one) =>
    oneWays
      .filter((way) => breaches(way, one))
      .map(({ rule, instead }) => ({ rule, file: one.from, what: `imports '${one.specifier}'`, instead })),
  );
