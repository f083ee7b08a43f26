import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { eachHost } from '../../config/database-address.ts'
import { acceptsWrites, closeClient, connectTo, findPrimary, type Host, hostName } from './probe-hosts.ts'

/** The hosts of a database: the one that accepts writes, and the connections to it. */
export type Hosts = ReturnType<typeof createHosts>

const known = new Map<string, Hosts>()

/** Returns the hosts of an address, shared in this process; null if it names one, which is used directly. */
export function findHosts(url: string): Hosts | null {
  const urls = eachHost(url)
  if (urls.length === 1) return null
  const hosts = known.get(url) ?? createHosts(urls)
  known.set(url, hosts)
  return hosts
}

/** Milliseconds between checks of the primary, while any connection is open. */
const BEAT_MS = 1000
/** Milliseconds for which a failed search is reused. */
const NOT_AGAIN_MS = 200
const pause = () => sleep(BEAT_MS, undefined, { ref: false })

function createHosts(urls: string[]) {
  let log: Logger | undefined
  let primary: Host | undefined
  let last: Host | undefined
  let search: Promise<Host> | undefined
  let heart: pg.Client | undefined
  let isWatched = false
  const held = new Map<pg.Client, Host>()

  function settleOn(host: Host) {
    if (last && last.url !== host.url)
      log?.warn({ from: hostName(last), to: hostName(host) }, 'the database is served by another host now')
    primary = host
    last = host
    // a connection to a vanished host may never get an answer
    for (const [client, { url }] of held) if (url !== host.url) client.connection.stream.destroy()
    return host
  }

  /** Returns the primary; asks all hosts if it is unknown. */
  async function find(): Promise<Host> {
    if (primary) return primary
    search ??= searchOnce()
    return search
  }

  async function searchOnce() {
    const forget = () => {
      search = undefined
    }
    try {
      const found = settleOn(await findPrimary(urls, log))
      forget()
      return found
    } catch (error) {
      setTimeout(forget, NOT_AGAIN_MS).unref()
      throw error
    }
  }

  function lose(host: Host) {
    if (primary === host) primary = undefined
  }

  async function watch() {
    for (isWatched = true; held.size > 0; await pause())
      await find()
        .then(feel)
        .catch(() => {})
    isWatched = false
  }

  /** Checks the host as long as it accepts writes and has connections. */
  async function feel(host: Host) {
    try {
      heart = await connectTo(host.url)
      // the last connection may have closed before this one opened
      while (held.size > 0 && primary === host && (await acceptsWrites(heart))) await pause()
    } finally {
      lose(host)
      closeClient(heart)
    }
  }

  return {
    find,
    lose,
    /** Registers a connection while it is open and its host is the primary. */
    hold(client: pg.Client, host: Host) {
      if (primary && primary.url !== host.url) {
        client.connection.stream.destroy()
        return
      }
      held.set(client, host)
      client.once('end', () => {
        held.delete(client)
        if (held.size === 0) closeClient(heart)
      })
      if (!isWatched) watch()
    },
    /** Sets the log for changes of the primary. */
    tellTo(logger: Logger) {
      log = logger
    },
  }
}
