/** The metrics without labels that an management listener gives out, by name. */
export async function metricsOf(operations: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${operations}/metrics`, { signal: AbortSignal.timeout(5_000) });
  const lines = (await response.text()).split('\n');
  return new Map(
    lines
      .filter((line) => /^\w+ /.test(line))
      .map((line) => line.split(' ') as [string, string])
      .map(([name, value]) => [name, Number(value)]),
  );
}
