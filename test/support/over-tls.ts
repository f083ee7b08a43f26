import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { request } from 'node:https'

/** The host name in the samples of `deploy/`. */
export const NAME = 'partners.example.com'

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer; from?: string }
type Answered = { status: number; headers: NodeJS.Dict<string | string[]>; text: string }

const PATIENCE_MS = 10_000

/** Waits until a started proxy passes calls on; its folder is removed with it. Throws with its output if it fails. */
export async function onceItAnswers(
  proxy: ChildProcess,
  { port, ca, folder }: { port: number; ca: string; folder: string },
) {
  let output = ''
  proxy.stderr?.on('data', (piece) => {
    output += piece
  })
  const end = async () => {
    if (proxy.exitCode === null && proxy.kill('SIGTERM')) await once(proxy, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
  const ask = (path: string, sent: Sent = {}) => callOverTls(port, ca, path, sent)
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    if (proxy.exitCode !== null) break
    if (await ask('/health/live').catch(() => null)) return { ask, end }
  }
  await end()
  throw new Error(`${proxy.spawnfile} did not start: ${output}`)
}

/** Calls over TLS; `from` is the caller's address: this machine has a whole network on loopback. */
function callOverTls(
  port: number,
  ca: string,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Sent,
) {
  return new Promise<Answered>((resolve, reject) => {
    const to = { host: '127.0.0.1', port, servername: NAME, ca, localAddress: from, agent: false as const }
    const call = request({ ...to, path, method, headers: { host: NAME, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    call.on('error', reject).end(body)
  })
}
