import { environmentLines, headersOf, keyPlace, type Target } from '../../../model/setup/setup-lines.ts';
import { headersIn, install, jsExporter, nodePackages, openInferenceSteps, type SetupGuide } from './setup-guide.ts';

const openInference = (target: Target): SetupGuide => ({
  id: 'openinference',
  label: 'OpenInference',
  words: 'arize phoenix openai anthropic bedrock dspy haystack smolagents agno python',
  when: 'OpenAI, Anthropic, Bedrock, DSPy, Haystack, smolagents and some forty more, in Python. The example is OpenAI.',
  families: ['openinference'],
  steps: openInferenceSteps(target, { distribution: 'openai', module: 'openai', instrumentor: 'OpenAIInstrumentor' }),
});

function traceloopLines(target: Target): string {
  const pairs = Object.entries(headersOf(target) ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const line = pairs.length > 0 ? `\nexport TRACELOOP_HEADERS="${pairs.join(',')}"` : '';
  return `export TRACELOOP_BASE_URL=${target.origin}${line}`;
}

const traceloop = (target: Target): SetupGuide => ({
  id: 'traceloop',
  label: 'Traceloop',
  words: 'openllmetry python javascript',
  when: 'OpenLLMetry, in Python or JavaScript.',
  families: ['traceloop'],
  steps: [
    install('pip install traceloop-sdk\nnpm install @traceloop/node-server-sdk'),
    { title: 'Set before it starts', code: traceloopLines(target) },
    { title: 'In Python', code: 'from traceloop.sdk import Traceloop\n\nTraceloop.init(app_name="my-app", disable_batch=True)' },
    {
      title: 'In JavaScript',
      code: "import * as traceloop from '@traceloop/node-server-sdk';\n\ntraceloop.initialize({ appName: 'my-app', disableBatch: true });",
    },
  ],
});

const langfuse = (target: Target): SetupGuide => ({
  id: 'langfuse',
  label: 'Langfuse SDK',
  words: 'javascript typescript observe',
  when: 'Version 4 or later in JavaScript: it is based on OpenTelemetry, so its spans can be sent here directly.',
  families: ['langfuse'],
  steps: [
    install(`npm install @langfuse/otel ${nodePackages}`),
    {
      title: 'Replace its own exporter',
      code: `import { NodeSDK } from '@opentelemetry/sdk-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { LangfuseSpanProcessor } from '@langfuse/otel';

const exporter = ${jsExporter(target)};
new NodeSDK({ spanProcessors: [new LangfuseSpanProcessor({ exporter })] }).start();`,
    },
  ],
});

const laminar = (target: Target): SetupGuide => {
  const { protocol, hostname, port } = new URL(target.origin);
  const httpPort = port || (protocol === 'https:' ? '443' : '80');
  return {
    id: 'laminar',
    label: 'Laminar',
    words: 'lmnr javascript observe',
    when: 'The Laminar SDK in JavaScript, over HTTP.',
    families: ['laminar'],
    steps: [
      install('npm install @lmnr-ai/lmnr'),
      {
        title: 'Run before the library is used',
        code: `import { Laminar } from '@lmnr-ai/lmnr';

Laminar.initialize({
  projectApiKey: '${target.key ?? (target.appId === null ? 'any' : keyPlace)}',
  baseUrl: '${protocol}//${hostname}',
  httpPort: ${httpPort},
  forceHttp: true,
});`,
      },
      ...(headersOf(target) ? [{ title: 'Set before it starts', code: environmentLines(target) }] : []),
    ],
  };
};

const openLit = (target: Target): SetupGuide => ({
  id: 'openlit',
  label: 'OpenLIT',
  words: 'python',
  when: 'OpenLIT, in Python. It instruments the libraries that it finds.',
  families: ['openlit'],
  steps: [
    install('pip install openlit'),
    { title: 'Set before it starts', code: environmentLines(target) },
    { title: 'Run before the libraries are used', code: 'import openlit\n\nopenlit.init(application_name="my-app")' },
  ],
});

const liteLlm = (target: Target): SetupGuide => ({
  id: 'litellm',
  label: 'LiteLLM',
  words: 'proxy gateway python',
  when: 'The LiteLLM library or proxy, with its OpenTelemetry callback.',
  families: ['litellm'],
  steps: [
    install('pip install litellm opentelemetry-api opentelemetry-sdk opentelemetry-exporter-otlp'),
    { title: 'Set before it starts', code: `${environmentLines(target)}\nexport USE_OTEL_LITELLM_REQUEST_SPAN=true` },
    { title: 'In a program', code: 'import litellm\n\nlitellm.callbacks = ["otel"]' },
    { title: 'In config.yaml of the proxy', code: 'litellm_settings:\n  callbacks: ["otel"]' },
  ],
});

const logfire = (target: Target): SetupGuide => ({
  id: 'logfire',
  label: 'Logfire',
  words: 'pydantic python openai anthropic',
  when: 'The Logfire SDK in Python, without its cloud. The example records calls of OpenAI.',
  families: ['logfire'],
  steps: [
    install('pip install logfire'),
    { title: 'Set before it starts', code: environmentLines(target) },
    {
      title: 'Run before the libraries are used',
      code: 'import logfire\n\nlogfire.configure(service_name="my-app", send_to_logfire=False)\nlogfire.instrument_openai()',
    },
  ],
});

function mlflowLines(target: Target): string {
  const pairs = Object.entries(headersOf(target) ?? {}).map(([name, value]) => `${name}=${value}`);
  const line = pairs.length > 0 ? `\nexport OTEL_EXPORTER_OTLP_TRACES_HEADERS="${pairs.join(',')}"` : '';
  return `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${target.origin}/v1/traces
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf${line}`;
}

const mlflow = (target: Target): SetupGuide => ({
  id: 'mlflow',
  label: 'MLflow Tracing',
  words: 'databricks python autolog',
  when: 'MLflow 3 in Python. With these settings it sends its traces here instead of to a tracking server.',
  families: ['mlflow'],
  steps: [
    install('pip install mlflow opentelemetry-exporter-otlp'),
    { title: 'Set before it starts', code: mlflowLines(target) },
    { title: 'Run before the library is used, here OpenAI', code: 'import mlflow\n\nmlflow.openai.autolog()' },
  ],
});

const braintrust = (target: Target): SetupGuide => ({
  id: 'braintrust',
  label: 'Braintrust',
  words: 'python span processor',
  when: 'Spans with the attributes of Braintrust, in Python, through its span processor.',
  families: ['braintrust'],
  steps: [
    install("pip install 'braintrust[otel]'"),
    {
      title: 'Run before the first span',
      code: `from braintrust.otel import BraintrustSpanProcessor
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

provider = TracerProvider()
trace.set_tracer_provider(provider)
provider.add_span_processor(BraintrustSpanProcessor(
    api_key="${target.key ?? (target.appId === null ? 'any' : keyPlace)}", parent="project_name:my-app", api_url="${target.origin}"${headersIn(target, ', headers=')}
))`,
    },
  ],
});

const sentry = (target: Target): SetupGuide => ({
  id: 'sentry',
  label: 'Sentry',
  words: 'javascript node',
  when: 'The Sentry SDK for Node, version 9 or 10: its spans are sent here too.',
  families: ['sentry'],
  steps: [
    install('npm install @sentry/node @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-proto'),
    {
      title: 'Add to Sentry.init',
      code: `import * as Sentry from '@sentry/node';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';

Sentry.init({
  tracesSampleRate: 1,
  sendDefaultPii: true,
  openTelemetrySpanProcessors: [new BatchSpanProcessor(${jsExporter(target)})],
});`,
    },
  ],
});

const agentMark = (target: Target): SetupGuide => ({
  id: 'agentmark',
  label: 'AgentMark SDK',
  words: 'prompts experiments javascript',
  when: 'Spans, scores and experiments of the AgentMark SDK.',
  families: ['agentmark'],
  steps: [
    install('npm install @agentmark-ai/sdk'),
    {
      title: 'Run before the first span',
      code: `import { AgentMarkSDK } from '@agentmark-ai/sdk';

const sdk = new AgentMarkSDK({
  apiKey: '${target.key ?? (target.appId === null ? 'any' : keyPlace)}',
  appId: '${target.appId ?? 'local'}',
  baseUrl: '${target.origin}',
});
sdk.initTracing();`,
    },
  ],
});

export const sdkGuides = (target: Target): SetupGuide[] => [
  ...[agentMark(target), braintrust(target), laminar(target), langfuse(target), liteLlm(target), logfire(target), mlflow(target)],
  ...[openInference(target), openLit(target), sentry(target), traceloop(target)],
];
