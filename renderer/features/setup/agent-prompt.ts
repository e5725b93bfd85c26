import { environmentLines, type Target } from '../../model/setup/setup-lines.ts';

const linesOf = (target: Target) => environmentLines(target).replace(/^export /gm, '   ');

const localCheck = (origin: string) => `4. Run the program once, then check:
   curl -s '${origin}/v1/traces?limit=1'               the newest trace
   curl -s '${origin}/v1/viewer/ingest-log?limit=5'    every request that reached the port, rejected ones with the reason
   If the list stays empty, read the ingest log and fix what it reports.`;

/** Check against a cloud, where the key of a program can send but not read. */
const cloudCheck = `4. Run the program once with the exporter's own log on. An export that is answered with 200 has arrived and is
   visible in my dashboard. 401 means that the key or the app id is wrong, 403 that the key may not write traces, 429 that a limit of the
   plan is reached.`;

/** Prompt for a coding agent that sets up a program and verifies that its spans arrive. */
export const agentPrompt = (
  target: Target,
): string => `Set up tracing of this project so that its traces arrive in Glasshouse, which runs ${target.appId === null ? 'on this machine ' : ''}at ${target.origin}.

1. Find out which LLM and agent libraries the project uses, and whether it exports OpenTelemetry already.
   If it does, change only the endpoint. If not, add the instrumentation made for its library
   (Vercel AI SDK: experimental_telemetry or registerTelemetry; OpenInference or OpenLLMetry for OpenAI,
   LangChain, LlamaIndex and others; the SDK's own exporter where it has one).
2. Export with OTLP over HTTP, protobuf or JSON, not gRPC:
${linesOf(target)}
   Traces go to ${target.origin}/v1/traces. ${target.appId === null ? 'No key and no login are needed.' : 'Keep the key out of the code and of version control.'} Read ${target.appId === null ? 'the address' : 'both'} from the environment,
   so that production is not changed.
3. Record inputs and outputs, give the program a service name, and set session.id where there is a conversation.
   Flush pending spans before the program ends.
${target.appId === null ? localCheck(target.origin) : cloudCheck}
5. Tell me in two lines what you changed, and the name of the trace that arrived.
`;
