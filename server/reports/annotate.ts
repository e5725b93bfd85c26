import { z } from 'zod';
import { traceLink } from './links.ts';
import { defineReport, ReportRefusal } from './report.ts';

const input = z.object({
  trace_id: z.string().min(1).max(128),
  span_id: z.string().max(128).default('').describe('For a span instead of the trace'),
  score: z.object({ name: z.string().min(1).max(200), value: z.number(), reason: z.string().max(2000).default('') }).optional(),
  comment: z.string().min(1).max(10_000).optional(),
  tags: z.array(z.string().min(1).max(100)).max(20).default([]).describe('Of the whole trace'),
  dataset: z.string().min(1).max(200).optional().describe('Add it as a row to this dataset'),
});

export const annotate = defineReport({
  name: 'annotate',
  description: 'Writes: adds a score, a comment, tags or a dataset row. Use it only if the user asked for it.',
  input,
  writes: true,
  find: async (context, { trace_id, span_id, score, comment, tags, dataset }) => {
    const { client } = context;
    const resource_id = span_id === '' ? trace_id : span_id;
    const done: string[] = [];
    // A score or a comment may be of a resource that arrives later, but one that an agent names must be there.
    await client.traceViewer.outline({ params: { traceId: trace_id } });
    if (score) {
      await client.scores.create({ body: { resource_id, name: score.name, score: score.value, reason: score.reason } });
      done.push('score added');
    }
    if (comment !== undefined) {
      await client.comments.create({ body: { resource_id, resource_type: span_id === '' ? 'trace' : 'span', body: comment } });
      done.push('comment added');
    }
    if (tags.length > 0) {
      await client.traceTags.change({ body: { trace_ids: [trace_id], add: tags } });
      done.push('tags added');
    }
    if (dataset !== undefined) {
      const params = { datasetName: dataset };
      if (span_id === '') await client.datasets.importTraces({ params, body: { trace_ids: [trace_id] } });
      else await client.datasets.importSpans({ params, body: { span_ids: [span_id] } });
      done.push('row added');
    }
    if (done.length === 0) throw new ReportRefusal('Give a score, a comment, tags or a dataset');
    return { data: { done }, text: () => `Done: ${done.join(', ')}. In the viewer: ${traceLink(context.viewerUrl, trace_id, span_id)}` };
  },
});
