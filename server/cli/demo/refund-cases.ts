/** An experiment: eight refund cases, decided with two versions of a prompt. The later one gets three more right and one wrong. */
import { policies } from './shop-policies.ts';
import type { Agent, ExperimentRow, Story } from './story.ts';

const rules = 'Decide whether a refund is due. Read the rule with read_policy first. Answer with the amount and one reason.';

const system = {
  3: rules,
  4: `${rules}\nA refund is never higher than the price paid. If the item is kept, refund at most what the rule allows. Shipping is refunded if the mistake was ours. If no refund is due, say what the customer can have instead.`,
} as const;

type Version = keyof typeof system;

const decider = (version: Version): Agent => ({
  name: 'refund-desk',
  model: 'gpt-5-mini',
  system: system[version],
  prompt: { name: 'refund-decision', version: String(version) },
  tools: ['read_policy'],
});

interface Answer {
  text: string;
  correct: ExperimentRow['correct'];
}

interface RefundCase {
  item: string;
  input: { item: string; paid: number; shipping: number; days: number | null; message: string };
  topic: keyof typeof policies;
  expected: string;
  answers: Record<Version, Answer>;
}

const right = (text: string, reason = 'Amount and reason agree with the rule.'): Answer => ({ text, correct: [1, reason] });
const wrong = (text: string, reason: string): Answer => ({ text, correct: [0, reason] });

const cases: readonly RefundCase[] = [
  {
    item: 'cracked lid',
    input: { item: 'Copper kettle', paid: 64.9, shipping: 5, days: 1, message: 'The lid is cracked. I want my money back.' },
    topic: 'damaged on arrival',
    expected: '$69.90: it arrived damaged, so price and shipping are refunded.',
    answers: {
      3: wrong('$64.90. The kettle arrived damaged.', 'Shipping is missing, although the mistake was ours.'),
      4: right('$69.90. The kettle arrived damaged, so the shipping of $5.00 is refunded as well.'),
    },
  },
  {
    item: 'changed her mind',
    input: { item: 'Linen bedding set', paid: 119, shipping: 5, days: 12, message: 'The colour does not suit the room. It is unopened.' },
    topic: 'returns',
    expected: '$119.00: unused and within 30 days; shipping is not refunded.',
    answers: {
      3: right('$119.00. The set is unused and was delivered 12 days ago.'),
      4: right('$119.00. The set is unused and within 30 days. Shipping is not refunded, because the mistake was not ours.'),
    },
  },
  {
    item: 'grinder after 46 days',
    input: { item: 'Burr coffee grinder', paid: 139, shipping: 0, days: 46, message: 'It stopped turning. Refund me.' },
    topic: 'warranty',
    expected: '$0.00: too late for a refund, but the warranty covers a repair.',
    answers: {
      3: wrong('$139.00. The grinder is defective.', 'Refunds are possible for 30 days only; the warranty covers a repair.'),
      4: right('$0.00. The return period has passed. The workshop repairs the grinder free of charge under the warranty.'),
    },
  },
  {
    item: 'charged twice',
    input: { item: 'Linen bedding set', paid: 238, shipping: 0, days: 3, message: 'You took $119 twice for one set.' },
    topic: 'double payment',
    expected: '$119.00: the later of two payments.',
    answers: {
      3: right('$119.00. One set was paid twice, so the later payment is refunded.'),
      4: right('$119.00. Two payments were captured for one order, and the later one is refunded in full.'),
    },
  },
  {
    item: 'missing screws',
    input: { item: 'Brass desk lamp', paid: 80, shipping: 0, days: 2, message: 'Two screws are missing, I keep the lamp for a discount.' },
    topic: 'missing parts',
    expected: '$12.00: 15 percent of the price, since the lamp is kept.',
    answers: {
      3: wrong('$80.00. The lamp is incomplete.', 'The lamp is kept, so at most 15 percent are refunded.'),
      4: right('$12.00. The lamp is kept, so up to 15 percent of $80.00 are refunded.'),
    },
  },
  {
    item: 'rug eight days late',
    input: { item: 'Wool rug', paid: 245, shipping: 18, days: null, message: 'It is eight working days late. Cancel it.' },
    topic: 'late delivery',
    expected: '$263.00: price and shipping, because it is more than five working days late.',
    answers: {
      3: right('$263.00. The rug is more than five working days late, so the price and the shipping are refunded.'),
      4: wrong(
        '$245.00. The rug is late and the order is cancelled. A refund is never higher than the price paid.',
        'The new sentence about the price paid keeps the shipping of $18.00 from being refunded.',
      ),
    },
  },
  {
    item: 'used for a month',
    input: { item: 'Cast-iron pan', paid: 58, shipping: 5, days: 27, message: 'I cooked with it for a month and do not like it.' },
    topic: 'returns',
    expected: '$0.00: only unused items can be returned.',
    answers: {
      3: right('$0.00. The pan was used, and only unused items can be returned.'),
      4: right('$0.00. The pan was used. Instead we can tell the customer how to season it again.'),
    },
  },
  {
    item: 'two days late',
    input: {
      item: 'Ash dining chair',
      paid: 129,
      shipping: 18,
      days: null,
      message: 'It should have come two days ago. I want it for free.',
    },
    topic: 'late delivery',
    expected: '$0.00: a refund is due only after five working days.',
    answers: {
      3: right('$0.00. The chair is two days late; a refund is due after more than five working days.'),
      4: right('$0.00. The chair is only two days late. From the sixth working day on the customer may cancel or get a voucher.'),
    },
  },
];

interface Run {
  version: Version;
  hoursAgo: number;
}

const runs: readonly Run[] = [
  { version: 3, hoursAgo: 19.5 },
  { version: 4, hoursAgo: 4.9 },
];

/** In working hours: the cases of a run are decided one after the other. */
const caseHours = 7.3 / 3600;

const deliveredText = (days: number | null): string => {
  if (days === null) return 'not delivered yet';
  return `delivered ${days} ${days === 1 ? 'day' : 'days'} ago`;
};

const storyOf = ({ version, hoursAgo }: Run, { item, input, topic, expected, answers }: RefundCase, index: number): Story => ({
  key: `refund case ${version} ${index}`,
  name: `Refund: ${item}`,
  environment: 'staging',
  tags: ['experiment'],
  hoursAgo: hoursAgo - index * caseHours,
  agent: decider(version),
  turns: [
    {
      ask: `${input.item}, paid $${input.paid.toFixed(2)}, shipping $${input.shipping.toFixed(2)}, ${deliveredText(input.days)}. The customer writes: "${input.message}"`,
      rounds: [[{ tool: 'read_policy', args: { topic }, result: policies[topic], ms: 90 }]],
      answer: answers[version].text,
    },
  ],
  experiment: {
    run: `refund-decision v${version}`,
    dataset: 'refund-cases.jsonl',
    ...{ item, input, expected },
    correct: answers[version].correct,
  },
});

export const refundExperiment: readonly Story[] = runs.flatMap((run) => cases.map((one, index) => storyOf(run, one, index)));
