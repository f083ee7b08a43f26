import { Pool } from 'undici'
import { answer } from './child.ts'

// The floor of deliveries: undici sends the same bodies over as many connections, and stores nothing.

export type BareSender = { port: number; connections: number; bodies: string[]; count: number }

answer<BareSender, number>(async ({ port, connections, bodies, count }) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections })
  let sent = 0
  const startedAt = performance.now()
  const send = async () => {
    while (sent < count) {
      const body = bodies[sent++ % bodies.length]!
      const headers = { 'content-type': 'application/json' }
      const response = await pool.request({ method: 'POST', path: '/', headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  const perSecond = count / ((performance.now() - startedAt) / 1000)
  await pool.close()
  return perSecond
})
