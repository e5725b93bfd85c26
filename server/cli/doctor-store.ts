/** Checks of the store for `glasshouse doctor`: its pages, its log, its roll-ups, damage found before, and free disk space. */
import { inspectStore, type StoreState } from '../entry/inspect-store.ts';
import { type RepairResult, repairStore } from '../entry/repair-store.ts';
import type { Finding } from './doctor-checks.ts';

const freeBytesMin = 200 * 1024 * 1024;
const freeBytesLow = 2 * 1024 * 1024 * 1024;

const inUnits = (bytes: number): string => (bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`);
const wrongListedMax = 20;

/** @param isRunning whether a gateway answers: then its log is being written and cannot be judged alone */
export function storeChecks(dataDir: string, isRunning: boolean): Finding[] {
  const state = inspectStore(dataDir, isRunning);
  const findings = [...soundness(dataDir, state), ...logChecks(state), ...rollupChecks(state), ...noteChecks(state)];
  if (state.isOpenToOthers)
    findings.push({
      level: 'warning',
      check: 'permissions',
      message: 'Other users of this machine can read the store',
      advice: `chmod 600 ${state.file}*`,
    });
  for (const folder of state.setAside)
    findings.push({
      level: 'warning',
      check: 'quarantine',
      message: `A damaged store, or a copy of one, is in ${folder}`,
      advice: 'Its reason.txt says why. Delete it once it is not needed.',
    });
  if (state.freeBytes !== null) findings.push(diskSpace(dataDir, state.freeBytes));
  return findings;
}

function soundness(dataDir: string, { file, exists, damage, sqlite, bytes, damagedBlocks }: StoreState): Finding[] {
  const check = 'store';
  if (!exists)
    return [
      { level: 'warning', check, message: `There is no store yet in ${dataDir}`, advice: 'The first start of a gateway creates it.' },
    ];
  const findings: Finding[] =
    damage === null
      ? [{ level: 'ok', check, message: `${file} is sound (${inUnits(bytes)}, SQLite ${sqlite})` }]
      : [
          {
            level: 'problem',
            check,
            message: `${file} is damaged: ${damage}`,
            advice:
              'Stop the gateway and copy the data folder away first. Then restore a backup, or run `glasshouse doctor --repair`, which repairs indexes and roll-ups. A store that cannot be opened at all is moved to quarantine/ at the next start.',
          },
        ];
  if (damagedBlocks > 0)
    findings.push({
      level: 'problem',
      check,
      message: `The contents of ${damagedBlocks} blocks of spans cannot be read: their traces are marked, and their texts are lost`,
      advice: 'Restore a backup if those texts are needed; everything else can be read.',
    });
  return findings;
}

function logChecks({ log }: StoreState): Finding[] {
  if (!log) return [];
  const advice =
    'Copy the data folder away before a gateway starts. The next start keeps a copy under quarantine/ and continues with the data before the damage.';
  return [{ level: 'problem', check: 'log', message: log, advice }];
}

function rollupChecks({ wrong, wrongCount, uncompared, exists, damage }: StoreState): Finding[] {
  const check = 'roll-ups';
  if (!exists || (wrong === null && damage !== null)) return [];
  if (wrong === null) return [{ level: 'warning', check, message: 'The roll-ups of traces were not compared' }];
  const findings: Finding[] = wrong.slice(0, wrongListedMax).map((message) => ({ level: 'problem', check, message }));
  if (wrongCount > wrongListedMax) findings.push({ level: 'problem', check, message: `and ${wrongCount - wrongListedMax} more` });
  const last = findings.at(-1);
  if (last) last.advice = 'Stop the gateway and run `glasshouse doctor --repair`.';
  if (uncompared > 0)
    findings.push({
      level: 'warning',
      check,
      message: `${uncompared} rows could not be compared: the data they are computed from is damaged`,
    });
  if (findings.length === 0) findings.push({ level: 'ok', check, message: 'Traces, sessions and apps match their spans' });
  return findings;
}

function noteChecks({ known }: StoreState): Finding[] {
  if (!known) return [];
  const counts = Object.entries(known.counts).map(([kind, count]) => `${count} of ${kind}`);
  const message = `Damage found since ${new Date(known.since_ms).toISOString()}: ${counts.join(', ') || 'details unknown'}; the latest: ${known.last}`;
  const kept = known.kept.length > 0 ? ` Damaged data is kept in ${known.kept.join(', ')}.` : '';
  return [
    {
      level: 'warning',
      check: 'damage',
      message,
      advice: `\`glasshouse doctor --repair\` clears this note once the store is sound again.${kept}`,
    },
  ];
}

function diskSpace(dataDir: string, free: number): Finding {
  const message = `${inUnits(free)} free on the disk of ${dataDir}`;
  if (free < freeBytesMin)
    return { level: 'problem', check: 'disk', message, advice: 'Free disk space: spans are refused when the disk is full.' };
  if (free < freeBytesLow) return { level: 'warning', check: 'disk', message, advice: 'Free disk space soon.' };
  return { level: 'ok', check: 'disk', message };
}

/** Repairs roll-ups and indexes, and changes nothing else. */
export async function repairChecks(dataDir: string): Promise<Finding[]> {
  const check = 'repair';
  let done: RepairResult;
  try {
    done = await repairStore(dataDir);
  } catch (error) {
    return [
      {
        level: 'problem',
        check,
        message: `The store cannot be opened for repair: ${error instanceof Error ? error.message : String(error)}`,
      },
    ];
  }
  const { rollups, reindexed, left, isDamageCleared } = done;
  const findings: Finding[] = [
    { level: 'ok', check, message: rollups === 0 ? 'All roll-ups were correct' : `${rollups} roll-up rows were corrected` },
  ];
  if (reindexed) findings.push({ level: 'ok', check, message: 'The indexes were rebuilt' });
  for (const message of left) findings.push({ level: 'problem', check, message, advice: 'This cannot be repaired. Restore a backup.' });
  if (isDamageCleared) findings.push({ level: 'ok', check, message: 'The store is sound again: the damage note was cleared' });
  return findings;
}
