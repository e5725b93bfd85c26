/** Instrumentations that the gateway recognises: the badge of a span, and the guides of the setup page. */
export const spanFamilies = [
  ...(['adk', 'agentmark', 'aisdk', 'braintrust', 'claude-code', 'codex', 'crewai', 'genai', 'genkit', 'laminar'] as const),
  ...(['langfuse', 'langsmith', 'litellm', 'livekit', 'llamaindex', 'logfire', 'mastra', 'mcp', 'microsoft', 'mlflow'] as const),
  ...(['openinference', 'openlit', 'pydantic', 'sentry', 'strands', 'traceloop'] as const),
] as const;

export type SpanFamily = (typeof spanFamilies)[number];
