import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify, { type FastifyReply } from 'fastify'
import { pino } from 'pino'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import type { Database } from '../database/pool.ts'
import { notFound } from '../refusal.ts'
import { packAnswers } from './compress-replies.ts'
import { answerErrors } from './errors.ts'
import { readJson } from './json-body.ts'
import { secureAnswers, securityHeaders } from './security-headers.ts'

const db = await freshDatabase()
await asDatabaseOwner(db).run`create table things (id int primary key, other int references things (id))`
await asDatabaseOwner(db).run`grant select, insert on things to public`
await db.run`insert into things (id) values (1)`

const PLACE = { appUrl: 'https://partners.example' }

/** Routes whose answers turn out to be unsendable after they return. */
const unsendable: Record<string, (reply: FastifyReply) => unknown> = {
  'a line break in a header': (reply) => reply.code(302).header('location', 'https://shop.example/\r\nx: 1').send(),
  'letters in a header that it cannot hold': (reply) => reply.header('content-security-policy', 'Ж').send({}),
  'such a header with a large answer, which is compressed': (reply) =>
    reply.header('x-name', 'Ж').send({ text: 'a'.repeat(5000) }),
  'a header taken away with it': (reply) => reply.removeHeader('referrer-policy').header('location', '\n').send(),
  'a number that JSON does not know': () => ({ amount: 1n }),
  'an answer within itself': () => {
    const answer: Record<string, unknown> = {}
    answer.self = answer
    return answer
  },
  'an answer of another type than its route says': (reply) => reply.type('text/html').send(new Map() as never),
}

/** Bugs in our own code, none of which is the caller's fault. */
const bugs: Record<string, (db: Database) => unknown> = {
  'our own text that is not JSON': () => JSON.parse('{'),
  'a value of the wrong type for its column': () => db.run`insert into things (id) values (${'x'}::int)`,
  'a number too large for its column': () => db.run`insert into things (id) values (${'99999999999'}::bigint)`,
  'a value that is not unique': () => db.run`insert into things (id) values (1)`,
  'a reference to a missing row': () => db.run`insert into things (id, other) values (2, 3)`,
  'an error with a status': () => {
    throw Object.assign(new Error('the provider said 400'), { statusCode: 400 })
  },
  'a type error': () => (undefined as never as { name: string }).name,
}

function aServer() {
  const lines: string[] = []
  const fastify = Fastify({
    loggerInstance: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
  })
  after(() => fastify.close())
  readJson(fastify as never, 'application/json')
  answerErrors(fastify as never, PLACE)
  secureAnswers(fastify as never, PLACE)
  packAnswers(fastify as never)
  for (const [index, run] of Object.values(bugs).entries())
    fastify.get(`/${index}`, async () => {
      await run(db)
    })
  for (const [index, send] of Object.values(unsendable).entries())
    fastify.get(`/unsendable/${index}`, async (_, reply) => send(reply as never))
  fastify.get('/refused', async () => {
    throw notFound()
  })
  fastify.post('/', async () => ({}))
  return { fastify, lines }
}

for (const [index, name] of Object.keys(bugs).entries())
  test(`an internal error is a 500 with its stack in the log: ${name}`, async () => {
    const { fastify, lines } = aServer()
    const { statusCode, body } = await fastify.inject(`/${index}`)
    assert.equal(statusCode, 500, body)
    assert.deepEqual(JSON.parse(body).error, {
      code: 'internal_error',
      reason: 'internal_error',
      message: 'Something went wrong on our side. Please try again.',
    })
    assert.equal(lines.length, 1)
    const line = JSON.parse(lines[0]!)
    assert.equal(line.msg, 'a call failed')
    assert.match(line.err.stack, /\n\s+at /)
    assert.ok(!body.includes(line.err.message), 'the caller learns nothing of it')
  })

for (const [index, name] of Object.keys(unsendable).entries())
  test(`an answer that cannot be sent is a 500 with all security headers, without its cause: ${name}`, async () => {
    const { fastify, lines } = aServer()
    const headers = { 'accept-encoding': 'br' }
    const { statusCode, body, headers: given } = await fastify.inject({ url: `/unsendable/${index}`, headers })
    assert.equal(statusCode, 500, body)
    const { code, reason, message, ...more } = JSON.parse(body).error
    assert.deepEqual([code, reason, more], ['internal_error', 'internal_error', {}])
    assert.match(message, /^Something went wrong on our side/)
    assert.deepEqual({ ...given, ...securityHeaders(PLACE) }, given)
    assert.equal(given['cache-control'], 'no-store')
    assert.equal(given['content-encoding'], undefined)
    assert.equal(JSON.parse(lines[0]!).msg, 'a call failed')
  })

test('a refusal is returned unchanged and not logged', async () => {
  const { fastify, lines } = aServer()
  const { statusCode } = await fastify.inject('/refused')
  assert.deepEqual([statusCode, lines], [404, []])
})

test('a body that is not JSON is the sender’s error', async () => {
  const { fastify, lines } = aServer()
  const headers = { 'content-type': 'application/json' }
  for (const payload of ['{', '{"__proto__": 1}', Buffer.from([0x7b, 0xff])]) {
    const { statusCode, body } = await fastify.inject({ method: 'POST', url: '/', headers, payload })
    assert.deepEqual([statusCode, JSON.parse(body).error.code], [400, 'malformed_request'])
  }
  const other = await fastify.inject({ method: 'POST', url: '/', headers: { 'content-type': 'text/x' }, payload: 'x' })
  assert.equal(other.statusCode, 415)
  assert.deepEqual(lines, [])
})
