import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Agent, type Dispatcher, request } from 'undici'
import { buildApp } from '../../server/app.ts'
import { type Config, readConfig } from '../../server/platform/config/config.ts'
import { createHomes } from '../../server/platform/database/cluster/homes.ts'
import type { Clock, Database } from '../../server/platform/database/pool.ts'
import type { Replica } from '../../server/platform/database/replica/replica.ts'
import { createSecrets } from '../../server/platform/database/secrets.ts'
import { createLogger } from '../../server/platform/http/logger.ts'
import { createOutbound, type Outbound } from '../../server/platform/http/outbound.ts'
import { createJobs } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import type { Tracer } from '../../server/platform/span.ts'
import { prepareFirstAdministrator } from '../../server/program/auth/first-administrator.ts'
import { startWorker } from '../../server/queue-handlers.ts'
import { clocks } from '../plans/statement.ts'
import { expectKnownRefusal } from './known-refusals.ts'
import { freshDatabase } from './postgres.ts'

/** A clock that can be turned, and runs on from there. */
export type TurnableClock = Clock & {
  set(at: string | Date): void
  advance(ms: number): void
  /** Stops the clock, now or at this time, until it is set. */
  stop(at?: string | Date): void
}

export function turnableClock(at?: string | Date): TurnableClock {
  let offset = at === undefined ? 0 : new Date(at).getTime() - Date.now()
  let stoppedAt: number | undefined
  const clock = {
    now: () => new Date((stoppedAt ?? Date.now()) + offset),
    set(at: string | Date) {
      stoppedAt = undefined
      offset = new Date(at).getTime() - Date.now()
    },
    advance(ms: number) {
      offset += ms
    },
    stop(at?: string | Date) {
      stoppedAt ??= Date.now()
      if (at !== undefined) offset = new Date(at).getTime() - stoppedAt
    },
  }
  channel(clocks).publish(clock)
  return clock
}

type Call = { token?: string | null | undefined; body?: unknown; headers?: Record<string, string> }
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever was answered
export type Reply = { status: number; body: any; headers: Headers }

export type TestApp = {
  url: string
  services: Services
  clock: TurnableClock
  /**
   * A path below `/api/v1`, or any other address of the server if it starts with `/api/`, `/r/`, `/embed/`, `/hooks/` …
   */
  api(method: string, path: string, call?: Call): Promise<Reply>
  close(): Promise<void>
}

type Options = {
  clock?: TurnableClock
  config?: Partial<Config>
  /** Whether its own address is that of localhost, since passkeys need a name. */
  named?: boolean
  /** Whether jobs and the outbox are worked off. */
  worker?: boolean
  /** An existing database, for a second process or a restart; both need the same `secretKey`. */
  db?: Database
  replica?: Replica
  /** By default errors are written to standard error. */
  log?: Logger
  tracer?: Tracer
  /** Replaces the network in tests that must reach names on the internet. */
  outbound?: Outbound
}

export const ADMINISTRATOR = { email: 'root@install.example', password: 'orchid-lantern-93-tide' }
export const PASSWORD = 'copper-meadow-71-sail'

/**
 * The whole server on a fresh database and a free port, with real jobs. No limits per minute unless
 * `config.rateLimitFactor` sets them, and no mail server unless `config.smtpUrl` does. Closed when the test ends.
 */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const { clock = turnableClock(), worker = false } = options
  let close = async () => {}
  after(() => close())

  const db = options.db ?? (await freshDatabase({ clock }))
  const server = createServer({ keepAliveTimeout: 60_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-test-'))
  const config: Config = {
    ...readConfig({
      APP_URL: options.named ? url.replace('127.0.0.1', 'localhost') : url,
      DATA_DIR: dataDir,
      FX_RATES_URL: 'http://127.0.0.1:9/no-rates.xml',
      RATE_LIMIT_FACTOR: '0',
      LOG_LEVEL: 'error',
    }),
    port,
    firstAdministrator: ADMINISTRATOR,
    passwordCost: { memoryKib: 8, passes: 1 },
    ...options.config,
  }
  const log = options.log ?? createLogger(config)
  const jobs = createJobs(db.directUrl, log)
  const secrets = createSecrets(config.secretKey ?? randomBytes(32))
  const outbound = options.outbound ?? createOutbound({ allowPrivate: config.allowPrivateWebhookTargets })
  const { replica, tracer } = options
  const homes = createHomes(db)
  const services: Services = { config, db, replica, homes, clock, log, secrets, jobs, outbound, tracer }
  let app: FastifyInstance | undefined = await buildApp(services)
  await app.ready()
  server.on('request', app.serve)
  const working = worker ? await startWorker(services) : undefined

  let closing: Promise<void> | undefined
  close = () => {
    closing ??= (async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await working?.stop()
      await app?.close()
      // a lane keeps what its files leave, and with it every route
      server.removeAllListeners()
      app = undefined
      if (!working) await jobs.stop({ graceful: false })
      await outbound.close()
      await homes.close()
      if (!options.db) await db.close()
      await rm(dataDir, { recursive: true, force: true })
    })()
    return closing
  }

  return {
    url,
    services,
    clock,
    close,
    api: callsTo(url),
  }
}

/** A sixth of the work of `fetch`, which counts with a hundred thousand calls. */
const agent = new Agent()

type Sent = { method: string; headers?: Record<string, string>; body?: string | Uint8Array | undefined }

