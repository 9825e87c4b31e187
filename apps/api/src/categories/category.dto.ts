import type { CategoryName } from '@petstore/pet-domain';
import { Documented } from '@petstore/http-kernel';
import { BodyProperty } from '../operations/body-property.decorator.js';
import { FREE_TEXT_INPUT_SCHEMA, FREE_TEXT_RULE, FREE_TEXT_SCHEMA } from '../operations/free-text.schema.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';

const NAME = {
  ...FREE_TEXT_SCHEMA,
  description:
    '1 to 255 Unicode characters, not only white space, no control characters. No two categories have the same name, apart from case and white space.',
  example: 'Dogs',
};

@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'NewCategory', description: 'A category to be added, or the new name of one.' }),
)
export class NewCategoryDto {
  @BodyProperty('name', { ...NAME, ...FREE_TEXT_INPUT_SCHEMA }, FREE_TEXT_RULE)
  name!: string;

  /** What a valid body asks for. */
  static toName({ name }: NewCategoryDto): CategoryName {
    return name as CategoryName;
  }
}

@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'Category', description: 'A name for a `categoryId` of animals.' }),
)
export class CategoryDto {
  @Documented(({ ApiProperty }) =>
    ApiProperty({ ...INT64_SCHEMA, description: 'The `categoryId` of its animals.', example: 7 }),
  )
  id!: string;

  @Documented(({ ApiProperty }) => ApiProperty(NAME))
  name!: string;
}
