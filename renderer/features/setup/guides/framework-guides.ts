import { environmentLines, type Target } from '../../../model/setup/setup-lines.ts';
import {
  globalPythonProvider,
  headersIn,
  install,
  jsExporter,
  nodePackages,
  nodeSdk,
  openInferenceSteps,
  pythonPackages,
  type SetupGuide,
} from './setup-guide.ts';

const aiSdk = (target: Target): SetupGuide => ({
  id: 'ai-sdk',
  label: 'Vercel AI SDK',
  words: 'next.js generateText streamText javascript typescript',
  when: 'Calls with generateText, streamText and the like. With Next.js, put the first part into instrumentation.ts.',
  families: ['aisdk'],
  steps: [
    install(`npm install ${nodePackages} @ai-sdk/otel`),
    {
      title: 'AI SDK 7',
      code: nodeSdk(
        target,
        "import { registerTelemetry } from 'ai';\nimport { OpenTelemetry } from '@ai-sdk/otel';\n",
        'registerTelemetry(new OpenTelemetry());\n',
      ),
    },
    {
      title: 'AI SDK 4 to 6: the same without registerTelemetry, and on each call',
      code: `const result = await generateText({
  model,
  prompt,
  experimental_telemetry: { isEnabled: true, functionId: 'answer' },
});`,
    },
  ],
});

const mastra = (target: Target): SetupGuide => ({
  id: 'mastra',
  label: 'Mastra',
  words: 'javascript typescript agents workflows',
  when: 'Agents and workflows of Mastra 1, with its own OpenTelemetry exporter.',
  families: ['mastra'],
  steps: [
    install('npm install @mastra/observability @mastra/otel-exporter @opentelemetry/exporter-trace-otlp-proto'),
    {
      title: 'Add to the Mastra instance',
      code: `import { Mastra } from '@mastra/core';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';

const exporter = new OtelExporter({
  provider: {
    custom: { endpoint: '${target.origin}/v1/traces', protocol: 'http/protobuf'${headersIn(target, ', headers: ')} },
  },
});
export const mastra = new Mastra({
  observability: new Observability({ configs: { default: { serviceName: 'my-app', exporters: [exporter] } } }),
});`,
    },
  ],
});

const langGraph = (target: Target): SetupGuide => ({
  id: 'langgraph',
  label: 'LangGraph, LangChain',
  words: 'langsmith traceable python javascript graph chain',
  when: 'Python with the OpenTelemetry mode of the LangSmith SDK, which needs no LangSmith account; JavaScript with OpenInference.',
  families: ['langsmith', 'openinference'],
  steps: [
    { title: 'Python: install', code: 'pip install "langsmith[otel]"' },
    {
      title: 'Python: set before it starts; the code does not change',
      code: `export LANGSMITH_TRACING=true
export LANGSMITH_OTEL_ENABLED=true
export LANGSMITH_OTEL_ONLY=true
${environmentLines(target)}`,
    },
    { title: 'JavaScript: install', code: `npm install ${nodePackages} @arizeai/openinference-instrumentation-langchain` },
    {
      title: 'JavaScript: create tracing.mjs, and start with node --import ./tracing.mjs app.js',
      code: nodeSdk(
        target,
        "import * as callbacks from '@langchain/core/callbacks/manager';\nimport { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';\n",
        'new LangChainInstrumentation().manuallyInstrument(callbacks);\n',
      ),
    },
  ],
});

const openAiAgents = (target: Target): SetupGuide => ({
  id: 'openai-agents',
  label: 'OpenAI Agents SDK',
  words: 'python handoff openinference',
  when: 'Agents, tools and hand-offs of the OpenAI Agents SDK, in Python.',
  families: ['openinference'],
  steps: openInferenceSteps(target, { distribution: 'openai-agents', module: 'openai_agents', instrumentor: 'OpenAIAgentsInstrumentor' }),
});

const claudeAgent = (target: Target): SetupGuide => ({
  id: 'claude-agent-sdk',
  label: 'Claude Agent SDK',
  words: 'anthropic python typescript claude code',
  when: 'The SDK runs Claude Code, which exports by itself. Its code does not change, in Python or TypeScript.',
  families: ['claude-code'],
  steps: [
    {
      title: 'Set before it starts',
      code: `export CLAUDE_CODE_ENABLE_TELEMETRY=1
export CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1
export OTEL_TRACES_EXPORTER=otlp
export OTEL_LOGS_EXPORTER=otlp
${environmentLines(target)}
export OTEL_LOG_USER_PROMPTS=1
export OTEL_LOG_ASSISTANT_RESPONSES=1
export OTEL_LOG_TOOL_DETAILS=1
export OTEL_LOG_TOOL_CONTENT=1`,
    },
  ],
});

const googleAdk = (target: Target): SetupGuide => ({
  id: 'google-adk',
  label: 'Google ADK',
  words: 'agent development kit gemini vertex python javascript',
  when: 'ADK makes spans of agents, model calls and tools by itself; it needs only an exporter.',
  families: ['adk'],
  steps: [
    { title: 'Python: install', code: `pip install google-adk ${pythonPackages}` },
    { title: 'Python: run before an agent is created', code: globalPythonProvider(target) },
    { title: 'JavaScript: install', code: `npm install @google/adk ${nodePackages}` },
    { title: 'JavaScript: create tracing.mjs, and start with node --import ./tracing.mjs app.js', code: nodeSdk(target) },
  ],
});

