import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { uuidArray } from '../server/platform/database/binary-array.ts'
import { newId } from '../server/platform/database/ids.ts'
import { answerParent } from './child.ts'

// The least that answers a visit once its click is committed: node:http without rules, a row of two columns with only
// its key, and one figure, in one statement for all visits that came while the last one ran.

answerParent<{ url: string }, number>(async ({ url }) => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`
    create table least_clicks (id uuid primary key, at timestamptz not null);
    create table least_figures (clicks bigint not null);
    insert into least_figures values (0)`)
  let waiting: { id: string; response: ServerResponse }[] = []
  let isWriting = false

  const write = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await client.query({
        name: 'least',
        text: `with kept as (insert into least_clicks select unnest($1::uuid[]), now() returning id)
          update least_figures set clicks = clicks + (select count(*) from kept)`,
        values: [uuidArray(group.map(({ id }) => id))],
      })
      for (const { id, response } of group)
        response.writeHead(302, { location: `https://shop.example/?ref=none&click=${id}`, 'content-length': 0 }).end()
    }
    isWriting = false
  }

  const server = createServer((_request, response) => {
    waiting.push({ id: newId(), response })
    if (!isWriting) setImmediate(() => isWriting || write())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
})
