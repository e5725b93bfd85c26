/** A research agent that searches the web and asks a second agent to check its facts. */
import { type Page, pages } from './research-pages.ts';
import type { Agent, Failure, Judgement, Model, Step, Story, ToolCall } from './story.ts';

const system = `You research questions about batteries, grids and shipping for buyers who have little time.

Search with web_search, read the pages that look best with fetch_page, and ask fact-checker about every figure that the answer depends on.
Answer in at most five sentences. Give figures with their unit and say where each one comes from. If sources disagree, say so and say which one you trust.
If a tool fails, try again once. If that fails too, answer from what you have and say what is missing.`;

const checkerSystem = `You check single claims. Read the source with fetch_page and compare every figure.
Answer with "confirmed", "wrong" or "not in the source", and one sentence with the words of the source.`;

const researcher = (model: Model): Agent => ({
  name: 'research-crew',
  model,
  system,
  prompt: { name: 'research-answer', version: '9' },
  tools: ['web_search', 'fetch_page', 'fact-checker'],
});
const checker: Agent = {
  name: 'fact-checker',
  model: 'gpt-5-mini',
  system: checkerSystem,
  prompt: { name: 'fact-check', version: '3' },
  tools: ['fetch_page'],
};

const firstSentence = (text: string): string => `${text.split('. ')[0]}.`;

const search = (query: string, found: readonly Page[]): ToolCall => ({
  tool: 'web_search',
  args: { query, limit: 10 },
  result: { results: found.map(({ title, url, text }, index) => ({ rank: index + 1, title, url, snippet: firstSentence(text) })) },
  ms: 720,
});
const failedSearch = (query: string, failed: Failure, ms: number): ToolCall => ({
  tool: 'web_search',
  args: { query, limit: 10 },
  failed,
  ms,
});
const fetchPage = ({ title, url, text }: Page): ToolCall => ({
  tool: 'fetch_page',
  args: { url },
  result: `# ${title}\n\n${text}`,
  ms: 1_150,
});

export const rateLimit = (seconds: number): Failure => ({
  type: 'RateLimitError',
  message: `429 Too Many Requests from api.searchlight.example: retry after ${seconds} s`,
});
export const searchTimeout = (query: string): Failure => ({
  type: 'TimeoutError',
  message: `GET https://api.searchlight.example/v2/search?q=${query.replaceAll(' ', '+')} timed out after 10000 ms`,
});

export interface Research {
  name: string;
  hoursAgo: number;
  model: Model;
  ask: string;
  query: string;
  /** The first search failed, and was repeated. */
  failedFirst?: Failure;
  read: readonly (keyof typeof pages)[];
  /** What the second agent was asked, about the first page. */
  claim?: string;
  verdict?: string;
  answer: string;
  failed?: Failure;
  helpful?: Judgement;
  tone?: Judgement;
}

const durationOf = ({ type }: Failure): number => (type === 'TimeoutError' ? 10_004 : 180);

export function researchStory(research: Research): Story {
  const { name, hoursAgo, model, ask, query, failedFirst, read, claim, verdict, answer, failed, helpful, tone } = research;
  const found = read.map((key): Page => pages[key]);
  const [first] = found;
  const rounds: Step[][] = [];
  if (failedFirst) rounds.push([failedSearch(query, failedFirst, durationOf(failedFirst))]);
  rounds.push([search(query, found)], found.map(fetchPage));
  if (first && claim !== undefined)
    rounds.push([{ agent: checker, turn: { ask: `${claim} Source: ${first.url}`, rounds: [[fetchPage(first)]], answer: verdict ?? '' } }]);
  return {
    ...{ key: `research ${name}`, name, hoursAgo, environment: 'production', tags: ['research'], agent: researcher(model) },
    turns: [{ ask, rounds, answer, ...(failed && { failed }), ...(helpful && { helpful }), ...(tone && { tone }) }],
  };
}
