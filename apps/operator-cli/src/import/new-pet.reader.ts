import { JsonNumber } from '@petstore/http-server/json';
import { CategoryId, type NewPet, PetName, PetStatus } from '@petstore/pet-domain';
import { VisibleText } from '@petstore/api-key';
import type { Flaw } from './stock-record.js';

/** How a member becomes a value, as `POST /v1/pets` takes it (docs/contract.md, "Animals"). */
interface Rule {
  readonly parse: (json: unknown) => string | undefined;
  readonly expected: string;
  /** Taken where it is missing. */
  readonly default?: string;
}

/** The members of an animal that are given; others are ignored, as in a body. */
const RULES: Readonly<Record<keyof NewPet, Rule>> = {
  name: {
    parse: (json) => (typeof json === 'string' ? PetName.parse(json) : undefined),
    expected: PetName.EXPECTED,
  },
  categoryId: {
    parse: (json) => (json instanceof JsonNumber ? CategoryId.parse(json.toDigits() ?? '') : undefined),
    expected: CategoryId.EXPECTED,
  },
  status: {
    parse: (json) => (typeof json === 'string' ? PetStatus.parse(json) : undefined),
    expected: PetStatus.EXPECTED,
    default: PetStatus.DEFAULT,
  },
};

/** Names of the members, in the order of an animal's JSON. */
export const MEMBERS = Object.keys(RULES) as (keyof NewPet)[];

/** Members that must be there. */
export const REQUIRED = MEMBERS.filter((name) => RULES[name].default === undefined);

/** The animal that a record asks for, or everything that is wrong with it. */
export function readNewPet(members: Readonly<Record<string, unknown>>): NewPet | readonly Flaw[] {
  const values: Partial<Record<keyof NewPet, string>> = {};
  const flaws: Flaw[] = [];
  for (const field of MEMBERS) {
    const { parse, expected, default: missing } = RULES[field];
    const json = members[field];
    const value = json === undefined ? missing : parse(json);
    if (value === undefined) flaws.push({ field, reason: `must be ${expected}${found(json)}` });
    else values[field] = value;
  }
  return flaws.length > 0 ? flaws : (values as unknown as NewPet);
}

/** Characters of a wrong value that are shown. */
const SHOWN = 40;

function found(json: unknown): string {
  if (json === undefined) return '; it is missing';
  if (json instanceof JsonNumber) return `; it is ${shortened(json.source)}`;
  if (typeof json === 'string') return `; it is ${VisibleText.escapeJson(JSON.stringify(shortened(json)))}`;
  return json === null || typeof json === 'boolean' ? `; it is ${json}` : '';
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}
