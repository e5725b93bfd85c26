/**
 * `npm run bench:questions -- --dir ../shared/corpus`: twelve debugging questions over recorded traces, answered with the tools of `/mcp` and with a
 * generic bridge that makes a tool of each operation of the API. Prints calls and characters of each, side by side. Fails when an answer is missing.
 */
import { parseArgs } from 'node:util';
import { conflictFreeGroups, readCaptures } from './corpus/captures.ts';
import { arrange, replay } from './corpus/replay.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { type Asker, askByApi, askByTools } from './questions/askers.ts';
import { type Question, questions } from './questions/questions.ts';

const { values } = parseArgs({ options: { dir: { type: 'string', default: '../shared/corpus' } } });

/** Answers name ids, figures and JSON, of which a token of current models holds fewer characters than of prose. */
const charactersPerToken = 2.5;
const tokensMax = 25_000;

interface Outcome {
  isAnswered: boolean;
  calls: number;
  tokens: number;
}

async function outcomeOf(asker: Asker, { answer }: Question, find: () => Promise<string>): Promise<Outcome> {
  const before = asker.spent();
  const text = await find();
  const after = asker.spent();
  const tokens = Math.ceil((after.characters - before.characters) / charactersPerToken);
  return { isAnswered: answer.test(text), calls: after.calls - before.calls, tokens };
}

const total = (outcomes: readonly Outcome[]) => ({
  answered: outcomes.filter(({ isAnswered }) => isAnswered).length,
  calls: outcomes.reduce((sum, { calls }) => sum + calls, 0),
  tokens: outcomes.reduce((sum, { tokens }) => sum + tokens, 0),
});

const folder = makeScratchFolder('questions');
const gateway = spawnGateway(folder);
try {
  const url = await gateway.ready;
  const client = new HttpClient(url);
  const [captures = []] = conflictFreeGroups(readCaptures(values.dir));
  await replay(client, arrange(captures, 'in order', '1'), 'in order');
  client.close();
  const [tools, api] = [await askByTools(url), await askByApi(url)];
  const outcomes: [Outcome, Outcome][] = [];
  for (const question of questions) {
    const pair: [Outcome, Outcome] = [
      await outcomeOf(tools, question, () => question.byTools(tools)),
      await outcomeOf(api, question, () => question.byApi(api)),
    ];
    outcomes.push(pair);
    const cells = pair.map(
      ({ isAnswered, calls, tokens }) => `${isAnswered ? 'answered' : 'MISSING '} ${calls} calls ${String(tokens).padStart(7)} tokens`,
    );
    process.stdout.write(`${cells.join(' | ')} | ${question.question}\n`);
  }
  const [byTools, byApi] = [total(outcomes.map(([own]) => own)), total(outcomes.map(([, other]) => other))];
  const listOf = ({ toolsLength }: Asker) => Math.ceil(toolsLength / 4);
  process.stdout.write(`tools of /mcp:     ${JSON.stringify({ ...byTools, tool_list_tokens: listOf(tools) })}\n`);
  process.stdout.write(`bridge of the API: ${JSON.stringify({ ...byApi, tool_list_tokens: listOf(api) })}\n`);
  await tools.close();
  process.exitCode = byTools.answered === questions.length && byTools.tokens <= tokensMax ? 0 : 1;
} finally {
  await gateway.stop();
  removeFolder(folder);
}
