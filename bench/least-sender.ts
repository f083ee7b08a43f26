import pg from 'pg'
import { Pool } from 'undici'
import { uuidArray } from '../server/platform/database/binary-array.ts'
import { newId } from '../server/platform/database/ids.ts'
import { answerParent } from './child.ts'

// The floor of deliveries: undici sends the same bodies over as many connections, and a row of two columns tells what
// became of each; one statement writes all that ended while the last one ran.

export type LeastSender = { url: string; port: number; connections: number; bodies: string[]; count: number }

answerParent<LeastSender, number>(async ({ url, port, connections, bodies, count }) => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`
    drop table if exists least_deliveries;
    create table least_deliveries (id uuid primary key, code smallint)`)
  const ids = Array.from({ length: count }, newId)
  await client.query({ text: 'insert into least_deliveries select unnest($1::uuid[])', values: [uuidArray(ids)] })
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections })

  let ended: { id: string; code: number }[] = []
  let writing: Promise<void> | undefined
  const write = async () => {
    while (ended.length > 0) {
      const group = ended
      ended = []
      await client.query({
        name: 'least',
        text: `update least_deliveries d set code = s.code from unnest($1::uuid[], $2::smallint[]) as s (id, code)
          where d.id = s.id`,
        values: [uuidArray(group.map(({ id }) => id)), group.map(({ code }) => code)],
      })
    }
    writing = undefined
  }

  let sent = 0
  const startedAt = performance.now()
  const send = async () => {
    while (sent < count) {
      const id = ids[sent]!
      const body = bodies[sent++ % bodies.length]!
      const headers = { 'content-type': 'application/json' }
      const response = await pool.request({ method: 'POST', path: '/', headers, body })
      await response.body.dump()
      ended.push({ id, code: response.statusCode })
      writing ??= write()
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  await writing
  const perSecond = count / ((performance.now() - startedAt) / 1000)
  await pool.close()
  await client.end()
  return perSecond
})
