import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { isWrongAddress } from '../wrong-address.ts'

export type Host = { url: string; host: string; port: number }
/** `timeline` is null for a read-only host. */
type HostAnswer = Host & { timeline: number | null }
type Silence = { url: string; error: Error & { code?: string } }
type Answer = HostAnswer | Silence

export const hostName = ({ url }: { url: string }) => new URL(url).host

/**
 * Milliseconds a host may take to respond, and the others after one accepts writes: an old primary may have come back
 * as well.
 */
const PATIENCE_MS = 2000
const MOMENT_MS = 500

/** Asks all hosts concurrently for the one that accepts writes. Of several, the one promoted last is chosen. */
export async function findPrimary(urls: string[], log: Logger | undefined): Promise<Host> {
  const answers: Answer[] = []
  const attempts = urls.map(async (url) => {
    const answer = await answerOf(url)
    answers.push(answer)
    if (!isPrimary(answer)) throw new Error('it is not this one')
  })
  const oneFound = Promise.any(attempts).then(() => sleep(MOMENT_MS, undefined, { ref: false }))
  await Promise.race([Promise.allSettled(attempts), oneFound.catch(() => {})])
  const { primary, rivals } = judge(answers)
  if (!primary) throw noneOf(answers)
  if (rivals.length > 0)
    log?.error(
      { used: hostName(primary), alsoTakesWrites: rivals.map(hostName) },
      'several hosts take writes; the one promoted last is used, and the others must be stopped',
    )
  return primary
}

/** Returns the answers of all hosts, however long they take. */
export const probeHosts = async (urls: string[]) => judge(await Promise.all(urls.map(answerOf)))

const isPrimary = (answer: Answer): answer is HostAnswer & { timeline: number } =>
  'timeline' in answer && answer.timeline !== null

/**
 * Chooses the primary. Poolers of one primary report the same timeline; a host with an older one should no longer
 * accept writes.
 */
function judge(answers: Answer[]) {
  const [primary, ...others] = answers.filter(isPrimary).sort((one, other) => other.timeline - one.timeline)
  return {
    primary,
    rivals: others.filter(({ timeline }) => timeline !== primary?.timeline),
    silent: answers.filter((answer) => 'error' in answer),
  }
}

const answerOf = (url: string): Promise<Answer> => probeHost(url).catch((error: Error) => ({ url, error }))

async function probeHost(url: string): Promise<HostAnswer> {
  const client = await connectTo(url)
  try {
    const { host, port } = client
    return { url, host, port, timeline: (await acceptsWrites(client)) ? await timelineOf(client) : null }
  } finally {
    await closeClient(client)
  }
}

export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  client.on('error', () => {})
  return client.connect()
}

/** Closes a connection without waiting for a hanging host. */
export async function closeClient(client: pg.Client | undefined): Promise<void> {
  const late = setTimeout(() => client?.connection.stream.destroy(), MOMENT_MS).unref()
  await client?.end().catch(() => {})
  clearTimeout(late)
}

export async function acceptsWrites(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(
    `select current_setting('transaction_read_only') = 'off' as yes`,
  )
  return rows[0]!.yes
}

/** Returns the timeline, which grows with every promotion; if a service hides it, that of a server never promoted. */
const timelineOf = (client: pg.Client): Promise<number> =>
  client
    .query<{ timeline: string }>('select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline')
    .then(({ rows }) => Number.parseInt(rows[0]!.timeline, 16))
    .catch(() => 1)

/** PostgreSQL's code for a client that could not establish a connection. */
const CANNOT_CONNECT = '08001'

function noneOf(answers: Answer[]): Error {
  const { silent } = judge(answers)
  const wrong = silent.find(({ error }) => isWrongAddress(error))
  if (wrong) return wrong.error
  const reasons = answers.map(
    (answer) => `${hostName(answer)} ${'error' in answer ? silenceInWords(answer) : 'only reads'}`,
  )
  const message = `none of its ${answers.length} hosts takes writes (${reasons.join('; ')})`
  return Object.assign(new Error(message), { code: CANNOT_CONNECT })
}

export const silenceInWords = ({ error }: Silence) => `does not answer: ${error.message || error.code}`
