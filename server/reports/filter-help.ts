import { z } from 'zod';
import { boundedReport, leftOut } from './bounded-report.ts';
import { defineReport } from './report.ts';

const grammar = `A filter is words and conditions, and all of them must hold:
  timeout "rate limit"              words, and quoted texts, anywhere: names, messages, tools, errors, metadata
  tool:web_search                   short for tool = web_search
  errors > 0   status = ERROR       errors: failed spans anywhere; status: of the run itself
  cost > 0.05  duration > 30s       numbers, with units for durations (ms, s, m, h)
  model in (gpt-5, o4)  tokens between 1000 and 5000
  output contains refund   metadata.team = search   score__helpful < 0.5   tags = reviewed
  a or b, not a, (a or b) c         "and" binds closer than "or" and may be left out
Operators: = != < <= > >= contains "starts with" "ends with" in "not in" between exists.`;

export const filterHelp = defineReport({
  name: 'filter_help',
  description: 'How filters are written, and the fields there are.',
  input: z.object({}),
  find: async ({ client }) => {
    const { data } = await client.filterSchema.get({});
    const { fields, dynamic_fields } = data.resources.traces;
    return {
      data,
      text: (lengthMax) =>
        boundedReport(
          {
            head: [grammar, '', 'Fields:'],
            items: [
              ...fields.map(({ name, kind }) => `  ${name} (${kind})`),
              ...dynamic_fields.map(({ pattern, kind }) => `  ${pattern} (${kind})`),
            ],
            foot: (shown) => [leftOut(shown, fields.length + dynamic_fields.length).trim()],
          },
          lengthMax,
        ),
    };
  },
});
