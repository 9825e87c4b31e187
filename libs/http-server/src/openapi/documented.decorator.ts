import { applyDecorators } from '@nestjs/common';

/** All that @nestjs/swagger exports. */
export type Swagger = typeof import('@nestjs/swagger');

type AnyDecorator = ClassDecorator & MethodDecorator & PropertyDecorator;
type Describe = (swagger: Swagger) => ClassDecorator | MethodDecorator | PropertyDecorator;

const waiting: ((swagger: Swagger) => void)[] = [];

/**
 * Decorators of @nestjs/swagger, put on when the document is made and not before. The package brings some 530
 * modules, which cost a third of the service's start and a tenth of its memory; few processes are ever asked
 * for the document.
 */
export function Documented(...decorators: readonly Describe[]): AnyDecorator {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    waiting.push((swagger) => {
      const given = decorators.map((describe) => describe(swagger));
      applyDecorators(...given)(target, key, descriptor);
    });
  };
}

/** Loads @nestjs/swagger and puts on every decorator that waits for it. */
export async function loadDocumentation(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const putOn of waiting.splice(0)) putOn(swagger);
  return swagger;
}
