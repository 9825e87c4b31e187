import type { OnApplicationShutdown } from '@nestjs/common';

/**
 * The providers of an application that is being created. Nest hands out no application when one of its factories
 * fails, so that nothing else could close what the others have opened.
 */
export class CreatedProviders {
  private readonly providers: OnApplicationShutdown[] = [];
  private closed = false;

  /** Called by Nest with each provider as soon as it is there; with some of them after another one has failed. */
  readonly note = (provider: unknown): unknown => {
    if (!closesAtShutdown(provider)) return provider;
    if (this.closed) void close(provider);
    else this.providers.push(provider);
    return provider;
  };

  /** Closes all providers, the last one first, and every one that is still to come. Never rejects. */
  async close(): Promise<void> {
    this.closed = true;
    for (const provider of this.providers.reverse()) await close(provider);
  }
}

function closesAtShutdown(provider: unknown): provider is OnApplicationShutdown {
  return (
    typeof provider === 'object' &&
    provider !== null &&
    'onApplicationShutdown' in provider &&
    typeof provider.onApplicationShutdown === 'function'
  );
}

/** Why the application could not be created matters more than what went wrong while closing it. */
async function close(provider: OnApplicationShutdown): Promise<void> {
  try {
    await provider.onApplicationShutdown();
  } catch {
    // See above.
  }
}
