/** Fails on private words that docs/glossary.md has replaced by standard terms: in file names, code, labels and documents. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asText, type Finding } from './finding.ts';
import { packages } from './tree.ts';

export interface OldWord {
  pattern: RegExp;
  /** One form of the word, for the test that plants it. */
  example: string;
  term: string;
}

export const oldWords: readonly OldWord[] = [
  { pattern: /valve/i, example: 'ValveStore', term: 'redaction' },
  { pattern: /\bvaults?\b|VaultRows/, example: 'the vault', term: 'token map' },
  { pattern: /\bletGo\b/, example: 'letGo', term: 'ack' },
  { pattern: /\bparked\b|Parked(Letter|Item|Part|Lines)|(retry|export)Parked/, example: 'parked', term: 'dead letter' },
  { pattern: /\bdeeds?\b|(Forward|use)Deed/, example: 'deed', term: 'command, or audit entry' },
  { pattern: /trouble(?!shoot)/i, example: 'StorageTrouble', term: 'error kind, or failure' },
  { pattern: /upkeep|\bkeepUp\b/i, example: 'StoreUpkeep', term: 'maintenance' },
  { pattern: /\bknock(s|ed)?\b|(Note|note)Knocks?/, example: 'NoteKnock', term: 'rejected connection' },
  { pattern: /\b(Secret)?[kK]eepers?\b/, example: 'SecretKeeper', term: 'secret store' },
  { pattern: /blind.?(number|key)/i, example: 'BlindNumbers', term: 'opaque cursor' },
  { pattern: /\beditions?\b/i, example: 'edition', term: 'index version' },
  { pattern: /\bindex of (their )?words\b|WordSearch|SegmentWords/, example: 'index of words', term: 'signature' },
  { pattern: /\bfold(s|ed|ing)? (its|the|a) log\b|\blog (is |was )?folded\b|#fold\b/i, example: 'folds the log', term: 'checkpoint' },
  { pattern: /\b(new)?chores?\b/i, example: 'chores', term: 'idle task' },
  { pattern: /furnish/i, example: 'furnishCloud', term: 'seed' },
  { pattern: /\b[wW]itness(es)?\b/, example: 'witness', term: 'contract client, or recorder' },
  { pattern: /(?<!im)mortal|\bdying\b/i, example: 'MortalCloud', term: 'crashing' },
  { pattern: /\bcapsules\b|Capsule|\b(an?|the|no) capsule\b/, example: 'CapsuleStore', term: 'trace archive' },
  { pattern: /\bstamps?\b|(?<!time)Stamps?\b/, example: 'EnvironmentStamp', term: 'environment attribution' },
  { pattern: /(Connection|Local)Holder|\bHolders?\b/, example: 'ConnectionHolder', term: 'connection registry, caller, or lock owner' },
  {
    pattern: /[pP]rovocation|\boracles?\b|conformance\/walk|\bthe (contract )?walk\b|\b(cloud|local)Places\b/,
    example: 'Provocation',
    term: 'trigger, expectation, contract test or fixture',
  },
  {
    pattern: /[uU]nderstand(Again)?\(|\bUnderstood\b|\bunderstand\.ts\b|(is|was|were) understood\b/,
    example: 'interface Understood',
    term: 'derived columns, or normalised',
  },
  { pattern: /(Media|Score|log|with)Owners?\b|readOwned\b/, example: 'MediaOwner', term: 'resource, or instrumentation scope' },
  { pattern: /\btallies\b|ExportTally|new Tally\b/, example: 'new Tally', term: 'counter, counts or summary' },
  { pattern: /\b(Grpc)?Front\b(?! ?[mM]atter)|app\/(grpc\/grpc-)?front\b|\bdoors?\b/, example: 'GrpcFront', term: 'listener, or sign-in' },
  {
    pattern: /\b(Trace|use)Peek(Focus)?\b|PeekClose|\b[aA] peek\b|peek-|-peek\b|span-kin/,
    example: 'TracePeek',
    term: 'side panel, or related spans',
  },
  {
    pattern: /TraceLook|[a-z]Look\b|setup\/ways|\bcomeAhead\b|\buseAhead\b/,
    example: 'TraceLook',
    term: 'view mode, setup guide, prefetch',
  },
  {
    pattern: /\beach room\b|(server|test|any)Rooms?\b|rooms-(in|are)-|\b(the|of) house\b(?! of)|\bhouse rules?\b|checks\/house/,
    example: 'serverRooms',
    term: 'package, layer, or structure rule',
  },
  {
    pattern: /\bWorker(Task|Runtime|Dispatcher|Died|Spent|Queue)\b|worker-runs\/(?!`)|\b(start|stop)Worker\((?=entry|this)/,
    example: 'WorkerTask',
    term: 'agent run, or thread',
  },
  { pattern: /leaving(Methods|Of|Reads)|\bgrpc leaving\b/, example: 'leavingMethods', term: 'export, or outbound' },
  { pattern: /pauses of the writer|writer's pauses|\bin pauses\b/, example: 'in the pauses of the writer', term: 'idle time' },
  { pattern: /\bDesk(Needs)?\b|electronStage/, example: 'new Desk()', term: 'DesktopController, DesktopHost' },
];

/** Names in stored data. They cannot change. */
const persisted = /\bvalve_token\b|\bvalve-token-key\b|\bglasshouse\.valve\.dropped\b/g;
/** Released migrations never change; stored-names.ts maps their names; NOTICE.md is a licence; this file has the list itself. */
const isFixed = (file: string) => /\/migrations\/|\/stored-names\.ts$|NOTICE\.md$|^checks\/words\.ts$/.test(file);

function textsOf(root: string): string[] {
  const patterns = [`{${packages.join(',')}}/**/*.{ts,tsx,cts,mts,cjs,mjs,css,html,md}`, 'docs/**/*.md', '*.{md,ts,json}'];
  const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', 'package-lock.json'] });
  return files.map((file) => file.replaceAll('\\', '/')).filter((file) => !isFixed(file));
}

function wordsIn(root: string, file: string): Finding[] {
  const lines = [file, ...readFileSync(join(root, file), 'utf8').replaceAll(persisted, '').split('\n')];
  return oldWords.flatMap(({ pattern, term }): Finding[] => {
    const line = lines.findIndex((text) => pattern.test(text));
    if (line === -1) return [];
    const word = pattern.exec(lines[line] ?? '')?.[0] ?? '';
    const where = line === 0 ? 'its name' : `line ${line}`;
    return [{ rule: 'plain-words', file, what: `says '${word}' in ${where}`, instead: `${term} (docs/glossary.md).` }];
  });
}

export const plainWords = (root: string): Finding[] => textsOf(root).flatMap((file) => wordsIn(root, file));

if (import.meta.main) {
  const findings = plainWords(join(import.meta.dirname, '..'));
  for (const finding of findings) process.stdout.write(`${asText(finding)}\n`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
