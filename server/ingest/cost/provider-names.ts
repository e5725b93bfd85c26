/**
 * Instrumentations name providers in dozens of ways (`gen_ai.system`, `gen_ai.provider.name`, `llm.provider`, `ls_provider`, the
 * first part of a LiteLLM model). This says which list of prices a name stands for.
 */

/** Inference on the user's own machine: nobody bills tokens. */
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
 * Whoever made a model sets its price; everybody else sells it on. The order decides between two makers that
 * list one name (zai bills in dollars, zhipuai in yuan).
 */
export const makers: readonly string[] = [
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

const plain = (label: string) =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');

/** Gives a function from a label to a provider of the price list, to `LOCAL`, or to null for a name that says nothing about prices. */
export function createProviderNames(providers: Iterable<string>): (label: string) => string | null {
  const known = new Map<string, string>();
  for (const [provider, labels] of Object.entries(spellings)) {
    for (const label of labels.split(' ')) known.set(label, provider);
  }
  for (const provider of [...Object.keys(spellings), ...providers]) known.set(plain(provider), provider);
  return (label) => {
    const whole = plain(label);
    // `azure.ai.openai`, `gcp.vertex_ai`, `aws.bedrock`, `openai.chat`: the seller comes first.
    return known.get(whole) ?? known.get(whole.split('.', 1)[0] ?? '') ?? null;
  };
}
