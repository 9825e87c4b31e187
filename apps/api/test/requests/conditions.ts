/** Values of both fields; TAG is the current tag. Whether they name it strongly, weakly, or are no list of tags. */
const VALUES: readonly (readonly [
  value: string | string[],
  names: 'strongly' | 'weakly' | 'not' | 'malformed',
])[] = [
  ['*', 'strongly'],
  ['TAG', 'strongly'],
  ['"other", TAG', 'strongly'],
  [['"other"', 'TAG'], 'strongly'],
  [' , W/"other" ,, TAG,', 'strongly'],
  [`${'"x",'.repeat(63)}TAG`, 'strongly'],
  ['W/TAG', 'weakly'],
  ['"other",W/TAG', 'weakly'],
  ['"other"', 'not'],
  ['""', 'not'],
  ['W/"other", "*"', 'not'],
  ...['x', '', '"x', '*, TAG', 'w/TAG', 'TAG TAG', `${'"x",'.repeat(64)}TAG`].map(
    (value) => [value, 'malformed'] as const,
  ),
];
export const CASES = (['If-Match', 'If-None-Match'] as const).flatMap((field) =>
  VALUES.map(([value, names]) => ({ field, value, names })),
);
export type Condition = (typeof CASES)[number];
/** One of each kind. */
export const KINDS = CASES.filter(
  ({ field, names }, index) => index === CASES.findIndex((one) => one.field === field && one.names === names),
);

/** The error that a condition leads to (RFC 9110, section 13.1); `undefined` for none. */
export function errorFor({ field, names }: Condition, isRead: boolean): string | undefined {
  if (names === 'malformed') return field === 'If-Match' || !isRead ? 'invalid_parameter' : undefined;
  const isFalse = field === 'If-Match' ? names !== 'strongly' : names !== 'not' && !isRead;
  return isFalse ? 'precondition_failed' : undefined;
}

/** The field with the current tag in it. */
export function fieldsOf({ field, value }: Condition, tag: string): Record<string, string | string[]> {
  const withTag = (text: string): string => text.replaceAll('TAG', tag);
  return { [field]: typeof value === 'string' ? withTag(value) : value.map(withTag) };
}

export const label = (one: Condition): string =>
  `${one.field}: ${String(one.value).slice(0, 40)} (${one.names})`;
