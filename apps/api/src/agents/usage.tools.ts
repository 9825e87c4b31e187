import type { UsageService } from '../usage/usage.service.js';
import { COUNT, listOf, objectOf, resultOf, TEXT } from './results.js';
import { defineTool, type Tool } from './tool.js';

/** What the key of a call may do, and has done. */
export const usageTools = (usage: UsageService): readonly Tool[] => [
  defineTool({
    name: 'my_usage',
    description:
      'Returns the plan, the scopes and the limits of this key, and its requests of the last 30 days. Each call of a tool is one request.',
    arguments: {},
    result: objectOf(
      {
        key_id: TEXT,
        name: TEXT,
        plan: TEXT,
        scopes: listOf(TEXT),
        limits: objectOf({ per_minute: COUNT, per_day: COUNT }),
        days: listOf(objectOf({ date: TEXT, requests: COUNT, refused: COUNT })),
      },
      { expires_at: TEXT },
    ),
    run: async (_given, caller) => resultOf(await usage.of(caller)),
  }),
];
