/** What the research agent was asked, and what it found. */
import { type Research, rateLimit, researchStory, searchTimeout } from './research-crew.ts';
import type { Story } from './story.ts';

const questions: readonly Research[] = [
  {
    ...{ name: 'Sodium-ion against LFP', hoursAgo: 0.5, model: 'claude-sonnet-4-5' },
    ask: 'Are sodium-ion packs already cheaper than LFP for a 50 MWh project in Europe?',
    ...{ query: 'sodium-ion pack price 2026 compared with LFP', failedFirst: rateLimit(12), read: ['sodium', 'lfp'] },
    claim: 'Norvik Cells sells sodium-ion packs from 40 MWh upwards at $71 per kWh, delivered to a European port.',
    verdict: 'Confirmed: "The list price is $71 per kWh for the pack, delivered to a European port", for orders from 40 MWh upwards.',
    answer:
      'Not yet. Norvik Cells lists sodium-ion packs at $71 per kWh, delivered to a European port; LFP packs averaged $67 per kWh in the last quarter, according to CellMonitor. For 50 MWh that is a difference of about $200,000. Sodium-ion can be charged at minus 20 degrees, which may be worth it in the north. The LFP figures of the latest three months are preliminary.',
    helpful: [1, 'A clear no, the sum for the project, and what could change the answer.'],
  },
  {
    ...{ name: 'Container rates until spring', hoursAgo: 2.2, model: 'gpt-5' },
    ask: 'Should we fix container rates from Shanghai to Rotterdam now, or wait until spring?',
    ...{ query: 'container spot rate Shanghai Rotterdam outlook', read: ['freight', 'canal'] },
    claim: 'Contracts for next year were signed at 1,950 to 2,200 dollars for a container of forty feet.',
    verdict: 'Confirmed: "Contracts that start next year were signed at 1,950 to 2,200 dollars."',
    answer:
      'Fix part of it now. Contracts for next year were signed at $1,950 to $2,200, less than the spot rate of about $2,300 (BaltWatch). If all carriers return to the canal, about seven percent of the fleet is set free and rates usually fall for two or three quarters (Harbour Weekly). I would fix half and leave half to the spot market.',
    helpful: [1, 'Ends with something one can do.'],
  },
  {
    ...{ name: 'Storage tender in Port Aurelia', hoursAgo: 3.5, model: 'gpt-5' },
    ask: 'What did the winner of the storage tender in Port Aurelia offer, per kWh?',
    ...{ query: 'Port Aurelia battery storage tender result', failedFirst: rateLimit(31), read: ['tender'] },
    claim: 'Halden Storage won with 200 MW and 800 MWh for $105 million.',
    verdict: 'Confirmed: "The winner, Halden Storage, builds it for $105 million, which is $131 per kWh".',
    answer:
      'Halden Storage won with $131 per kWh: $105 million for 200 MW and 800 MWh, up to the transformer (Grid Paper). The highest of the six offers was $188 per kWh.',
    tone: [0.85, 'Short and to the point.'],
  },
  {
    ...{ name: 'Earnings of two-hour batteries', hoursAgo: 4.4, model: 'claude-sonnet-4-5' },
    ask: 'How much did two-hour batteries earn last quarter, and from what?',
    ...{ query: 'battery storage earnings frequency reserve trading quarter', read: ['revenue', 'tender'] },
    claim: 'Two-hour batteries earned $98 per kW and year, 31 percent of it from frequency reserve.',
    verdict: 'Confirmed: the source gives $98 per kW and year, and 31 percent from frequency reserve.',
    answer:
      'Batteries with two hours of storage earned $98 per kW and year, a fifth less than a year before (Grid Paper). Trading between hours brought 52 percent and frequency reserve 31 percent, after 58 percent the year before. The best tenth earned twice as much as the worst, mostly by better forecasts of the evening peak.',
    helpful: [1, 'All figures are in the source, and the reason for the decline is named.'],
  },
  {
    ...{ name: 'Second-life packs for a depot', hoursAgo: 6.6, model: 'gpt-5-mini' },
    ask: 'We could buy used car packs for our bus depot. Is that cheaper than new ones?',
    ...{ query: 'second-life battery packs cost per kWh testing', failedFirst: searchTimeout('second-life battery packs cost') },
    read: ['secondLife', 'lfp'],
    claim: 'Second-life packs cost $58 to $85 per kWh before installation.',
    verdict: 'Confirmed: "A project therefore pays $58 to $85 before installation".',
    answer:
      'Hardly. Used packs cost $58 to $85 per kWh once they are tested and have new electronics (ReWatt), and new LFP packs about $67 (CellMonitor). It pays only if all packs come from one fleet of the same age. Ask your insurer first: most cover second-life packs for ten years at most.',
    helpful: [1, 'Compares like with like, and mentions the insurer.'],
  },
  {
    ...{ name: 'Insurance of grid batteries', hoursAgo: 8.9, model: 'gpt-5' },
    ask: 'What does insurance for a 100 MWh grid battery cost per year?',
    ...{ query: 'insurance premium grid battery storage', failedFirst: rateLimit(45), read: ['fire', 'secondLife'] },
    answer: '',
    failed: {
      type: 'RateLimitError',
      message: '429 rate_limit_exceeded: 30000 tokens per minute are allowed for gpt-5, retry after 21 s',
    },
    helpful: [0, 'No answer.'],
  },
  {
    ...{ name: 'Electric ferries on short routes', hoursAgo: 10.2, model: 'claude-sonnet-4-5' },
    ask: 'Which part of an electric ferry project costs the most on short routes?',
    ...{ query: 'electric ferry cost pier connection short route', failedFirst: searchTimeout('electric ferry cost'), read: ['ferries'] },
    claim: 'On 11 of 19 routes the connection of the pier was the most expensive part.',
    verdict: 'Confirmed, in the same words.',
    answer:
      'Usually the pier. On 11 of 19 routes its connection to the grid was the most expensive part and took longer than the ship (Harbour Weekly). The average ferry has a battery of 4.8 MWh, which is replaced after eight to ten years.',
  },
  {
    ...{ name: 'Lithium recovery of recyclers', hoursAgo: 11.8, model: 'gpt-5-mini' },
    ask: 'How many recyclers already meet the lithium limit of 2031?',
    ...{ query: 'lithium recovery rate recycling plants 2031 limit', read: ['recycling'] },
    claim: 'Nine of twelve plants recover at least 80 percent of the lithium.',
    verdict: 'Confirmed: "nine of twelve plants would already meet the later limit", which is 80 percent.',
    answer:
      'Nine of the twelve plants that reported. The limit is 80 percent from 2031; the median plant recovers 83 percent and the best one 94 percent (CellMonitor).',
    helpful: [1, 'Right, and no word too many.'],
  },
  {
    ...{ name: 'Iron-air after one year', hoursAgo: 14.1, model: 'claude-sonnet-4-5' },
    ask: 'Does iron-air storage work in practice? I need it for a board paper.',
    ...{ query: 'iron-air storage plant results first year', failedFirst: searchTimeout('iron-air plant'), read: ['ironAir', 'heat'] },
    claim: 'The plant at Calder Fell gave back 38 percent of the energy it took and was available 91 percent of the time.',
    verdict: 'Confirmed: both figures are in the source.',
    answer:
      'It works for rare, long shortages and not for daily use. The plant at Calder Fell gave back 38 percent of the energy it took and was available 91 percent of the time (Longstore). Its storage cost $24 per kWh but its power $1,900 per kW. It discharged seven times in winter, once for 83 hours.',
    ...{ helpful: [1, 'I could copy it into the paper.'], tone: [0.9, 'Neutral, as asked.'] },
  },
  {
    ...{ name: 'Steam without gas for a dairy', hoursAgo: 17.5, model: 'gpt-5' },
    ask: 'Is there a dairy that makes its steam from a heat battery, and what did it cost?',
    ...{ query: 'heat battery dairy steam cost', read: ['heat'] },
    claim: 'The store of the dairy in Ostmark holds 42 MWh and cost $2.6 million.',
    verdict: 'Confirmed: "The store holds 42 MWh and cost $2.6 million".',
    answer:
      'Yes, in Ostmark. Its store of hot bricks holds 42 MWh, cost $2.6 million including $0.7 million for the grid connection, and replaces 78 percent of the gas (Longstore).',
  },
  {
    ...{ name: 'Fire rules for containers', hoursAgo: 29.3, model: 'gpt-5-mini' },
    ask: 'Which distance between battery containers do fire services accept?',
    ...{ query: 'battery container distance fire service rules', read: ['fire'] },
    answer:
      'Three metres are accepted by nine of fourteen fire services; the range is one to six metres (Safe Bay). Ask yours before you draw the site plan.',
    helpful: [0, 'We build in one country, and it does not say which services these are.'],
  },
  {
    ...{ name: 'Air freight for spare packs', hoursAgo: 40.5, model: 'claude-sonnet-4-5' },
    ask: 'Can we fly spare battery packs from Hong Kong before the holidays, and at what rate?',
    ...{ query: 'air freight lithium batteries Hong Kong Europe rate', failedFirst: rateLimit(8), read: ['airFreight', 'canal'] },
    claim: 'The rate from Hong Kong to Europe is $4.10 per kg.',
    verdict: 'Confirmed: "Rates from Hong Kong to Europe stand at $4.10 per kg".',
    answer:
      'Yes, but only in freighters and with at most 30 percent charge. The rate is $4.10 per kg, half a dollar less than a year ago (BaltWatch). Book before the second week of December, when the peak is expected.',
  },
  {
    ...{ name: 'LFP prices over three years', hoursAgo: 51.7, model: 'gpt-5' },
    ask: 'How did LFP pack prices develop over the last three years?',
    ...{ query: 'LFP pack price monthly average three years', read: ['lfp', 'sodium'] },
    claim: 'The average of the last quarter is $67 per kWh, 23 percent less than a year earlier.',
    verdict: 'Confirmed: "The average of the last quarter is $67 per kWh, 23 percent less than a year earlier."',
    answer:
      'They nearly halved, from about $128 to $67 per kWh (CellMonitor, delivered packs without inverters). The last year alone brought 23 percent. Most of the decline comes from cells; packs and electronics fell by only four percent.',
  },
];

export const researchCrew: readonly Story[] = questions.map(researchStory);
