import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { eachHost } from '../config/database-address.ts'
import { close, connectTo, findPrimary, type Host, nameOf, takesWrites } from './ask-hosts.ts'

/** Of several hosts the one that takes writes, and the connections to it. */
export type Hosts = ReturnType<typeof createHosts>

const known = new Map<string, Hosts>()

/** The hosts of an address as this process knows them; null if it names one, which is taken as it is. */
export function hostsOf(url: string): Hosts | null {
  const urls = eachHost(url)
  if (urls.length === 1) return null
  const hosts = known.get(url) ?? createHosts(urls)
  known.set(url, hosts)
  return hosts
}

/** How often the primary is asked whether it is still there, while anybody is connected to it. */
const BEAT_MS = 1000
/** How long a search that found none answers whoever comes next. */
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
      log?.warn({ from: nameOf(last), to: nameOf(host) }, 'the database is served by another host now')
    primary = host
    last = host
    // nothing may ever come on a connection to a host that vanished
    for (const [client, { url }] of held) if (url !== host.url) client.connection.stream.destroy()
    return host
  }

  /** The primary: all are asked where none is known. */
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

  /** Goes on for as long as the host is there and takes writes, and anybody is connected to it. */
  async function feel(host: Host) {
    try {
      heart = await connectTo(host.url)
      // the last connection may have ended before this one was there
      while (held.size > 0 && primary === host && (await takesWrites(heart))) await pause()
    } finally {
      lose(host)
      close(heart)
    }
  }

  return {
    find,
    lose,
    /** Keeps a connection for as long as it stands and its host is the primary. */
    hold(client: pg.Client, host: Host) {
      if (primary && primary.url !== host.url) {
        client.connection.stream.destroy()
        return
      }
      held.set(client, host)
      client.once('end', () => {
        held.delete(client)
        if (held.size === 0) close(heart)
      })
      if (!isWatched) watch()
    },
    /** Sets the log for a move of the database. */
    tellTo(logger: Logger) {
      log = logger
    },
  }
}