const pydanticAi = (target: Target): SetupGuide => ({
  id: 'pydantic-ai',
  label: 'Pydantic AI',
  words: 'python pydanticai instrument',
  when: 'Agents of Pydantic AI, in Python. Nothing is sent to Logfire.',
  families: ['pydantic'],
  steps: [
    install(`pip install pydantic-ai ${pythonPackages}`),
    {
      title: 'Run before an agent is used',
      code: `from pydantic_ai import Agent
${globalPythonProvider(target)}
Agent.instrument_all()`,
    },
  ],
});

const genkit = (target: Target): SetupGuide => ({
  id: 'genkit',
  label: 'Genkit',
  words: 'firebase google javascript flows',
  when: 'Flows of Genkit, in JavaScript. Genkit uses OpenTelemetry 1, hence the versions.',
  families: ['genkit'],
  steps: [
    install('npm install genkit @opentelemetry/sdk-trace-node@1.25 @opentelemetry/exporter-trace-otlp-http@0.52'),
    {
      title: 'Run before the first flow',
      code: `import { enableTelemetry } from 'genkit/tracing';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

await enableTelemetry({ spanProcessors: [new BatchSpanProcessor(${jsExporter(target)})] });`,
    },
  ],
});

const llamaIndex = (target: Target): SetupGuide => ({
  id: 'llamaindex',
  label: 'LlamaIndex',
  words: 'rag retrieval python javascript',
  when: 'Python with OpenInference; JavaScript with the instrumentation of OpenLLMetry.',
  families: ['llamaindex', 'traceloop', 'openinference'],
  steps: [
    ...openInferenceSteps(target, { distribution: 'llama-index', module: 'llama_index', instrumentor: 'LlamaIndexInstrumentor' }).map(
      (step) => ({
        ...step,
        title: `Python: ${step.title.toLowerCase()}`,
      }),
    ),
    { title: 'JavaScript: install', code: `npm install ${nodePackages} @traceloop/instrumentation-llamaindex` },
    {
      title: 'JavaScript: create tracing.mjs, and start with node --import ./tracing.mjs app.js',
      code: nodeSdk(
        target,
        "import * as llamaindex from 'llamaindex';\nimport { LlamaIndexInstrumentation } from '@traceloop/instrumentation-llamaindex';\n\nconst instrumentation = new LlamaIndexInstrumentation();\ninstrumentation.manuallyInstrument(llamaindex);",
        '',
        '  instrumentations: [instrumentation],\n',
      ),
    },
  ],
});

const crewAi = (target: Target): SetupGuide => ({
  id: 'crewai',
  label: 'CrewAI',
  words: 'python crew agents tasks openinference',
  when: 'Crews, tasks and tools of CrewAI, in Python. For the model calls, also add the instrumentor of the model library.',
  families: ['crewai', 'openinference'],
  steps: openInferenceSteps(target, { distribution: 'crewai', module: 'crewai', instrumentor: 'CrewAIInstrumentor' }),
});

const strands = (target: Target): SetupGuide => ({
  id: 'strands',
  label: 'Strands Agents',
  words: 'aws bedrock python',
  when: 'Agents of Strands, in Python, which make spans by themselves.',
  families: ['strands'],
  steps: [
    install("pip install 'strands-agents[otel]'"),
    { title: 'Set before it starts', code: environmentLines(target) },
    {
      title: 'Run before an agent is created',
      code: 'from strands.telemetry import StrandsTelemetry\n\nStrandsTelemetry().setup_otlp_exporter()',
    },
  ],
});

const microsoft = (target: Target): SetupGuide => ({
  id: 'microsoft',
  label: 'Semantic Kernel, AutoGen',
  words: 'microsoft agent framework python azure',
  when: 'They use the global tracer provider of OpenTelemetry, in Python. The two settings are those of Semantic Kernel; AutoGen needs none.',
  families: ['microsoft'],
  steps: [
    install(`pip install ${pythonPackages}`),
    {
      title: 'Set before it starts (Semantic Kernel)',
      code: `export SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS=true
export SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true`,
    },
    { title: 'Run before the first agent', code: globalPythonProvider(target) },
  ],
});

const liveKit = (target: Target): SetupGuide => ({
  id: 'livekit',
  label: 'LiveKit Agents',
  words: 'voice python speech realtime',
  when: 'Voice agents of LiveKit, in Python.',
  families: ['livekit'],
  steps: [
    install(`pip install livekit-agents ${pythonPackages}`),
    {
      title: 'Run before the session starts',
      code: `from livekit.agents.telemetry import set_tracer_provider
${globalPythonProvider(target).replace('from opentelemetry import trace\n', '').replace('trace.set_tracer_provider', 'set_tracer_provider')}`,
    },
  ],
});

export const frameworkGuides = (target: Target): SetupGuide[] => [
  ...[aiSdk(target), claudeAgent(target), crewAi(target), genkit(target), googleAdk(target), langGraph(target), liveKit(target)],
  ...[llamaIndex(target), mastra(target), openAiAgents(target), pydanticAi(target), microsoft(target), strands(target)],
];