/** Like `fetch` without following redirects, and read to the end. */
export async function sendRequest(url: string, { method, headers = {}, body }: Sent) {
  const sent = { method: method as Dispatcher.HttpMethod, headers: { 'user-agent': 'node', ...headers } }
  const answer = await request(url, { ...sent, ...(body !== undefined && { body }), dispatcher: agent })
  const answered = new Headers()
  for (const [name, value = ''] of Object.entries(answer.headers))
    for (const one of [value].flat()) answered.append(name, one)
  return { status: answer.statusCode, headers: answered, text: await answer.body.text() }
}

/** The `api` of a TestApp for a server at this address. */
export function callsTo(url: string): TestApp['api'] {
  return async (method, path, { token, body, headers: given = {} } = {}) => {
    const outside = /^\/(api|r|s|embed|hooks|health|metrics|oauth|words)(\/|$)/.test(path)
    const { text, ...answer } = await sendRequest(`${url}${outside ? '' : '/api/v1'}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...given,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    const json = answer.headers.get('content-type')?.startsWith('application/json') && text !== ''
    const answered = json ? JSON.parse(text) : text || null
    if (!outside) expectKnownRefusal(method, path, answered?.error?.reason)
    return { ...answer, body: answered }
  }
}

type Tokens = { token: string; refreshToken: string }

/**
 * Signs in. A test that turns the clock by more than 15 minutes must sign in again, since its access token has expired.
 */
export async function signIn(app: TestApp, email: string, password = PASSWORD): Promise<Tokens> {
  const { body } = expectOk(await app.api('POST', '/auth/sign-in', { body: { email, password } }))
  return { token: body.accessToken, refreshToken: body.refreshToken }
}

const administrators = new WeakMap<TestApp, Promise<{ token: string; until: number }>>()

/** Returns an access token of the first administrator, who is created and signed in on the first call. */
export async function getAdministratorToken(app: TestApp): Promise<string> {
  const known = await administrators.get(app)
  if (known && app.clock.now().getTime() < known.until) return known.token
  const signingIn = (async () => {
    await prepareFirstAdministrator(app.services)
    const { token } = await signIn(app, ADMINISTRATOR.email, ADMINISTRATOR.password)
    return { token, until: app.clock.now().getTime() + 14 * 60_000 }
  })()
  administrators.set(app, signingIn)
  return (await signingIn).token
}

/** Returns a successful reply; throws any other, so that a failing builder shows why. */
export function expectOk(reply: Reply): Reply {
  if (reply.status < 300) return reply
  throw new Error(`answered ${reply.status}: ${JSON.stringify(reply.body)}`)
}

let made = 0
/** A unique e-mail address. */
export const anEmail = (name = 'someone') => `${name}-${++made}-${randomBytes(4).toString('hex')}@mail.example`

/** Returns the token in a set-up or reset link. */
export const tokenInLink = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''

/** Sets the password by a set-up link; returns the session it starts. */
export async function acceptInvitation(app: TestApp, url: string, password = PASSWORD) {
  const { body } = expectOk(
    await app.api('POST', '/auth/change-password', { token: tokenInLink(url), body: { password } }),
  )
  return { token: body.accessToken as string, refreshToken: body.refreshToken as string }
}

export type TestAccount = { id: string; token: string; ownerEmail: string; admin: string }

/** An account whose owner has signed in; `settings` as of PATCH `/accounts/{id}`, in UTC by default. */
export async function anAccount(app: TestApp, settings: Record<string, unknown> = {}): Promise<TestAccount> {
  const admin = await getAdministratorToken(app)
  const { name = 'Northwind', ...others } = settings
  const ownerEmail = anEmail('owner')
  const owner = { email: ownerEmail, firstName: 'Nora', lastName: 'Wind' }
  const { body } = expectOk(await app.api('POST', '/accounts', { token: admin, body: { name, owner } }))
  const { token } = await acceptInvitation(app, body.ownerInvitation.url)
  expectOk(await app.api('PATCH', `/accounts/${body.id}`, { token, body: { timeZone: 'UTC', ...others } }))
  return { id: body.id, token, ownerEmail, admin }
}

/** A partner as the API returns it; with `signIn` accepted and with an access `token`, else `token` is empty. */
export async function aPartner(
  app: TestApp,
  account: Pick<TestAccount, 'id' | 'token'>,
  fields: Record<string, unknown> = {},
  { signIn = false } = {},
) {
  const body = { firstName: 'Pia', lastName: 'Tern', email: anEmail('partner'), ...fields }
  const { body: partner } = expectOk(
    await app.api('POST', `/accounts/${account.id}/partners`, { token: account.token, body }),
  )
  if (!signIn) return { ...partner, token: '' }
  const invitation = expectOk(await app.api('GET', `/partners/${partner.id}/invitation`, { token: account.token }))
  return { ...partner, ...(await acceptInvitation(app, invitation.body.url)) }
}

/**
 * Returns the result of `look` once it neither throws nor returns null, undefined or false; after `timeoutMs` throws
 * the last failure.
 */
export async function waitUntil<T>(
  look: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<Exclude<T, null | undefined | false>> {
  let failure: unknown = new Error(`nothing came within ${timeoutMs} ms`)
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(25)) {
    try {
      const found = await look()
      if (found !== null && found !== undefined && found !== false) return found as never
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
