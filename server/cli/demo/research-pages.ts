/** The made-up web pages that the research agent finds and reads. */

export interface Page {
  title: string;
  url: string;
  text: string;
}

type Fall = readonly [from: number, to: number];

/** A table of weekly or monthly figures, each column falling from one value to another with a wave on top. */
function falling(head: readonly string[], label: (step: number) => string, steps: number, falls: readonly Fall[]): string {
  const figureAt = ([from, to]: Fall, step: number): string => {
    const value = from + ((to - from) * step) / (steps - 1) + Math.sin(step * 1.7) * (from - to) * 0.04;
    return value.toFixed(from < 1000 ? 1 : 0);
  };
  const rows = Array.from({ length: steps }, (_, step) => [label(step), ...falls.map((fall) => figureAt(fall, step))]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

const monthOf = (step: number): string => `${2023 + Math.floor(step / 12)}-${String((step % 12) + 1).padStart(2, '0')}`;

const priceTable = falling(['month', 'pack, $/kWh', 'cell, $/kWh'], monthOf, 36, [
  [128, 66],
  [98, 43],
]);

const rateTable = falling(['week', 'Rotterdam', 'Hamburg', 'Felixstowe', 'Genoa'], (step) => String(step + 1), 52, [
  [4_180, 2_310],
  [4_260, 2_390],
  [4_330, 2_450],
  [4_710, 2_860],
]);

/** Lithium that each plant recovers, in percent. */
const recovery = [94, 91, 89, 88, 86, 84, 82, 81, 80, 74, 69, 61];

const recoveryTable = recovery.map((percent, index) => `- Plant ${'ABCDEFGHIJKL'[index]}: ${percent} percent`).join('\n');

export const pages = {
  sodium: {
    title: 'Norvik Cells opens order book for sodium-ion packs',
    url: 'https://norvik-cells.example/news/sodium-order-book',
    text: 'Norvik Cells takes orders for sodium-ion packs from 40 MWh upwards. The list price is $71 per kWh for the pack, delivered to a European port. The company says that its cells keep 90 percent of their capacity for 6,000 cycles and can be charged at minus 20 degrees. Energy density is 155 Wh per kg, about a tenth below the LFP cells that it also sells. The first packs leave the plant in Halden in the second quarter.',
  },
  lfp: {
    title: 'LFP price tracker: monthly averages',
    url: 'https://cellmonitor.example/lfp/monthly',
    text: `Average price of LFP packs for stationary storage, delivered, in US dollars per kWh. The series is built from tenders that were published and from offers that readers sent us. It does not contain inverters, containers or installation.\n\n${priceTable}\n\nThe latest three months are preliminary. The average of the last quarter is $67 per kWh, 23 percent less than a year earlier. Most of the decline comes from cells; packs and their electronics fell by only four percent.`,
  },
  freight: {
    title: 'Weekly container rates from Shanghai',
    url: 'https://baltwatch.example/rates/shanghai',
    text: `Spot rate for a container of forty feet from Shanghai, in US dollars, with all surcharges.\n\n${rateTable}\n\nContracts that start next year were signed at 1,950 to 2,200 dollars. New ships with room for 1.9 million containers are delivered this year, while demand grows by three percent. Carriers left out 11 percent of the planned departures in the last four weeks to hold the rate.`,
  },
  canal: {
    title: 'Carriers return to the canal in steps',
    url: 'https://harbourweekly.example/analysis/return-to-the-canal',
    text: 'Two of the five large carriers have sent ships through the canal again since spring. The way from Shanghai to Rotterdam is nine days shorter than around the cape. If all of them return, about seven percent of the world fleet is set free, which usually presses rates for two or three quarters. In the first weeks the ports receive two schedules at once, so that delays of four to six days are likely. Insurance for the passage has come down to 0.2 percent of the value of the ship, from 0.7 percent.',
  },
  tender: {
    title: 'Port Aurelia awards 800 MWh of storage',
    url: 'https://gridpaper.example/2026/port-aurelia-awards-storage',
    text: 'The grid company of Port Aurelia has awarded a battery of 200 MW and 800 MWh. The winner, Halden Storage, builds it for $105 million, which is $131 per kWh for everything up to the transformer. Six companies took part; the highest offer was $188 per kWh. The contract pays for 15 years if the battery is available 97 percent of the time. Construction takes 14 months, most of which is the connection to the grid.',
  },
  revenue: {
    title: 'What batteries earned last quarter',
    url: 'https://gridpaper.example/2026/what-batteries-earned',
    text: 'Batteries with two hours of storage earned $98 per kW and year on average, a fifth less than a year before. Frequency reserve made up 31 percent of it, down from 58 percent, because there are now more batteries than reserve is needed. Trading between hours grew to 52 percent. Batteries with four hours earned $127 per kW. The best tenth earned twice as much as the worst tenth, and the difference was mostly in how well their operators forecast the evening peak.',
  },
  secondLife: {
    title: 'Second-life packs: what a buyer should ask',
    url: 'https://rewatt.example/guides/second-life',
    text: 'Used packs from cars are sold for $28 to $45 per kWh of remaining capacity. Testing, sorting and new electronics add $30 to $40. A project therefore pays $58 to $85 before installation, which leaves little to gain over new LFP packs at $66. They make sense where packs come from one fleet of the same age, since sorting is then cheap. Insurers ask for a test of each pack that is not older than six months, and most of them cover ten years at most.',
  },
  recycling: {
    title: 'Recovery of lithium: results of twelve plants',
    url: 'https://cellmonitor.example/recycling/twelve-plants',
    text: `Twelve plants reported how much lithium they recover from black mass.\n\n${recoveryTable}\n\nThe median is 83 percent, the best plant reports 94 percent and the worst 61 percent. The rule that applies from 2027 asks for 50 percent, and 80 percent from 2031, so nine of twelve plants would already meet the later limit. Nickel and cobalt are recovered at 95 percent or more everywhere. Plants that take LFP only are paid to take it, because it has neither.`,
  },
  ferries: {
    title: 'Electric ferries: orders and batteries',
    url: 'https://harbourweekly.example/ships/electric-ferries',
    text: 'Thirty-four electric ferries were ordered in the last twelve months, after 21 in the year before. The average battery has 4.8 MWh. Operators on routes below 40 minutes report energy costs that are 60 percent lower than with diesel. The battery is replaced after eight to ten years. On 11 of 19 routes that were looked at, the connection of the pier was the most expensive part of the project and took longer than the ship.',
  },
  ironAir: {
    title: 'Iron-air: first year of the Calder Fell plant',
    url: 'https://longstore.example/reports/calder-fell-year-one',
    text: 'The plant at Calder Fell stores 150 MWh for up to 100 hours. In its first year it gave back 38 percent of the energy that it took. It was available 91 percent of the time; the air filters had to be replaced twice. The owner paid $24 per kWh of storage, but $1,900 per kW of power. It is meant for a few long discharges in winter: there were seven, the longest of 83 hours.',
  },
  heat: {
    title: 'Hot bricks for a dairy',
    url: 'https://longstore.example/cases/hot-bricks-dairy',
    text: 'The dairy in Ostmark heats bricks to 1,100 degrees when power is cheap and makes steam from them all day. The store holds 42 MWh and cost $2.6 million, of which the grid connection was $0.7 million. It replaces 78 percent of the gas that the dairy used. On average the dairy pays $31 per MWh for the power that goes in, because it takes 80 percent of it in the cheapest six hours. It loses three percent of the heat a day.',
  },
  fire: {
    title: 'Fire rules for battery containers, compared',
    url: 'https://safebay.example/rules/containers',
    text: 'We compared the rules of fourteen fire services for battery containers. Distances between containers range from one to six metres; nine services accept three metres. Twelve ask for gas detection and a vent that opens by itself. Ten no longer ask for sprinklers, since water did not stop a single one of 23 fires that we know of; they ask for cooling of the neighbours instead. All want a plan with the position of every switch at the gate.',
  },
  airFreight: {
    title: 'Air freight before the holidays',
    url: 'https://baltwatch.example/air/peak',
    text: 'Rates from Hong Kong to Europe stand at $4.10 per kg, after $4.60 in the same week last year. Parcels from online shops make up 55 percent of the weight on this route. Capacity is 6 percent higher, mostly in the holds of passenger flights. Forwarders expect the peak in the second week of December and a quiet January. Lithium batteries that are shipped alone may only be loaded into freighters, with at most 30 percent charge.',
  },
} satisfies Record<string, Page>;
