import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { writtenIn } from '../plans/statement.ts'
import { type Asked, folderOfAsked } from './asked.ts'

// Preloaded by `--import` into a process whose database is a cluster that reports each command sent to a worker
// (`citus.log_remote_commands`): records which machines each statement was sent to, and each HTTP call.

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = process.env[folderOfAsked]
const coordinator = process.env.TEST_DATABASE_URL && new URL(process.env.TEST_DATABASE_URL).host

/** A call, until its response is sent: work after that is in the background. */
type Call = { name: string; isOver: boolean; machines: number }
const calls: Call[] = []
const current = new AsyncLocalStorage<Call>()
const ofRequest = new WeakMap<object, Call>()

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  const name = `${request.method} ${request.url?.replace(/\?.*/, '')}`
  const call: Call = { name, isOver: false, machines: 0 }
  calls.push(call)
  ofRequest.set(request, call)
  current.enterWith(call)
})
subscribe('http.server.response.finish', (message) => {
  const call = ofRequest.get((message as { request: IncomingMessage }).request)
  if (call) call.isOver = true
})

type Sent = { text: string; call: Call | undefined; machines: Set<string> }
const statements = new Map<string, { from: string | undefined; machines: number }>()
/** By the configuration of a query, which the pool passes on to a client once one is free. */
const sentBy = new WeakMap<object, Sent>()
const sentAs = new WeakMap<object, Sent>()

type Config = { text?: string; submit?: unknown }
/** The driver's own, without types. */
type Inside = { _queryQueue: object[]; _sentQueryQueue: object[]; _activeQuery: object | null }

const poolQuery = pg.Pool.prototype.query as (...given: unknown[]) => unknown
pg.Pool.prototype.query = function (this: pg.Pool, ...given: unknown[]) {
  note(given[0])
  return Reflect.apply(poolQuery, this, given)
} as typeof pg.Pool.prototype.query

const watched = new WeakSet<pg.Client>()
const clientQuery = pg.Client.prototype.query as (...given: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const sent = note(given[0])
  const inside = this as unknown as Inside
  if (!watched.has(this)) {
    watched.add(this)
    this.on('notice', ({ message = '', detail }) => {
      const machine = /^on server \S*@(\S+)/.exec(detail ?? '')?.[1]
      if (machine && isWork(message) && inside._activeQuery) record(sentAs.get(inside._activeQuery), machine)
    })
  }
  const answer = Reflect.apply(clientQuery, this, given)
  const query = inside._queryQueue.at(-1) ?? inside._sentQueryQueue.at(-1) ?? inside._activeQuery
  if (query && sent) sentAs.set(query, sent)
  return answer
} as typeof pg.Client.prototype.query

function note(config: unknown): Sent | undefined {
  if (typeof config === 'string') return made(config)
  if (typeof config !== 'object' || config === null || 'submit' in config) return
  const known = sentBy.get(config) ?? made((config as Config).text ?? '')
  sentBy.set(config, known)
  return known
}

function made(text: string): Sent {
  const call = current.getStore()
  if (!statements.has(text)) statements.set(text, { from: placeOf(), machines: 0 })
  return { text, call: call?.isOver ? undefined : call, machines: new Set() }
}

/** Whether a command reads or writes rows, and isn't part of a transaction. */
const isWork = (message: string) =>
  /^issuing (\/\*.*?\*\/)?\s*(select|insert|update|delete|with|copy|merge)\b/is.test(message) &&
  !message.includes('assign_distributed_transaction_id')

function record(sent: Sent | undefined, machine: string) {
  if (!sent) return
  if (machine !== coordinator) sent.machines.add(machine)
  if (sent.call) sent.call.machines = Math.max(sent.call.machines, sent.machines.size)
  const statement = statements.get(sent.text)!
  statement.machines = Math.max(statement.machines, sent.machines.size)
}

/** Returns the product's file in which the statement is written; undefined for one that only a test sends. */
function placeOf() {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  return writtenIn(stack, root)
}

if (folder)
  process.on('exit', () => {
    const collected: Asked = {
      statements: [...statements].flatMap(([text, { from, machines }]) =>
        from && machines > 0 ? [{ text, from, machines }] : [],
      ),
      calls: calls.map(({ name, machines }) => ({ name, machines })),
    }
    writeFileSync(join(folder, `${basename(process.argv[1] ?? '')}-${process.pid}.json`), JSON.stringify(collected))
  })
