/**
 * `npm run test:tenancy [-- PART [quick]]`: mutation test of tenant isolation. Removes the tenant and app predicates from the stores, one at
 * a time, in a copy of the tree, and runs the tests that must fail. Reports how many mutants were killed and lists the survivors. Run it by
 * hand: it takes long. PART is a part of a file's path; `quick` runs only the nearest test of each. A tenant predicate next to an app
 * predicate is not removed alone: app ids are unique, so it is redundant.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Mutant {
  /** Relative to the root of the tree. */
  file: string;
  line: number;
  was: string;
  text: string;
}

interface Part {
  folder: string;
  includes: RegExp;
  /** Each predicate with its replacement. */
  predicates: [RegExp, string][];
  /** Arguments for Vitest, the quickest tests first. */
  tests(file: string): string[][];
}

const root = join(import.meta.dirname, '..');
const canary = 'server/entry/canary.gateway.test.ts';
const broadTests = [canary, '-t', 'broad reads|live stream|arrival cursor|names that'];

const telemetry = {
  includes: /^(?!.*\.test\.ts$).*\.ts$/,
  predicates: [
    [/(?:\b\w+\.)?\bscope = \?/g, '? IS NOT NULL'],
    [/(?:\b\w+\.)?\bscope = \$\{scope\}/g, '$${scope} IS NOT NULL'],
    [/eq\(\w+\.scope, scope\)/g, 'sql`1`'],
  ] as [RegExp, string][],
  tests: () => [
    // These assert that queries use the index, which some predicates are only there for.
    ['server/telemetry/sqlite/read'],
    ['server/telemetry/sqlite/store.gateway.test.ts', '-t', 'tenancy'],
    ['server/telemetry/sqlite/write'],
    ['server/telemetry/sqlite/store.gateway.test.ts'],
    broadTests,
    [canary],
    ['server/alerts'],
  ],
};

const parts: Part[] = [
  { folder: 'server/telemetry/sqlite/read', ...telemetry },
  { folder: 'server/telemetry/sqlite/write', ...telemetry },
  {
    folder: 'server/control/queries',
    includes: /-rows\.ts$/,
    predicates: [
      [/eq\(\w+\.tenant_id, (?:scope\.)?tenant_?[iI]d\),\s*eq\(\w+\.(?:app_id|id), (?:scope\.)?app_?[iI]d\)/g, 'undefined'],
      [/eq\(\w+\.app_id, (?:scope\.)?app_id\)/g, 'undefined'],
      [/eq\(\w+\.tenant_id, (?:scope\.)?tenant_?[iI]d\)(?!,\s*eq\(\w+\.(?:app_id|id), (?:scope\.)?app_?[iI]d\))/g, 'undefined'],
    ],
    tests: (file) => [
      ['server/control/sqlite/store.gateway.test.ts'],
      nearestTests(file),
      ['server/entry/authorisation.gateway.test.ts'],
      broadTests,
      [canary],
      ['server/control', 'server/alerts'],
    ],
  },
];

/** Tests of the routes that use the rows of a file. */
function nearestTests(file: string): string[] {
  const subjects: [RegExp, string[]][] = [
    [/alert/, ['alerts']],
    [/comment/, ['comments']],
    [/item|queue|reviewer/, ['annotation']],
    [/dataset|snapshot/, ['datasets', 'git-pushes', 'deployments']],
    [/environment|deployment|saga/, ['environments', 'deployments']],
    [/git/, ['app-git', 'git-pushes']],
    [/tenant|user|invitation/, ['members']],
    [/device/, ['device-sign-in']],
    [/worker/, ['workers']],
    [/eval|escalation/, ['evals']],
    [/agent/, ['agents']],
  ];
  const found = subjects.flatMap(([subject, names]) =>
    subject.test(file) ? names.flatMap((name) => globSync(`server/modules/*/${name}*.test.ts`, { cwd: root })) : [],
  );
  return found.length > 0 ? found : ['server/entry/cloud.gateway.test.ts'];
}

const [pathPart = '', mode] = process.argv.slice(2);
const testsMax = mode === 'quick' ? 1 : Number.POSITIVE_INFINITY;
const copy = copyOfTree();
let killed = 0;
const survivors: string[] = [];
try {
  for (const part of parts) for (const mutant of mutantsOf(part)) judge(mutant, part);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(
  `\n${killed} of ${killed + survivors.length} were noticed\n${survivors.map((name) => `not noticed: ${name}\n`).join('')}`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;

function copyOfTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-tenancy-'));
  const excluded = /^(node_modules|\.git|\.cache|out|dist|release|test-results)$/;
  for (const name of readdirSync(root)) if (!excluded.test(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function mutantsOf({ folder, includes, predicates }: Part): Mutant[] {
  const names = readdirSync(join(root, folder)).filter((name) => includes.test(name) && join(folder, name).includes(pathPart));
  return names.flatMap((name) => {
    const file = join(folder, name);
    const source = readFileSync(join(root, file), 'utf8');
    return predicates.flatMap(([predicate, instead]) =>
      [...source.matchAll(predicate)].map((found): Mutant => {
        const [was] = found;
        const put = was.replace(new RegExp(predicate.source), instead);
        const text = source.slice(0, found.index) + put + source.slice(found.index + was.length);
        // Without the predicate, SQLite would refuse INDEXED BY, which is not the failure that this looks for.
        return { file, line: source.slice(0, found.index).split('\n').length, was, text: text.replace(/ INDEXED BY \w+/g, '') };
      }),
    );
  });
}

function judge({ file, line, was, text }: Mutant, { tests }: Part): void {
  const target = join(copy, file);
  writeFileSync(target, text);
  const by = tests(file)
    .slice(0, testsMax)
    .find((args) => !passes(args));
  cpSync(join(root, file), target);
  const name = `${file}:${line} ${was.replace(/\s+/g, ' ')}`;
  if (by) killed++;
  else survivors.push(name);
  process.stdout.write(`${by ? `noticed by ${by.join(' ')}` : 'NOT NOTICED'}: ${name}\n`);
}

function passes(args: string[]): boolean {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  // A timeout must not count as a failed test.
  const timeouts = ['--testTimeout', '600000', '--hookTimeout', '600000'];
  const options = ['run', '--root', copy, '--bail', '1', '--reporter', 'dot', ...timeouts, ...args];
  return spawnSync(process.execPath, [vitest, ...options], { cwd: copy, stdio: 'ignore' }).status === 0;
}
