import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/internal';

/**
 * An interceptor that only decides whether a request goes on: it neither sees nor changes the answer.
 * `intercept` does the same for a Nest that does not know of gates.
 */
export interface Gate extends NestInterceptor {
  /** Rejects, or throws, for a request that goes no further. */
  admit(context: ExecutionContext): Promise<void> | undefined;
}

type Intercept = InterceptorsConsumer['intercept'];

/**
 * Lets Nest ask gates directly. An ordinary interceptor stands between two observables, for which Nest makes
 * some twenty objects and six promises a request; to await one promise before the handler runs takes none of
 * them. Interceptors that are no gates work as ever, and so does a handler that has one of them.
 */
export function askGatesDirectly(): void {
  const { prototype } = InterceptorsConsumer;
  const { intercept } = prototype;
  if (intercept.name === directly.name) return;
  prototype.intercept = directly;

  async function directly(
    this: InterceptorsConsumer,
    ...all: Parameters<Intercept>
  ): Promise<Awaited<ReturnType<Intercept>>> {
    const [interceptors, args, instance, callback, next, type] = all;
    if (!interceptors.every(isGate)) return intercept.apply(this, all);
    const context = this.createContext(args, instance, callback);
    context.setType(type ?? 'http');
    for (const gate of interceptors) {
      const admitted = gate.admit(context);
      if (admitted !== undefined) await admitted;
    }
    return next();
  }
}

function isGate(interceptor: NestInterceptor): interceptor is Gate {
  return 'admit' in interceptor;
}
