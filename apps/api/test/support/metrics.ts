/** The metrics that a management listener gives out, by name and labels. */
export async function metricsOf(management: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${management}/metrics`, { signal: AbortSignal.timeout(5_000) });
  const samples = (await response.text()).matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm);
  return new Map([...samples].map(([, name = '', value]) => [name, Number(value)]));
}
