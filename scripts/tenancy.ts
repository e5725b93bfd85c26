/**
 * `npm run test:tenancy [-- PART [quick]]`: takes the predicates about tenants and apps out of the stores, one at a time, in a copy of the tree,
 * and runs the tests that must notice. Ends with how many were noticed, and names those that were not. By hand: it takes long.
 * PART is a part of a file's path; `quick` runs the nearest test of each and no other. A tenant predicate beside one of the app is not taken alone: ids of apps are unique, so it says nothing more.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Mutant {
  /** From the top of the tree. */
  file: string;
  line: number;
  was: string;
  text: string;
}

interface Part {
  folder: string;
  isMeant: RegExp;
  /** Each predicate, and what stands in for it. */
  predicates: [RegExp, string][];
  /** Arguments for the runner, the quickest first. */
  tests(file: string): string[][];
}

const root = join(import.meta.dirname, '..');
const canary = 'server/entry/canary.gateway.test.ts';
const broadly = [canary, '-t', 'read broadly|live stream|arrived|names that'];

const telemetry = {
  isMeant: /^(?!.*\.test\.ts$).*\.ts$/,
  predicates: [
    [/(?:\b\w+\.)?\bscope = \?/g, '? IS NOT NULL'],
    [/(?:\b\w+\.)?\bscope = \$\{scope\}/g, '$${scope} IS NOT NULL'],
    [/eq\(\w+\.scope, scope\)/g, 'sql`1`'],
  ] as [RegExp, string][],
  tests: () => [
    // A predicate that cannot change an answer is what the index is gone by.
    ['server/telemetry/sqlite/read'],
    ['server/telemetry/sqlite/store.gateway.test.ts', '-t', 'tenancy'],
    ['server/telemetry/sqlite/write'],
    ['server/telemetry/sqlite/store.gateway.test.ts'],
    broadly,
    [canary],
    ['server/alerts'],
  ],
};

const parts: Part[] = [
  { folder: 'server/telemetry/sqlite/read', ...telemetry },
  { folder: 'server/telemetry/sqlite/write', ...telemetry },
  {
    folder: 'server/control/drizzle',
    isMeant: /-rows\.ts$/,
    predicates: [
      [/eq\(\w+\.tenant_id, (?:scope\.)?tenant_?[iI]d\),\s*eq\(\w+\.(?:app_id|id), (?:scope\.)?app_?[iI]d\)/g, 'undefined'],
      [/eq\(\w+\.app_id, (?:scope\.)?app_id\)/g, 'undefined'],
      [/eq\(\w+\.tenant_id, (?:scope\.)?tenant_?[iI]d\)(?!,\s*eq\(\w+\.(?:app_id|id), (?:scope\.)?app_?[iI]d\))/g, 'undefined'],
    ],
    tests: (file) => [
      ['server/control/tenancy.gateway.test.ts'],
      near(file),
      ['server/entry/authorisation.gateway.test.ts'],
      broadly,
      [canary],
      ['server/control', 'server/alerts'],
    ],
  },
];

/** Tests of the routes that a file of rows is behind. */
function near(file: string): string[] {
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

const [wanted = '', how] = process.argv.slice(2);
const testsMax = how === 'quick' ? 1 : Number.POSITIVE_INFINITY;
const copy = copyOfTree();
let killed = 0;
const alive: string[] = [];
try {
  for (const part of parts) for (const mutant of mutantsOf(part)) judge(mutant, part);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`\n${killed} of ${killed + alive.length} were noticed\n${alive.map((name) => `not noticed: ${name}\n`).join('')}`);
process.exitCode = alive.length === 0 ? 0 : 1;

function copyOfTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-tenancy-'));
  const isLeft = /^(node_modules|\.git|\.cache|out|dist|release|test-results)$/;
  for (const name of readdirSync(root)) if (!isLeft.test(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function mutantsOf({ folder, isMeant, predicates }: Part): Mutant[] {
  const names = readdirSync(join(root, folder)).filter((name) => isMeant.test(name) && join(folder, name).includes(wanted));
  return names.flatMap((name) => {
    const file = join(folder, name);
    const source = readFileSync(join(root, file), 'utf8');
    return predicates.flatMap(([predicate, instead]) =>
      [...source.matchAll(predicate)].map((found): Mutant => {
        const [was] = found;
        const put = was.replace(new RegExp(predicate.source), instead);
        const text = source.slice(0, found.index) + put + source.slice(found.index + was.length);
        // An index that must be used would refuse the statement: that is not the predicate being missed.
        return { file, line: source.slice(0, found.index).split('\n').length, was, text: text.replace(/ INDEXED BY \w+/g, '') };
      }),
    );
  });
}

function judge({ file, line, was, text }: Mutant, { tests }: Part): void {
  const place = join(copy, file);
  writeFileSync(place, text);
  const by = tests(file)
    .slice(0, testsMax)
    .find((args) => !passes(args));
  cpSync(join(root, file), place);
  const name = `${file}:${line} ${was.replace(/\s+/g, ' ')}`;
  if (by) killed++;
  else alive.push(name);
  process.stdout.write(`${by ? `noticed by ${by.join(' ')}` : 'NOT NOTICED'}: ${name}\n`);
}

function passes(args: string[]): boolean {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  // Slowness is no notice.
  const patience = ['--testTimeout', '600000', '--hookTimeout', '600000'];
  const options = ['run', '--root', copy, '--bail', '1', '--reporter', 'dot', ...patience, ...args];
  return spawnSync(process.execPath, [vitest, ...options], { cwd: copy, stdio: 'ignore' }).status === 0;
}
