import pg from 'pg'
import type { Database } from './pool.ts'

/**
 * Hears PostgreSQL's notifications on a connection of its own and connects again when it is lost.
 * A notification is a hint: `onGap` runs after every reconnection, when some may have been missed.
 */
export function listen(db: Database, channels: Record<string, (payload: string) => void>, onGap: () => void) {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  const connect = async () => {
    if (closed) return
    const next = new pg.Client({ connectionString: db.url, keepAlive: true })
    const lost = () => {
      if (client !== next) return
      client = undefined
      if (!closed) retry = setTimeout(connect, 500)
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''))
    client = next
    try {
      await next.connect()
      for (const channel of Object.keys(channels)) await next.query(`listen ${next.escapeIdentifier(channel)}`)
      onGap()
    } catch {
      lost()
    }
  }
  const first = connect()
  return {
    ready: first,
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
