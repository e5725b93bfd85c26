/**
 * The traces that the searches look for, and some that resemble them and must not be found. Their words are not in generated prose, and their
 * tools, users and tags are not those of the generated agents.
 */
import { createHash } from 'node:crypto';
import { type Attribute, nanoseconds, type Sender, type Span } from '../traffic/span.ts';

export interface PlantedTrace {
  name: string;
  /** Its place in the traffic: 0 is the beginning, 1 the end. Not so near the end that the list shows it before a search. */
  at: number;
  steps: readonly Step[];
  user?: string;
  tags?: readonly string[];
  metadata?: Readonly<Record<string, string>>;
}

interface Step {
  name: string;
  attributes: Attribute[];
  minutes?: number;
  error?: string;
}

interface CallOptions {
  model?: string;
  cost?: number;
  minutes?: number;
}

const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const chat = (question: string, answer: string, { model = 'claude-sonnet-4-5', cost = 0.004, minutes }: CallOptions = {}): Step => ({
  name: `chat ${model}`,
  ...(minutes === undefined ? {} : { minutes }),
  attributes: [
    ['gen_ai.operation.name', 'chat'],
    ['gen_ai.response.model', model],
    ['gen_ai.usage.input_tokens', 412],
    ['gen_ai.usage.output_tokens', 96],
    ['agentmark.usage.cost_usd', cost],
    ['gen_ai.input.messages', message('user', question)],
    ['gen_ai.output.messages', message('assistant', answer)],
  ],
});

const tool = (name: string, input: object, result: string, error?: string): Step => ({
  name: `execute_tool ${name}`,
  ...(error === undefined ? {} : { error }),
  attributes: [
    ['gen_ai.operation.name', 'execute_tool'],
    ['gen_ai.tool.name', name],
    ['gen_ai.tool.call.arguments', JSON.stringify(input)],
    ['gen_ai.tool.call.result', result],
  ],
});

const gardener = 'margarethe.lindqvist@example.org';
const heldParcel = 'The parcel is held by customs until the recipient has paid.';
const chandelier = 'How is a chandelier cleaned before its restoration?';

