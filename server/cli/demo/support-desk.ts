/** The support agent and the tools of Larkfield, a made-up online shop for household goods. */
import { policies } from './shop-policies.ts';
import type { Agent, ToolCall } from './story.ts';

const system = `You are the support agent of Larkfield, an online shop for household goods. Be friendly and brief, and answer in whole sentences.

Look things up before you promise anything: lookup_order for an order, read_policy for the rules of the shop. Never quote a rule from memory.
Refund only what the rules allow and only after the customer has agreed, with issue_refund. The amount must never be higher than what was paid.
If a customer wants to talk to a person, or if something cannot be done with your tools, arrange a call with book_callback.
Do not ask for card numbers, passwords or a date of birth. If a tool fails, say what you can do instead and never blame the customer.`;

const agent = (model: Agent['model'], version: string): Agent => ({
  name: 'support-desk',
  model,
  system,
  prompt: { name: 'support-reply', version },
  tools: ['lookup_order', 'read_policy', 'issue_refund', 'book_callback'],
});

export const sonnet = agent('claude-sonnet-4-5', '12');
export const mini = agent('gpt-5-mini', '12');
export const next = agent('claude-haiku-4-5', '13-beta');

export const order = (id: number, facts: Record<string, unknown>): ToolCall => ({
  tool: 'lookup_order',
  args: { order_id: id },
  result: { order_id: id, ...facts },
  ms: 210,
});
export const policy = (topic: keyof typeof policies): ToolCall => ({
  tool: 'read_policy',
  args: { topic },
  result: policies[topic],
  ms: 95,
});
export const refund = (id: number, amount: number, reason: string): ToolCall => ({
  tool: 'issue_refund',
  args: { order_id: id, amount, currency: 'USD', reason },
  result: { refund_id: `RF-${id + 59_130}`, order_id: id, amount, currency: 'USD', status: 'accepted' },
  ms: 840,
});
export const callback = (customer: string, topic: string, at: string): ToolCall => ({
  tool: 'book_callback',
  args: { customer, topic, at },
  result: { booked: true, at, agent: 'Ruth Calder' },
  ms: 320,
});
