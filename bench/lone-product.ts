import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runProduct } from '../test/support/process.ts'
import { removeFolder } from '../test/support/scratch.ts'

/** A process started only to be measured. */
export type Lone = { pid: number; firstAnswerMs: number; end(): Promise<unknown> }

/** A folder with data of an earlier start, and with the server packed as after any first start. */
export async function aFolderWithData() {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-start-'))
  await chmod(folder, 0o755)
  execFileSync(process.execPath, [fileURLToPath(new URL('../server/pack.ts', import.meta.url))])
  // twice: compiled code is saved when a process ends
  for (let turn = 0; turn < 2; turn++) await (await startProduct(folder)).end()
  return { folder, remove: () => removeFolder(folder) }
}

/** Starts the product with its own PostgreSQL and waits until it is ready. */
export async function startProduct(folder: string): Promise<Lone> {
  const port = await freePort()
  const startedAt = performance.now()
  const { child, end } = runProduct({ DATA_DIR: folder, PORT: `${port}`, LOG_LEVEL: 'error' })
  return { pid: child.pid!, firstAnswerMs: await untilReady(port, startedAt), end: () => end('SIGTERM') }
}

/** The floor: node:http alone, answering everything. */
export async function startBare(): Promise<Lone> {
  const port = await freePort()
  const server = `require('node:http').createServer((_, response) => response.end()).listen(${port}, '127.0.0.1')`
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['-e', server], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const end = () => {
    child.kill()
    return ended
  }
  return { pid: child.pid!, firstAnswerMs: await untilReady(port, startedAt), end }
}

const PATIENCE_MS = 60_000

async function untilReady(port: number, startedAt: number) {
  while ((await statusOf(port)) !== 200) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error('it did not become ready')
    await sleep(1)
  }
  return performance.now() - startedAt
}

const statusOf = (port: number) =>
  new Promise<number | undefined>((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode))
    })
    request.once('error', () => resolve(undefined))
  })

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
