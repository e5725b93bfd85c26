/** What people type into the search field, and the names of the traces that each search must find, of those in planted-traces.ts and no others. */

export interface Search {
  /** What the search looks for. */
  by: string;
  text: string;
  finds: readonly string[];
}

export const searches: readonly Search[] = [
  { by: 'words of a question', text: 'umbrella wedding terrace', finds: ['plan a wedding'] },
  { by: 'words of an answer', text: 'sourdough overnight fridge', finds: ['baking advice'] },
  { by: "a tool's arguments", text: 'Reykjavik Lisbon', finds: ['book a flight'] },
  { by: "a tool's result", text: 'locomotive replaced', finds: ['train status'] },
  { by: 'an error message', text: 'certificate has expired for payments', finds: ['charge a card'] },
  { by: 'a trace name', text: 'quarterly churn', finds: ['quarterly-churn-report'] },
  { by: 'a quoted phrase', text: '"the invoice was sent twice"', finds: ['billing complaint'] },
  { by: 'words of two spans', text: 'kayak waterproof', finds: ['pack for a river trip'] },
  { by: 'Cyrillic, in another case', text: 'накладная', finds: ['find a waybill'] },
  { by: 'an address with an order', text: 'https://shop.example/orders/ORD-118734', finds: ['where is my order'] },
  { by: 'a tool, and words', text: 'tool:web_search glacier meltwater', finds: ['glacier research'] },
  { by: 'a model, and a cost', text: 'model:gpt-4o cost > 40', finds: ['read the whole archive'] },
  { by: 'errors, and words', text: 'errors > 0 parcel customs', finds: ['parcel held, first attempt', 'parcel held, last attempt'] },
  {
    by: 'a user',
    text: 'user_id = margarethe.lindqvist@example.org',
    finds: ['greenhouse heating', 'greenhouse watering', 'greenhouse harvest'],
  },
  { by: 'metadata', text: 'metadata.warehouse = "Hamburg 3"', finds: ['count the stock', 'move the stock'] },
  { by: 'tags, one or the other', text: 'tags = spring-launch or tags = autumn-launch', finds: ['launch in spring', 'launch in autumn'] },
  { by: 'one of several tools', text: 'tool in (print_label, weigh_parcel)', finds: ['label a parcel', 'weigh a parcel'] },
  { by: 'a range of durations', text: 'duration between 115m and 125m', finds: ['nightly translation'] },
  { by: 'a misspelt field, as words', text: 'modle:grok-9 router', finds: ['read a configuration'] },
  { by: 'a negation', text: 'chandelier text not contains brass model != gpt-4o', finds: ['restore crystal', 'restore glass'] },
];
