import { KeyId } from '@petstore/api-key';
import { text } from '@petstore/pet-domain';

/** The id of a key, as JSON has it. */
export const KEY_ID = text({
  description: 'the id of an API key',
  parse: (sent) => KeyId.parse(sent),
  schema: { maxLength: KeyId.LENGTH, pattern: KeyId.PATTERN, example: 'key_Wz6Oq1rXc8TqLd0A' },
});
