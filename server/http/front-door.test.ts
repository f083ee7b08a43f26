import assert from 'node:assert/strict'
import { Agent, get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFrontDoor } from './front-door.ts'

const here = { host: '127.0.0.1', port: 0 }

function ask(port: number, path: string, agent?: Agent) {
  return new Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
    const request = get({ host: here.host, port, path, agent }, (answer) => {
      let text = ''
      answer.on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
    })
    request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })))
  })
}

test('before it is opened it lives, is not ready, and says so in the form of every error', async () => {
  const door = await openFrontDoor(here)
  assert.equal((await ask(door.port, '/health/live')).status, 200)
  for (const path of ['/health/ready', '/api/v1/users/me']) {
    const answer = await ask(door.port, path)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers['retry-after'], '1')
    const body = JSON.parse(answer.text)
    assert.equal(body.error.code, 'unavailable')
    assert.ok(body.requestId)
  }
  await door.close()
})

test('closing lets a running request finish, tells readiness at once and then takes no connection', async () => {
  const door = await openFrontDoor(here)
  door.open(async (_request, response) => {
    await sleep(600)
    response.end('done')
  })
  const running = ask(door.port, '/slow')
  await sleep(50)
  const closed = door.close()
  const ready = await ask(door.port, '/health/ready')
  assert.equal(ready.status, 503)
  assert.equal(ready.headers.connection, 'close')
  assert.deepEqual([(await running).status, (await running).text], [200, 'done'])
  await closed
  await assert.rejects(ask(door.port, '/health/live'), { code: 'ECONNREFUSED' })
})

test('clients that keep their connections and send all the time lose no request', async () => {
  const door = await openFrontDoor(here)
  door.open((_request, response) => void setTimeout(() => response.end('ok'), 5))
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const outcomes: string[] = []
  const client = async () => {
    for (;;) {
      const outcome = await ask(door.port, '/', agent).then(
        ({ status }) => String(status),
        (error) => (error.reused ? 'cut' : 'refused'),
      )
      outcomes.push(outcome)
      if (outcome !== '200') return
    }
  }
  const clients = [client(), client(), client(), client()]
  await sleep(200)
  const closing = door.close()
  await Promise.all([closing, ...clients])
  agent.destroy()
  assert.ok(outcomes.filter((outcome) => outcome === '200').length > 50)
  assert.deepEqual([...new Set(outcomes)].sort(), ['200', 'refused'])
})

test('an idle connection does not keep it open', async () => {
  const door = await openFrontDoor(here)
  door.open((_request, response) => response.end('ok'))
  const agent = new Agent({ keepAlive: true })
  await ask(door.port, '/', agent)
  const startedAt = Date.now()
  await door.close()
  assert.ok(Date.now() - startedAt < 1500)
  agent.destroy()
})

test('an address that is not ours is refused by the name of its variable', async () => {
  await assert.rejects(openFrontDoor({ host: '203.0.113.7', port: 0 }), /^StartRefusal: HOST holds "203\.0\.113\.7"/)
})
