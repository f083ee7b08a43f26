/** Works off a few rows at a time, so that nobody waits for long: `work` takes at most `limit` and returns how many it found. */
export async function inBatches(limit: number, work: (limit: number) => Promise<number>): Promise<number> {
  for (let all = 0; ; ) {
    const found = await work(limit)
    all += found
    if (found < limit) return all
  }
}
