/** Descriptions and examples that the API document has beyond the contract, for every operation in the document for clients. */

import type { Note } from './note.ts';
import { agentNotes } from './notes/agents.ts';
import { alertNotes } from './notes/alerts.ts';
import { appNotes } from './notes/apps.ts';
import { peopleNotes } from './notes/people.ts';
import { platformNotes } from './notes/platform.ts';
import { projectNotes } from './notes/project.ts';
import { queueNotes } from './notes/queues.ts';
import { retentionNotes } from './notes/retention.ts';
import { scoreNotes } from './notes/scores.ts';
import { shareLinkNotes } from './notes/share-links.ts';
import { telemetryNotes } from './notes/telemetry.ts';
import { deletionNotes } from './notes/trace-deletions.ts';
import { tagNotes } from './notes/trace-tags.ts';

export type { Note } from './note.ts';

/** By operation id. */
export const notes: Readonly<Record<string, Note>> = {
  ...platformNotes,
  ...telemetryNotes,
  ...deletionNotes,
  ...tagNotes,
  ...scoreNotes,
  ...projectNotes,
  ...queueNotes,
  ...alertNotes,
  ...peopleNotes,
  ...appNotes,
  ...retentionNotes,
  ...shareLinkNotes,
  ...agentNotes,
};
