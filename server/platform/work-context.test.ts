import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMINISTRATOR, startApp, waitUntil } from '../../test/support/app.ts'
import { payOutQueue } from '../program/payouts/queue.ts'
import { createCommitGroup } from './database/group-commit.ts'
import { transaction } from './database/pool.ts'
import { createLogger } from './http/logger.ts'
import { startWork, worksOn } from './jobs/worker.ts'
import { runWithCause } from './work-context.ts'

type Line = { msg: string; requestId?: string; queue?: string; jobId?: string }

function createTestLog() {
  const lines: Line[] = []
  const log = createLogger({ logLevel: 'info', appEnv: 'local' }, { write: (line) => lines.push(JSON.parse(line)) })
  return { log, lines: (msg: string) => lines.filter((line) => line.msg === msg) }
}

test('log lines of a call, however deep, name its request', async () => {
  const { log, lines } = createTestLog()
  const app = await startApp({ log })
  const now = app.clock.now
  app.clock.now = () => {
    log.info('asked for the time')
    return now()
  }
  const signIn = () => app.api('POST', '/auth/sign-in', { body: { ...ADMINISTRATOR, password: 'another one' } })
  const replies = await Promise.all([signIn(), signIn()])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [401, 401],
  )
  const ids = replies.map(({ headers }) => headers.get('x-request-id')!)
  const requestLines = lines('asked for the time')
  assert.deepEqual(new Set(requestLines.map(({ requestId }) => requestId)), new Set(ids))
})

test('log lines of a job name its queue and its ID', async () => {
  const { log, lines } = createTestLog()
  const { services } = await startApp({ log })
  const work = [worksOn(payOutQueue, async (_, { payoutId }) => log.info({ payoutId }, 'at work'))]
  const never = { cron: '0 0 1 1 *', retryLimit: 0, run: async () => {} }
  const worker = await startWork(services, { work, clocks: { never }, listeners: [] })
  await transaction(services.db, (tx) => services.jobs.addAll(tx, payOutQueue, [{ payoutId: 'a' }, { payoutId: 'b' }]))
  const jobLines = await waitUntil(() => (lines('at work').length === 2 ? lines('at work') : undefined))
  await worker.stop()
  assert.deepEqual(
    jobLines.map(({ queue }) => queue),
    ['pay-out', 'pay-out'],
  )
  assert.equal(new Set(jobLines.map(({ jobId }) => jobId)).size, 2)
  assert.ok(jobLines.every(({ jobId }) => jobId))
})

test('work done for several callers names none of them', async () => {
  const { log, lines } = createTestLog()
  const add = createCommitGroup<string, void>(
    async (items) => {
      log.info('committed')
      return items.map(() => undefined)
    },
    { max: 10, accountOf: (item) => item, patienceMs: 1000 },
  )
  await runWithCause({ requestId: 'one' }, async () => {
    await add('a')
    log.info('answered')
  })
  assert.deepEqual(
    ['committed', 'answered'].map((msg) => lines(msg)[0]!.requestId),
    [undefined, 'one'],
  )
})
