import { describe, expect, it } from '@jest/globals';
import { Documented, loadDocumentation } from './documented.decorator.js';

@Documented(({ ApiExtension }) => ApiExtension('x-animal', true))
class Animal {
  @Documented(({ ApiProperty }) => ApiProperty({ type: String }))
  name!: string;

  @Documented(({ ApiOperation }) => ApiOperation({ summary: 'Say the name' }))
  say(): string {
    return this.name;
  }
}

const described = (): boolean[] => [
  Reflect.getMetadataKeys(Animal).length > 0,
  Reflect.hasMetadata('swagger/apiModelProperties', Animal.prototype, 'name'),
  Reflect.getMetadataKeys(Reflect.get(Animal.prototype, 'say')).includes('swagger/apiOperation'),
];

describe('Documented', () => {
  it('describes classes and members when the document is wanted, and not before', async () => {
    expect(described()).toEqual([false, false, false]);
    await loadDocumentation();
    expect(described()).toEqual([true, true, true]);
  });

  it('describes once, however often the document is wanted', async () => {
    let times = 0;
    Documented(({ ApiExtension }) => {
      times++;
      return ApiExtension('x-counted', true);
    })(Animal);
    await Promise.all([loadDocumentation(), loadDocumentation()]);
    await loadDocumentation();
    expect(times).toBe(1);
  });
});
