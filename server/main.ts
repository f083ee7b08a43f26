import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { collectOnceIdle } from './idle-gc.ts'
import { findMisspelled, readAll } from './platform/config/config.ts'
import { StartRefusal } from './platform/config/start-refusal.ts'
import { createLogger, flushLog } from './platform/http/logger.ts'
import { forbidFetch } from './platform/http/no-fetch.ts'
import { failRequest } from './platform/work-context.ts'
import { type Product, startProduct } from './product.ts'

/** Longest wait of a stop for a pending start, in milliseconds; a stop takes at most 30 s in all. */
const START_PATIENCE_MS = 8000

const NOT_OURS = 'a variable is set that the product does not know, and one that differs by a slip is not set'
const OPEN_INSIDE =
  'ALLOW_PRIVATE_WEBHOOK_TARGETS is on: accounts can reach every server in the private network; list the hosts and networks that they need instead'
const UNLIMITED = 'RATE_LIMIT_FACTOR is 0: nothing is rate limited, and passwords can be guessed at any speed'

/** The start, to its end. Not awaited here: modules loaded on the way may share a packed file with this one. */
export const started = run().catch((error: unknown) => {
  if (!(error instanceof StartRefusal)) throw error
  refuse([error.message])
})

function refuse(lines: string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}

async function run() {
  forbidFetch()
  const { config, wrong } = readAll(process.env)
  if (wrong.size > 0) refuse([...wrong.values()])
  const log = createLogger(config)
  for (const { given, meant } of findMisspelled(process.env)) log.warn({ given, meant }, NOT_OURS)
  if (config.allowPrivateWebhookTargets === true) log.warn(OPEN_INSIDE)
  if (config.rateLimitFactor === 0) log.warn(UNLIMITED)
  const starting = startProduct(config, log)
  const isEnding = endOnSignals(starting, log)
  try {
    announce(await starting)
    notifySystemd(log)
    collectOnceIdle()
  } catch (error) {
    if (isEnding()) return
    if (!(error instanceof StartRefusal)) log.fatal({ err: error }, 'the start failed')
    await flushLog(log)
    if (error instanceof StartRefusal) throw error
    process.exit(1)
  }
}

function announce({ address, appUrl, setUpUrl }: Product) {
  const lines = [
    `Tributary ${address ? `listens on ${address}` : 'is working'}`,
    ...(setUpUrl ? ['This link sets up the first administrator:'] : []),
    `Open ${setUpUrl ?? appUrl}`,
  ]
  // In one write: a reader of the first line has the others too.
  process.stdout.write(`${lines.join('\n')}\n`)
}

/**
 * Notifies systemd, which waits for this after starting a unit of `Type=notify`. Node.js cannot write to a datagram
 * socket itself.
 */
function notifySystemd(log: Logger) {
  if (process.env.NOTIFY_SOCKET)
    execFile('systemd-notify', ['--ready'], (error) => {
      if (error) log.error({ err: error }, 'systemd could not be told that the start is over')
    })
}

/** Ends on signals; a second one is ignored, as Ctrl-C arrives twice through npm. */
function endOnSignals(starting: Promise<Product>, log: Logger) {
  let ending = false
  const end = async (code: number) => {
    if (ending) return
    ending = true
    const product = await Promise.race([starting.catch(() => null), sleep(START_PATIENCE_MS, null)])
    await product?.stop()
    await flushLog(log)
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      log.info({ signal }, 'stopping')
      void end(0)
    })
  const endUnexpectedly = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error; the process is ending')
    void end(1)
  }
  process.on('uncaughtException', endUnexpectedly)
  // a request that fails, even where nothing awaits it, leaves all others as they were
  process.on('unhandledRejection', (error) => {
    if (!failRequest(error)) endUnexpectedly(error)
  })
  // The reader of our output may have exited.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return () => ending
}