export const plantedTraces: readonly PlantedTrace[] = [
  {
    name: 'plan a wedding',
    at: 0,
    steps: [chat('Is the terrace covered, or does every guest of the wedding need an umbrella?', 'Half of it is covered.')],
  },
  {
    name: 'plan a garden party',
    at: 0.5,
    steps: [chat('Does every guest of the garden party need an umbrella on the terrace?', 'Only if it rains.')],
  },
  {
    name: 'baking advice',
    at: 0.5,
    steps: [chat('Why is my bread so flat?', 'Leave the sourdough in the fridge overnight, and bake it straight from there.')],
  },
  {
    name: 'book a flight',
    at: 0.96,
    steps: [tool('book_flight', { from: 'Reykjavik', to: 'Lisbon', seats: 2 }, 'Two seats are booked.')],
  },
  {
    name: 'train status',
    at: 0,
    steps: [tool('train_status', { train: 'IC 712' }, 'The train leaves from platform 14. Its locomotive had to be replaced.')],
  },
  {
    name: 'charge a card',
    at: 0.5,
    steps: [tool('charge_card', { amount: 4200 }, '', 'certificate has expired for payments.shop.example')],
  },
  { name: 'quarterly-churn-report', at: 0.96, steps: [chat('Write the report.', 'It is attached.')] },
  { name: 'billing complaint', at: 0, steps: [chat('A customer says that the invoice was sent twice. Is it true?', 'Yes.')] },
  { name: 'billing question', at: 0.5, steps: [chat('I asked twice: was the invoice sent?', 'It was sent today.')] },
  {
    name: 'pack for a river trip',
    at: 0.5,
    steps: [
      chat('What do I take along in a kayak?', 'I look for what fits.'),
      tool('product_search', { query: 'dry bag' }, 'Waterproof bag, 20 litres'),
    ],
  },
  { name: 'pack for a hike', at: 0.96, steps: [chat('Which boots are waterproof?', 'Those of leather, once they are waxed.')] },
  { name: 'find a waybill', at: 0.96, steps: [chat('Где накладная на груз из Тбилиси?', 'Накладная № 77 находится в архиве.')] },
  { name: 'find a shipment', at: 0.5, steps: [chat('Где груз из Тбилиси?', 'Груз находится на складе.')] },
  {
    name: 'where is my order',
    at: 0,
    steps: [tool('http_get', { url: 'https://shop.example/orders/ORD-118734' }, '{"state":"on its way"}')],
  },
  {
    name: 'where is the other order',
    at: 0,
    steps: [tool('http_get', { url: 'https://shop.example/orders/ORD-118743' }, '{"state":"delivered"}')],
  },
  {
    name: 'glacier research',
    at: 0.5,
    steps: [tool('web_search', { query: 'glacier meltwater volume since 1990' }, 'Three studies were found.')],
  },
  {
    name: 'glacier notes',
    at: 0.96,
    steps: [tool('read_file', { path: 'notes/glacier.md' }, 'The meltwater of the glacier is measured in summer.')],
  },
  {
    name: 'read the whole archive',
    at: 0.96,
    steps: [chat('Summarise all of the letters.', 'There are 9,000 of them.', { model: 'gpt-4o', cost: 48.5 })],
  },
  {
    name: 'read the catalogue',
    at: 0.5,
    steps: [chat('Summarise the catalogue.', 'It lists 700 books.', { model: 'claude-opus-4-1', cost: 51 })],
  },
  { name: 'parcel held, first attempt', at: 0, steps: [tool('track_parcel', { id: 'P-1' }, heldParcel, 'not released')] },
  { name: 'parcel held, answered', at: 0.5, steps: [tool('track_parcel', { id: 'P-1' }, heldParcel)] },
  { name: 'parcel held, last attempt', at: 0.96, steps: [tool('track_parcel', { id: 'P-1' }, heldParcel, 'not released')] },
  { name: 'greenhouse heating', at: 0, user: gardener, steps: [chat('How warm must it be at night?', 'Twelve degrees.')] },
  { name: 'greenhouse watering', at: 0.5, user: gardener, steps: [chat('How often do I water?', 'Twice a day.')] },
  { name: 'greenhouse harvest', at: 0.96, user: gardener, steps: [chat('When are they ripe?', 'In August.')] },
  { name: 'count the stock', at: 0.5, metadata: { warehouse: 'Hamburg 3' }, steps: [tool('count_stock', { shelf: 4 }, '812')] },
  { name: 'move the stock', at: 0.96, metadata: { warehouse: 'Hamburg 3' }, steps: [tool('move_stock', { shelf: 4 }, 'done')] },
  { name: 'sell the stock', at: 0, metadata: { warehouse: 'Hamburg 31' }, steps: [tool('sell_stock', { shelf: 4 }, 'done')] },
  { name: 'launch in spring', at: 0, tags: ['spring-launch', 'mail'], steps: [chat('Write the mail.', 'Here it is.')] },
  { name: 'launch in autumn', at: 0.96, tags: ['autumn-launch'], steps: [chat('Write the page.', 'Here it is.')] },
  { name: 'launch in winter', at: 0.5, tags: ['winter-launch'], steps: [chat('Write the leaflet.', 'Here it is.')] },
  { name: 'label a parcel', at: 0, steps: [tool('print_label', { id: 'P-2' }, 'printed')] },
  { name: 'weigh a parcel', at: 0.5, steps: [tool('weigh_parcel', { id: 'P-2' }, '1.2 kg')] },
  { name: 'nightly translation', at: 0.5, steps: [chat('Translate the manual.', 'It is translated.', { minutes: 120 })] },
  { name: 'weekly translation', at: 0, steps: [chat('Translate the site.', 'It is translated.', { minutes: 130 })] },
  { name: 'read a configuration', at: 0, steps: [chat('Why does the router ignore modle:grok-9 in its file?', 'It is misspelt.')] },
  { name: 'restore brass', at: 0, steps: [chat(chandelier, 'Its brass is polished by hand.')] },
  { name: 'restore crystal', at: 0.5, steps: [chat(chandelier, 'Its crystals are washed one by one.', { model: 'o3' })] },
  { name: 'restore glass', at: 0.96, steps: [chat(chandelier, 'With distilled water.')] },
  { name: 'restore silver', at: 0.96, steps: [chat(chandelier, 'With chalk.', { model: 'gpt-4o' })] },
];

export const plantedService: Sender = {
  resource: [['service.name', 'shop-assistant']],
  scope: { name: 'agentmark', version: '2.1.5' },
};

const idOf = (name: string, digits: number) => createHash('sha256').update(name).digest('hex').slice(0, digits);
export const traceIdOf = (name: string): string => idOf(name, 32);

const secondMs = 1_000;
const minuteMs = 60_000;

/** The spans of a planted trace: its steps one after another, below one of an agent. */
export function spansOf({ name, steps, user, tags, metadata = {} }: PlantedTrace, startMs: number): Span[] {
  const shared: Attribute[] = [['agentmark.trace_name', name]];
  if (user) shared.push(['agentmark.user_id', user]);
  if (tags) shared.push(['agentmark.tags', JSON.stringify(tags)]);
  for (const [key, value] of Object.entries(metadata)) shared.push([`agentmark.metadata.${key}`, value]);
  const spanIdOf = (nth: number) => idOf(`${name} ${nth}`, 16);
  const span = (nth: number, from: number, to: number, { name: spanName, attributes, error }: Step): Span => ({
    ...{ trace_id: traceIdOf(name), span_id: spanIdOf(nth), parent_id: nth === 0 ? '' : spanIdOf(0), name: spanName, kind: 1 },
    ...{ start_ns: nanoseconds(from), end_ns: nanoseconds(to), attributes: [...shared, ...attributes], events: [] },
    ...{ status_code: error === undefined ? 0 : 2, status_message: error ?? '' },
  });
  const spans: Span[] = [];
  let clock = startMs;
  for (const [index, step] of steps.entries()) {
    const end = clock + (step.minutes === undefined ? secondMs : step.minutes * minuteMs);
    spans.push(span(index + 1, clock, end, step));
    clock = end;
  }
  const root: Step = { name: 'invoke_agent shop', attributes: [['gen_ai.operation.name', 'invoke_agent']] };
  return [...spans, span(0, startMs, clock, root)];
}
