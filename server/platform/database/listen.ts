import { Client } from './client.ts'
import type { Database } from './pool.ts'

/** The source of notifications: the address without a pooler. */
type Source = Pick<Database, 'directUrl'>

type Channels = Record<string, (payload: string) => void>
/** `onGap` runs after every reconnection, when notifications may have been missed. */
type ChannelListener = { channels: Channels; onGap: () => void }

const lines = new WeakMap<Source, ReturnType<typeof openLine>>()

/**
 * Receives PostgreSQL's notifications on a connection shared by all listeners to this database, without a pooler, and
 * reconnects when it is lost. A notification is a hint: `onGap` runs after every reconnection, when some may have been
 * missed.
 */
export function listenToChannels(db: Source, channels: Channels, onGap: () => void) {
  let line = lines.get(db)
  if (!line) {
    line = openLine(db, () => lines.delete(db))
    lines.set(db, line)
  }
  const { add, remove } = line
  const ear = { channels, onGap }
  return { ready: add(ear), close: () => remove(ear) }
}

const RETRY_MS = 500

/** Opens a connection that lasts while there are listeners; `onEnd` when there are none. */
function openLine(db: Source, onEnd: () => void) {
  const listeners = new Set<ChannelListener>()
  let client: Client | undefined
  let isOpen = false
  let retry: NodeJS.Timeout | undefined
  let connecting: Promise<void> | undefined

  const hear = async (on: Client, ear: ChannelListener) => {
    for (const channel of Object.keys(ear.channels)) await on.query(`listen ${on.escapeIdentifier(channel)}`)
    ear.onGap()
  }
  const connect = async () => {
    // pipelined: several listeners may subscribe at once
    const next = new Client({ connectionString: db.directUrl, pipeline: true })
    const lost = () => {
      if (client !== next) return
      client = undefined
      isOpen = false
      if (listeners.size > 0) retry = setTimeout(reconnect, RETRY_MS)
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ channel, payload }) => {
      for (const { channels } of listeners) channels[channel]?.(payload ?? '')
    })
    client = next
    try {
      await next.connect()
      // later listeners subscribe themselves
      isOpen = true
      for (const ear of listeners) await hear(next, ear)
    } catch {
      lost()
      await next.end().catch(() => {})
    }
  }
  const reconnect = () => {
    connecting = connect()
    return connecting
  }

  return {
    async add(ear: ChannelListener) {
      listeners.add(ear)
      if (!connecting) return reconnect()
      if (client && isOpen) return hear(client, ear).catch(() => {})
      return connecting
    },
    async remove(ear: ChannelListener) {
      listeners.delete(ear)
      if (listeners.size > 0) return
      onEnd()
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
