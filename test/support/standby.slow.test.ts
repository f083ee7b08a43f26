import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPrimary, startStandby } from './standby.ts'

async function runQuery(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('a standby follows its primary, pauses, dies and returns, and takes over everything acknowledged', async () => {
  const primary = await startPrimary()
  await runQuery(primary.url, 'create table notes (id int)')
  const standby = await startStandby(primary, { synchronous: true })
  const write = (id: number) => runQuery(primary.url, `insert into notes values (${id})`)
  const read = async () => (await runQuery(standby.url, 'select id from notes order by id')).map(({ id }) => id)
  const shows = async (...ids: number[]) => {
    for (const late = Date.now() + 10_000; Date.now() < late && (await read()).length < ids.length; ) await sleep(5)
    assert.deepEqual(await read(), ids)
  }
  await write(1)
  await shows(1)
  await assert.rejects(runQuery(standby.url, 'insert into notes values (0)'), { code: '25006' })

  await standby.pause()
  await write(2)
  assert.deepEqual(await read(), [1])
  await standby.resume()
  await shows(1, 2)

  await standby.kill()
  await assert.rejects(read(), { code: 'ECONNREFUSED' })
  await standby.start()
  await write(3)
  await shows(1, 2, 3)

  await primary.kill()
  await standby.promote()
  await runQuery(standby.url, 'insert into notes values (4)')
  await shows(1, 2, 3, 4)
})
