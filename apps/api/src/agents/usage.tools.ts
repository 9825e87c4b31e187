import { objectOf } from '@petstore/pet-domain';
import { HISTORY_DAYS } from '@petstore/persistence';
import { USAGE } from '../keys/usage.fields.js';
import type { UsageService } from '../keys/usage.service.js';
import { resultOf } from './results.js';
import { defineTool, type Tool } from './tool.js';

/** What the key of a call may do, and has done. */
export const usageTools = (usage: UsageService): readonly Tool[] => [
  defineTool({
    name: 'my_usage',
    description: `Returns the plan, the scopes and the limits of this key, and its requests of the last ${HISTORY_DAYS} days. Each call of a tool is one request.`,
    arguments: objectOf({}),
    result: USAGE,
    run: async (_given, caller) => resultOf(await usage.of(caller)),
  }),
];
