/**
 * Words of the normaliser that can be part of an input, an output or props although they were not sent; a test compares them with its sources.
 * Parts of them do not narrow a search.
 */
const words = [
  'Chunk Message The __proto__ agentmark anthropic application arg0 arg1 assistant attributes audio_url base64 binary_content blob',
  'body bytes cache_creation cache_read cache_write_token_count cached_content_token_count cached_token_count call_id candidateCount',
  'candidate_count chatbot choiceCount choices chunk_count claude_code client codex_otel combined_chunk_content constructor',
  'contentType contents conversation cost_usd dataset_expected_output dataset_input decision decision_source deeply details developer dimensions',
  'distance docs done dropped duration_ms embeddings encodingFormats encoding_formats end_ns entity error events execute_tool',
  'experiment failed false fileData fileId fileUri file_data file_path file_uri file_url files finishReason finish_reason',
  'frequencyPenalty frequency_penalty full_command function_call function_tool functions gcp gemini_cli gen_ai generation genkit',
  'glasshouse http human image_url inference inlineData input_audio input_documents input_file input_image input_messages',
  'input_token_count input_tokens interaction invocation_parameters invoke_agent ipython isError item keys kind kwargs langfuse level',
  'llm_request log map matches maxOutputTokens maxRetries maxSteps maxTokens max_completion_tokens max_output_tokens',
  'max_tokens_to_sample mcp_server mediaType media_type media_url memory message_content metadata mimeType mime_type modality',
  'model_call nested node null observation openai operation output_audio output_documents output_image output_messages output_object',
  'output_text output_token_count outputs pageContent page_content params parent_id parts pattern pdf png prefix presencePenalty',
  'presence_penalty promptEvent promptKey prompt_id prompt_template prompts props prototype providerExecuted query ranking',
  'reasoningText reasoning_effort reasoning_token_count records refusal reranker resource responseFormat responseMimeType',
  'response_format results retrieval role schema_url scope score search seed sessionKey settings signature skill_name span_id start_ns',
  'status_code status_message steps stopSequences stop_reason stop_sequences stream subagent_type system_instructions system_prompt',
  'telemetry temperature template_variables thinkingConfig thinking_config thoughts_token_count time_ns time_to_first_chunk timestamp toolCallId',
  'toolCalls toolChoice toolName tool_arguments tool_call_args tool_calls tool_choice tool_definitions tool_input tool_name',
  'tool_parameters tool_response tool_use_id tools topDocuments topK topP top_k top_p trace_id traceloop true ttft_ms turn typedParts',
  'usage user_prompt uuid values vectors vercel version vertex video_url warnings',
].join(' ');

export const normaliserText = Buffer.from(words);
