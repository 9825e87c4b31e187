import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
type Entry<Name extends keyof Components> = NonNullable<Components[Name]>[string];

/** Types of the OpenAPI document that @nestjs/swagger does not export by name. */
export type ReferenceObject = Extract<Entry<'headers'>, { $ref: string }>;
export type HeaderObject = Exclude<Entry<'headers'>, ReferenceObject>;
export type SchemaObject = Exclude<Entry<'schemas'>, ReferenceObject>;
export type ExampleObject = Exclude<Entry<'examples'>, ReferenceObject>;
