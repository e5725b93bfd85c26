/** Two ways in which a coding agent asks a gateway, and what each makes it read. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface Spent {
  calls: number;
  characters: number;
}

export interface Asker {
  /** What an agent reads before its first question: the list of tools, in characters. */
  toolsLength: number;
  spent(): Spent;
  close(): Promise<void>;
}

/** The gateway's own tools. */
export interface ToolAsker extends Asker {
  ask(tool: string, args?: Record<string, unknown>): Promise<string>;
}

export async function askByTools(url: string): Promise<ToolAsker> {
  const client = new Client({ name: 'questions', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const { tools } = await client.listTools();
  let [calls, characters] = [0, 0];
  return {
    toolsLength: JSON.stringify(tools).length,
    spent: () => ({ calls, characters }),
    close: () => client.close(),
    ask: async (name, args = {}) => {
      const { content } = await client.callTool({ name, arguments: args });
      const text = (content as { text: string }[]).map((part) => part.text).join('');
      calls++;
      characters += text.length;
      return text;
    },
  };
}

/** A generic bridge: each operation of the API document is a tool, and the agent reads its JSON reply. */
export interface ApiAsker extends Asker {
  get(path: string, query?: Record<string, string>): Promise<string>;
}

export async function askByApi(url: string): Promise<ApiAsker> {
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as ApiDocument;
  let [calls, characters] = [0, 0];
  return {
    toolsLength: JSON.stringify(toolsOf(document)).length,
    spent: () => ({ calls, characters }),
    close: async () => {},
    get: async (path, query = {}) => {
      const text = await (await fetch(`${url}${path}?${new URLSearchParams(query)}`)).text();
      calls++;
      characters += text.length;
      return text;
    },
  };
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: unknown[];
  requestBody?: unknown;
}
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

/** As such bridges make them: name, description and the input as declared, without the schemas that it refers to. */
const toolsOf = ({ paths }: ApiDocument) =>
  Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId, summary, description, parameters = [], requestBody }) => ({
      name: operationId,
      description: description ?? summary,
      inputSchema: { parameters, requestBody },
    })),
  );
