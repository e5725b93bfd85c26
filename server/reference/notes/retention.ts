import { retention } from '../../../shared/contract/projects/retention.ts';
import { type Note, notesOn } from '../note.ts';
import { ids } from './samples.ts';

const rules = { keep_days: 90, environments: [{ environment_id: ids.production, keep_days: 365 }] };
const set = { keep_days: 90, environments: [{ environment_id: ids.production, name: 'production', keep_days: 365 }], plan_days: 400 };

export const retentionNotes: Record<string, Note> = notesOn(retention, {
  get: {
    description:
      'How many days the traces of the app are kept, by default and in each environment. Nothing is kept longer than `plan_days`, with or ' +
      'without rules.',
    reply: { data: set },
  },
  replace: {
    description:
      'Replaces all rules of the app. Traces that are too old then are deleted within hours, with their scores, and each deletion is in the ' +
      'audit log. A trace with spans of several environments is kept as long as the longest of them keeps it. 402 for more days than the ' +
      'plan keeps traces.',
    body: rules,
    reply: { data: set },
  },
  preview: {
    description: 'Counts the traces that these rules would delete now. Nothing is changed.',
    body: rules,
    reply: { data: { traces: 1840, spans: 22_615 } },
  },
});
