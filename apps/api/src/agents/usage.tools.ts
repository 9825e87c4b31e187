import { objectOf, optional } from '@petstore/pet-domain';
import type { UsageService } from '../keys/usage.service.js';
import { COUNT, resultOf, resultWith, someOf, TEXT } from './results.js';
import { defineTool, type Tool } from './tool.js';

/** What the key of a call may do, and has done. */
export const usageTools = (usage: UsageService): readonly Tool[] => [
  defineTool({
    name: 'my_usage',
    description:
      'Returns the plan, the scopes and the limits of this key, and its requests of the last 30 days. Each call of a tool is one request.',
    arguments: objectOf({}),
    result: resultWith({
      key_id: TEXT,
      name: TEXT,
      plan: TEXT,
      scopes: someOf(TEXT, 100),
      limits: resultWith({ per_minute: COUNT, per_day: COUNT }),
      days: someOf(resultWith({ date: TEXT, requests: COUNT, refused: COUNT }), 30),
      expires_at: optional(TEXT),
    }),
    run: async (_given, caller) => resultOf(await usage.of(caller)),
  }),
];
