/**
 * What `work` resolves or rejects with; when it takes too long it goes on, and its result is ignored.
 *
 * @throws Error (as a rejection) that Redis did not respond, after `timeoutMs` milliseconds
 */
export async function withTimeout<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Redis did not respond within ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
