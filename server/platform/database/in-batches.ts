/**
 * Processes rows in small batches, so that others never wait long: `work` handles at most `limit` and returns how many
 * it found.
 */
export async function inBatches(limit: number, work: (limit: number) => Promise<number>): Promise<number> {
  for (let all = 0; ; ) {
    const found = await work(limit)
    all += found
    if (found < limit) return all
  }
}
