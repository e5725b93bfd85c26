/** Sessions of the support agent about deliveries and papers, one with a failed run. */
import type { Story } from './story.ts';
import { callback, mini, next, order, policy, sonnet } from './support-desk.ts';

const bookshelf = {
  customer: 'Tobias Reiter',
  items: [{ sku: 'SH-340', name: 'Oak bookshelf', quantity: 1, price: 289 }],
  total: 289,
  parcels: [
    { number: 1, status: 'delivered', on: '{date-1}' },
    { number: 2, status: 'in the depot of the carrier', expected: '{date+1}, 8:00 to 12:00' },
  ],
};
const bookshelfAnswer =
  'Your bookshelf travels in two parcels. The first one, with the side panels, was delivered yesterday. The second one is in the depot of the carrier and is expected on {weekday+1} between 8:00 and 12:00.';

const rug = order(10_366, {
  customer: 'Aisha Karim',
  items: [{ sku: 'RG-410', name: 'Wool rug, 160 x 230 cm', quantity: 1, price: 245 }],
  total: 245,
  shipping: 18,
  expected: '{date-8}',
  status: 'with the carrier, last seen {date-9}',
});

export const deliverySessions: readonly Story[] = [
  {
    ...{
      key: 'bookshelf',
      name: 'Answer a customer',
      session: 'Second parcel of the bookshelf',
      user: 'tobias.reiter',
      agent: mini,
      hoursAgo: 2.7,
    },
    ...{ environment: 'production', tags: ['delivery'] },
    turns: [
      {
        ask: 'Where is my bookshelf? Order 10391 was meant to be here by now.',
        rounds: [[order(10_391, bookshelf)]],
        answer: bookshelfAnswer,
      },
      {
        ask: 'Where is my bookshelf? Order 10391 was meant to be here by now.',
        rounds: [[order(10_391, bookshelf)]],
        answer: `${bookshelfAnswer} Is there something else that you would like to know about it?`,
        helpful: [0, 'He asked the same again, so the first answer did not help: it does not say why the second parcel is late.'],
        tone: [0.6, 'Polite, but it repeats itself word for word.'],
      },
      {
        ask: 'I read that. Nobody is at home in the morning. Can somebody please call me about another time?',
        rounds: [[callback('tobias.reiter', 'Another delivery time for parcel 2 of order 10391', 'within the hour')]],
        answer: 'Of course. Ruth Calder from our delivery team will call you within the hour and agree a time that suits you.',
        helpful: [1, 'Hands over to a person at once.'],
      },
      {
        ask: 'And if the second parcel never comes?',
        rounds: [[policy('late delivery')]],
        answer:
          'If it is more than five working days late, you may cancel and get the full price and the shipping back, or wait and get a voucher of $15. Ruth Calder can note that for you as well.',
        helpful: [1, 'Says what he is entitled to before he has to ask for it.'],
      },
    ],
  },
  {
    ...{
      key: 'address',
      name: 'Answer a customer',
      session: 'New address before shipping',
      user: 'elena.marchetti',
      agent: sonnet,
      hoursAgo: 12.4,
    },
    ...{ environment: 'production', tags: ['delivery'] },
    turns: [
      {
        ask: 'I moved last week. Can you send order 10452 to 18 Alder Street instead of my old address?',
        rounds: [
          [
            order(10_452, {
              customer: 'Elena Marchetti',
              items: [{ sku: 'VS-071', name: 'Stoneware vase', quantity: 2, price: 38.5 }],
              total: 77,
              status: 'packed, not yet shipped',
              ship_to: '5 Mill Lane',
            }),
          ],
          [callback('elena.marchetti', 'Change the address of order 10452 to 18 Alder Street before it ships', 'within the hour')],
        ],
        answer:
          'Packed orders cannot be changed by me. Whether it still works depends on when the parcel leaves. Somebody calls you within the hour.',
        helpful: [0, 'She does not learn whether her vases go to the old address. The call changes it, and the answer should say so.'],
        tone: [0.45, 'Curt, and it sounds as if the move were her mistake.'],
      },
      {
        ask: 'Good. Could you also wrap both vases as presents?',
        rounds: [[policy('gift wrapping')]],
        answer: 'Yes, for $4.50 each, so $9.00 for both. Tell my colleague on the phone, and it will be added before the order ships.',
      },
      {
        ask: 'One is for my sister. Can each have its own card?',
        rounds: [[policy('gift wrapping')]],
        answer: 'Yes, every wrapped item comes with a card of up to 200 characters. Please have both texts ready for the call.',
        tone: [0.85, 'Friendly, and tells her what to prepare.'],
      },
    ],
  },
  {
    ...{ key: 'rug', name: 'Answer a customer', session: 'Rug lost by the carrier', user: 'aisha.karim', agent: sonnet, hoursAgo: 16.3 },
    ...{ environment: 'production', tags: ['delivery', 'refund'] },
    turns: [
      {
        ask: 'My rug from order 10366 is more than a week late and the tracking has not moved. What happens now?',
        rounds: [[rug, policy('late delivery')]],
        answer:
          'The rug was expected eight days ago and the carrier last saw it nine days ago. You can cancel and get $263.00 back, which is the price and the shipping, or wait and get a voucher of $15.',
        helpful: [1, 'Gives the facts and both choices with the right sum.'],
      },
      {
        ask: 'Please cancel it and give me the money back.',
        rounds: [[rug]],
        answer: '',
        failed: { type: 'OverloadedError', message: '529 overloaded_error: the model is overloaded, request req_8f21c07e' },
        helpful: [0, 'No answer at all.'],
      },
      {
        ask: 'Hello? Are you still there? I would like to cancel order 10366.',
        rounds: [
          [
            {
              ...{ tool: 'issue_refund', args: { order_id: 10_366, amount: 263, currency: 'USD', reason: 'Lost by the carrier' }, ms: 900 },
              result: { refund_id: 'RF-69496', order_id: 10_366, amount: 263, currency: 'USD', status: 'accepted' },
            },
          ],
        ],
        answer: 'Yes, and sorry for the silence. The order is cancelled and $263.00 go back to your card, reference RF-69496.',
        helpful: [1, 'Picks up where the failed turn left off.'],
      },
    ],
  },
  {
    ...{
      key: 'invoice',
      name: 'Answer a customer',
      session: 'Invoice with a company name',
      user: 'henry.calloway',
      agent: next,
      hoursAgo: 34.5,
    },
    ...{ environment: 'staging', tags: ['invoice'] },
    turns: [
      {
        ask: 'I need the invoice of order 10305 with the name of our company, Calloway & Daughters.',
        rounds: [
          [
            order(10_305, {
              customer: 'Henry Calloway',
              items: [{ sku: 'CH-090', name: 'Ash dining chair', quantity: 6, price: 129 }],
              total: 774,
              ordered: '{date-33}',
            }),
            policy('invoices'),
          ],
        ],
        answer: 'No problem, since the order is 33 days old and 60 are allowed. Which tax number should be on the invoice?',
      },
      {
        ask: 'It is 84-2207716.',
        rounds: [[callback('henry.calloway', 'Invoice of order 10305 for Calloway & Daughters, tax number 84-2207716', '{date+1} 9:00')]],
        answer:
          'Thank you. A colleague writes the new invoice and calls you tomorrow from 9:00 on if anything is unclear. It comes by email.',
      },
    ],
  },
];
