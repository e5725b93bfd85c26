/** Sessions of the support agent about refunds. */
import type { Story } from './story.ts';
import { callback, mini, order, policy, refund, sonnet } from './support-desk.ts';

const kettle = {
  customer: 'Maren Ohlsen',
  items: [{ sku: 'KT-118', name: 'Copper kettle, 1.7 l', quantity: 1, price: 64.9 }],
  total: 64.9,
  delivered: '{date-0}',
};
export const refundSessions: readonly Story[] = [
  {
    ...{
      key: 'kettle',
      name: 'Answer a customer',
      session: 'Kettle arrived with a cracked lid',
      user: 'maren.ohlsen',
      agent: sonnet,
      hoursAgo: 1.1,
    },
    ...{ environment: 'production', tags: ['refund'] },
    turns: [
      {
        ask: 'Hello, the kettle from my order 10428 arrived today and the lid is cracked. What can I do?',
        rounds: [[order(10_428, kettle), policy('damaged on arrival')]],
        answer:
          'I am sorry about the lid. You can choose: we send you a new copper kettle free of charge, or you get the full $64.90 back. Which do you prefer?',
        tone: [0.95, 'Apologises once, and offers both options without making the customer ask.'],
      },
      {
        ask: 'A refund please, I have already bought another one in town.',
        rounds: [[refund(10_428, 64.9, 'Lid cracked on arrival')]],
        answer: 'Done: $64.90 go back to the card you paid with. The reference of the refund is RF-69558.',
        helpful: [1, 'The refund was made in the same turn, with its reference.'],
      },
      {
        ask: 'Do I have to send the broken kettle back?',
        rounds: [[policy('damaged on arrival')]],
        answer: 'No. Items that cost less than $80 need not be sent back if they arrived damaged. You may keep it or recycle it.',
        helpful: [1, 'Correct, and it saves the customer a trip to the post office.'],
      },
      {
        ask: 'Great, thank you. How long does the refund take?',
        rounds: [[policy('refund times')]],
        answer: 'To a card it takes three to five working days. Enjoy your tea!',
      },
    ],
  },
  {
    ...{
      key: 'grinder',
      name: 'Answer a customer',
      session: 'Coffee grinder after the return period',
      user: 'priya.raman',
      agent: sonnet,
      hoursAgo: 5.4,
    },
    ...{ environment: 'production', tags: ['refund', 'warranty'] },
    turns: [
      {
        ask: 'My coffee grinder from order 10377 stopped turning this morning. I would like my $139 back.',
        rounds: [
          [
            order(10_377, {
              customer: 'Priya Raman',
              items: [{ sku: 'CG-020', name: 'Burr coffee grinder', quantity: 1, price: 139 }],
              total: 139,
              delivered: '{date-46}',
            }),
          ],
          [
            {
              ...{ tool: 'issue_refund', args: { order_id: 10_377, amount: 139, currency: 'USD', reason: 'Stopped working' }, ms: 610 },
              failed: {
                type: 'RefundRejected',
                message: 'Order 10377 was delivered 46 days ago; refunds are possible for 30 days',
              },
            },
          ],
          [policy('warranty')],
        ],
        answer:
          'A refund is no longer possible, because the grinder was delivered 46 days ago and the return period is 30 days. It has a warranty of two years, though: our workshop repairs it free of charge, and if it cannot be repaired, you get a new one. Shall I arrange that?',
        helpful: [1, 'Explains why the refund was rejected, and finds what the customer is entitled to.'],
        tone: [0.9, 'Says no clearly and kindly.'],
      },
      {
        ask: 'Yes please. How do I send it in?',
        rounds: [[policy('warranty'), callback('priya.raman', 'Collection of a grinder for repair, order 10377', '{date+1} 9:00')]],
        answer:
          'You need not bring it anywhere: a courier collects it. Ruth Calder will call you tomorrow from 9:00 on to agree when. Please put the grinder into any sturdy box, without the coffee beans.',
        helpful: [1, 'Everything she needs to know is in three sentences.'],
      },
    ],
  },
  {
    ...{
      key: 'double',
      name: 'Answer a customer',
      session: 'Charged twice for one order',
      user: 'daniel.okafor',
      agent: mini,
      hoursAgo: 8.6,
    },
    ...{ environment: 'production', tags: ['payment'] },
    turns: [
      {
        ask: 'You charged me twice for order 10440. My bank shows $119 two times.',
        rounds: [
          [
            order(10_440, {
              customer: 'Daniel Okafor',
              items: [{ sku: 'LN-205', name: 'Linen bedding set', quantity: 1, price: 119 }],
              total: 119,
              payments: [
                { id: 'PM-77120', amount: 119, status: 'captured' },
                { id: 'PM-77121', amount: 119, status: 'captured' },
              ],
            }),
            policy('double payment'),
          ],
          [refund(10_440, 119, 'Second payment PM-77121 for one order')],
        ],
        answer: 'You are right: $119.00 were charged twice. I have just refunded the second payment; the reference is RF-69570.',
        helpful: [1, 'Found the second payment and refunded it without any back and forth.'],
      },
      {
        ask: 'Thanks. When will I see it on my card?',
        rounds: [[policy('refund times')]],
        answer: 'Refunds to a card take three to five working days, so you should see it by {weekday+7} at the latest.',
      },
    ],
  },
  {
    ...{
      key: 'lamp',
      name: 'Answer a customer',
      session: 'Screws missing from a desk lamp',
      user: 'jonas.lindqvist',
      agent: sonnet,
      hoursAgo: 23.2,
    },
    ...{ environment: 'production', tags: ['refund'] },
    turns: [
      {
        ask: 'The two screws for the base of my desk lamp are missing. Order 10419. It stands well enough without them.',
        rounds: [
          [
            order(10_419, {
              customer: 'Jonas Lindqvist',
              items: [{ sku: 'LP-052', name: 'Brass desk lamp', quantity: 1, price: 80 }],
              total: 80,
              delivered: '{date-2}',
            }),
            policy('missing parts'),
          ],
        ],
        answer:
          'Sorry about the screws. We can send them free of charge within two working days. Or, since the lamp stands without them, you keep it as it is and get $12.00 back. What would you like?',
        tone: [0.95, 'Offers a choice and leaves it to the customer.'],
      },
      {
        ask: 'Twelve dollars is fair. I will take that.',
        rounds: [[refund(10_419, 12, 'Screws missing, lamp kept')]],
        answer: '$12.00 are on their way to your card, reference RF-69549. Enjoy the lamp!',
        helpful: [1, 'Within the rules: 15 percent of $80 are $12.'],
      },
      {
        ask: 'One more thing: is the lamp under warranty although I took the discount?',
        rounds: [[policy('warranty')]],
        answer: 'Yes. The warranty of two years covers everything except the missing screws, and a courier would collect the lamp.',
      },
    ],
  },
];
