import { ANY_SECRET_KEY } from '@petstore/api-key';
import { HISTORY_DAYS } from '@petstore/persistence';
import { componentsOf } from '../operations/members.js';
import { defineOperations, ok, type ResourceOptions } from '../operations/operation.js';
import { USAGE, USAGE_FIELDS } from './usage.fields.js';

export const USAGE_DOCS: ResourceOptions = {
  tag: { name: 'Keys', description: 'The key that a request comes with.', guide: 'limits' },
  schemas: componentsOf(USAGE),
};

const EXAMPLE = Object.fromEntries(
  Object.entries(USAGE_FIELDS).map(([name, { schema }]) => [name, schema.example]),
);

export const USAGE_OPERATIONS = defineOperations({
  getUsage: {
    summary: 'See how the key is used',
    description: `Returns the plan, the scopes and the end of the key that the request comes with, and its requests of the last ${HISTORY_DAYS} days, at most five seconds behind. What is left of the limits at this moment stands in the header fields of the response.`,
    since: '1.0.0',
    scope: ANY_SECRET_KEY,
    isConditional: true,
    success: ok('The key and its use.', 'Usage', EXAMPLE),
  },
});
