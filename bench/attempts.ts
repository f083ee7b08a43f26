/** Runs pieces of work in sequence. A failing one is added to `failed`, and the rest still run. */
export function createAttempts() {
  const failed: string[] = []
  const attempt = async (name: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
    }
  }
  return { failed, attempt }
}
