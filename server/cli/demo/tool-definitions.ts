/** What the agents are told about their tools. */

interface Tool {
  description: string;
  parameters: Record<string, [type: 'string' | 'number' | 'integer', description: string]>;
}

const tools = {
  lookup_order: {
    description: 'Look up an order of the shop: customer, items, prices, payments, parcels and dates.',
    parameters: { order_id: ['integer', 'Number of the order, five digits'] },
  },
  read_policy: {
    description: 'Read a rule of the shop, word for word. Use this before you tell a customer what is possible.',
    parameters: {
      topic: [
        'string',
        'One of: damaged on arrival, returns, warranty, double payment, refund times, late delivery, gift wrapping, invoices, missing parts',
      ],
    },
  },
  issue_refund: {
    description: 'Refund all or part of what was paid for an order, to the means of payment that was used. Cannot be undone.',
    parameters: {
      order_id: ['integer', 'Number of the order, five digits'],
      amount: ['number', 'Amount to refund, not more than was paid'],
      currency: ['string', 'Currency of the order, such as USD'],
      reason: ['string', 'Why it is refunded, in a few words, for the accounts'],
    },
  },
  book_callback: {
    description: 'Arrange that a colleague calls the customer, between 8:00 and 20:00 on any day.',
    parameters: {
      customer: ['string', 'User name of the customer'],
      topic: ['string', 'What the call is about, with the number of the order'],
      at: ['string', 'When: "within the hour", or a date and time'],
    },
  },
  web_search: {
    description: 'Search the web. Returns titles, addresses and the first sentence of each page.',
    parameters: { query: ['string', 'Words to search for'], limit: ['integer', 'How many results, at most 20'] },
  },
  fetch_page: {
    description: 'Read a web page as Markdown, without navigation and advertisements.',
    parameters: { url: ['string', 'Address from the results of web_search'] },
  },
  'fact-checker': {
    description: 'Ask another agent whether a claim agrees with its source. Give one claim at a time.',
    parameters: { task: ['string', 'The claim in one sentence, and the address of its source'] },
  },
  git_log: {
    description: 'List the commits between two tags, newest first, one line each: hash, type and summary.',
    parameters: { from: ['string', 'The earlier tag, which is left out'], to: ['string', 'The later tag'] },
  },
  run_tests: {
    description: 'Run a suite of tests at the later tag, and report how many passed. Takes about twenty seconds.',
    parameters: { suite: ['string', 'Name of the suite, or "all"'] },
  },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

const definitionOf = (name: ToolName): object => {
  const { description, parameters }: Tool = tools[name];
  const properties = Object.fromEntries(Object.entries(parameters).map(([key, [type, words]]) => [key, { type, description: words }]));
  return { type: 'function', name, description, parameters: { type: 'object', properties, required: Object.keys(parameters) } };
};

/** JSON, as in `gen_ai.tool.definitions`. */
export const toolDefinitions = (names: readonly ToolName[]): string => JSON.stringify(names.map(definitionOf));
