import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Running, startProduct } from './running.ts'

/**
 * Processes of one install, by their role; they end with the test. The first creates the schema, the others wait for
 * it.
 */
export async function startProcesses(
  [first, ...others]: string[],
  variables: Record<string, string>,
): Promise<Running[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-crew-'))
  await chmod(folder, 0o755)
  const processes: Running[] = []
  after(async () => {
    for (const { product } of processes) await product.end('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const run = async (role: string) => {
    const one = await startProduct(folder, { ...variables, PROCESS_ROLE: role })
    processes.push(one)
    return one
  }
  return [await run(first!), ...(await Promise.all(others.map(run)))]
}
