/** What `glasshouse doctor` says of the store: its pages, its log, its sums, what was met before, and the room it has. */
import { inspectStore, type StoreState } from '../entry/inspect-store.ts';
import { type Repaired, repairStore } from '../entry/repair-store.ts';
import type { Judged } from './doctor-checks.ts';

const roomBytesMin = 200 * 1024 * 1024;
const roomBytesLow = 2 * 1024 * 1024 * 1024;

const inUnits = (bytes: number): string => (bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`);
const wrongShown = 20;

/** @param isRunning whether a gateway answers: its log is being written then, and says nothing by itself */
export function storeChecks(dataDir: string, isRunning: boolean): Judged[] {
  const state = inspectStore(dataDir, isRunning);
  const judged = [...soundness(dataDir, state), ...logChecks(state), ...rollupChecks(state), ...noteChecks(state)];
  if (state.isOpenToOthers)
    judged.push({ how: 'odd', what: 'rights', says: 'Other users of this machine may read the store', todo: `chmod 600 ${state.file}*` });
  for (const folder of state.setAside)
    judged.push({
      how: 'odd',
      what: 'quarantine',
      says: `A damaged store, or a copy of one, is in ${folder}`,
      todo: 'reason.txt in it says why. Delete it once it is not needed.',
    });
  if (state.freeBytes !== null) judged.push(roomOf(dataDir, state.freeBytes));
  return judged;
}

function soundness(dataDir: string, { file, exists, damage, sqlite, bytes, damagedBlocks }: StoreState): Judged[] {
  const what = 'store';
  if (!exists) return [{ how: 'odd', what, says: `There is none yet in ${dataDir}`, todo: 'The first start of a gateway makes it.' }];
  const judged: Judged[] =
    damage === null
      ? [{ how: 'good', what, says: `${file} is sound (${inUnits(bytes)}, SQLite ${sqlite})` }]
      : [
          {
            how: 'bad',
            what,
            says: `${file} is damaged: ${damage}`,
            todo: 'Stop the gateway and copy the data folder away first. Then restore a backup, or run `glasshouse doctor --repair`, which mends indexes and sums. A store that cannot be opened at all is set aside under quarantine/ at the next start.',
          },
        ];
  if (damagedBlocks > 0)
    judged.push({
      how: 'bad',
      what,
      says: `The contents of ${damagedBlocks} blocks of spans cannot be read: their traces are marked, and nothing brings their texts back`,
      todo: 'Restore a backup if those texts are needed; everything else can be read.',
    });
  return judged;
}

function logChecks({ log }: StoreState): Judged[] {
  if (!log) return [];
  const todo =
    'Copy the data folder away before a gateway starts. The next start keeps a copy under quarantine/ and continues with the data before the damage.';
  return [{ how: 'bad', what: 'log', says: log, todo }];
}

function rollupChecks({ wrong, wrongCount, uncompared, exists, damage }: StoreState): Judged[] {
  const what = 'sums';
  if (!exists || (wrong === null && damage !== null)) return [];
  if (wrong === null) return [{ how: 'odd', what, says: 'The sums of traces were not compared' }];
  const judged: Judged[] = wrong.slice(0, wrongShown).map((says) => ({ how: 'bad', what, says }));
  if (wrongCount > wrongShown) judged.push({ how: 'bad', what, says: `and ${wrongCount - wrongShown} more` });
  const last = judged.at(-1);
  if (last) last.todo = 'Stop the gateway and run `glasshouse doctor --repair`.';
  if (uncompared > 0)
    judged.push({ how: 'odd', what, says: `${uncompared} rows could not be compared: what they are made from is damaged` });
  if (judged.length === 0) judged.push({ how: 'good', what, says: 'Traces, sessions and apps say what their spans say' });
  return judged;
}

function noteChecks({ known }: StoreState): Judged[] {
  if (!known) return [];
  const counts = Object.entries(known.counts).map(([kind, count]) => `${count} of ${kind}`);
  const says = `Damage was met since ${new Date(known.since_ms).toISOString()}: ${counts.join(', ') || 'what, is not known'}; the last: ${known.last}`;
  const kept = known.kept.length > 0 ? ` What was found is kept in ${known.kept.join(', ')}.` : '';
  return [
    { how: 'odd', what: 'damage', says, todo: `\`glasshouse doctor --repair\` ends this note once nothing is wrong any more.${kept}` },
  ];
}

function roomOf(dataDir: string, free: number): Judged {
  const says = `${inUnits(free)} free where ${dataDir} is`;
  if (free < roomBytesMin) return { how: 'bad', what: 'disk', says, todo: 'Make room: spans are refused when the disk is full.' };
  if (free < roomBytesLow) return { how: 'odd', what: 'disk', says, todo: 'Make room soon.' };
  return { how: 'good', what: 'disk', says };
}

/** Puts right what can be. Nothing but sums and indexes is changed. */
export async function repairChecks(dataDir: string): Promise<Judged[]> {
  const what = 'repair';
  let done: Repaired;
  try {
    done = await repairStore(dataDir);
  } catch (error) {
    return [{ how: 'bad', what, says: `The store cannot be opened for it: ${error instanceof Error ? error.message : String(error)}` }];
  }
  const { rollups, reindexed, left, isNoteGone } = done;
  const judged: Judged[] = [{ how: 'good', what, says: rollups === 0 ? 'No sum was wrong' : `${rollups} rows of sums were put right` }];
  if (reindexed) judged.push({ how: 'good', what, says: 'The indexes were made anew' });
  for (const each of left) judged.push({ how: 'bad', what, says: each, todo: 'This cannot be mended here. Restore a backup.' });
  if (isNoteGone) judged.push({ how: 'good', what, says: 'The store is sound again: the note of damage is put away' });
  return judged;
}
