/** Runs one piece of work after the other. One that throws is added to `failed`, and those after it still run. */
export function attempts() {
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
