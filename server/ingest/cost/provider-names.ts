/**
 * Instrumentations name providers in dozens of ways (`gen_ai.system`, `gen_ai.provider.name`, `llm.provider`, `ls_provider`, the
 * first part of a LiteLLM model). Maps these names to the providers of the price list.
 */

/** Inference on the user's machine: tokens are not billed. */
export const LOCAL = 'local';

const spellings: Record<string, string> = {
  anthropic: 'claude claude-code claude-agent-sdk',
  aws: 'amazon amazon-bedrock aws-bedrock bedrock bedrock-converse bedrock-mantle',
  azure: 'az azure-ai azure-openai azureopenai microsoft-foundry azure-foundry azure-cognitive-services',
  cloudflare: 'workers-ai cloudflare-workers-ai workersai',
  cohere: 'cohere-chat cohereai',
  deepseek: 'deepseek-ai',
  fireworks: 'fireworks-ai fireworksai',
  'github-copilot': 'copilot',
  google:
    'gcp gemini google-ai google-gemini google-genai google-gla google-vertex google-vertexai googleai googlegenai vertex vertex-ai vertex-ai-beta vertexai',
  minimax: 'minimax-ai',
  mistral: 'mistral-ai mistralai codestral',
  moonshotai: 'kimi moonshot moonshot-ai',
  openai: 'openai-chat openai-responses openai-compatible text-completion-openai',
  openrouter: 'open-router',
  perplexity: 'perplexity-ai pplx',
  together: 'together-ai togetherai',
  voyageai: 'voyage voyage-ai',
  'x-ai': 'grok xai',
  zai: 'z-ai zhipu-zai',
  zhipuai: 'bigmodel zhipu zhipu-ai',
  [LOCAL]:
    'docker-model-runner gpt4all hosted-vllm jan koboldcpp llama-cpp llama.cpp llamacpp llamafile lm-studio lmstudio localai mlx mlx-lm ollama ollama-chat sglang vllm',
};

/**
 * Vendors of their own models, which set the prices; all other providers are resellers. The order decides between two vendors that
 * list the same name (zai bills in dollars, zhipuai in yuan).
 */
export const modelVendors: readonly string[] = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'x-ai',
  'cohere',
  'moonshotai',
  'minimax',
  'zai',
  'zhipuai',
  'perplexity',
  'voyageai',
];

const normalised = (label: string) =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');

/** @returns a function from a label to a provider of the price list, to `LOCAL`, or to null for an unknown name */
export function createProviderNames(providers: Iterable<string>): (label: string) => string | null {
  const providerOf = new Map<string, string>();
  for (const [provider, labels] of Object.entries(spellings)) {
    for (const label of labels.split(' ')) providerOf.set(label, provider);
  }
  for (const provider of [...Object.keys(spellings), ...providers]) providerOf.set(normalised(provider), provider);
  return (label) => {
    const whole = normalised(label);
    // `azure.ai.openai`, `gcp.vertex_ai`, `aws.bedrock`, `openai.chat`: the provider comes first.
    return providerOf.get(whole) ?? providerOf.get(whole.split('.', 1)[0] ?? '') ?? null;
  };
}
