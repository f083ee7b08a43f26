import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger, maskEmail, maskSecrets, maskUrl } from './logger.ts'

function logged(write: (log: ReturnType<typeof createLogger>) => void) {
  let text = ''
  write(createLogger({ logLevel: 'info', appEnv: 'staging' }, { write: (line) => (text += line) }))
  return { text, line: JSON.parse(text) }
}

test('a line is JSON with the time in UTC, the level by name and the environment', () => {
  const { line } = logged((log) => log.warn({ partners: 3 }, 'counted'))
  assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual({ ...line, time: '' }, { level: 'warn', time: '', env: 'staging', partners: 3, msg: 'counted' })
})

test('a request is logged without query, tokens and headers', () => {
  const headers = { authorization: 'Bearer canary' }
  const { text, line } = logged((log) =>
    log.info(
      { req: { id: 'r1', method: 'GET', url: '/hooks/in/canary?search=canary', headers, ip: '::1' } },
      'request',
    ),
  )
  assert.deepEqual(line.req, { id: 'r1', method: 'GET', url: '/hooks/in/…', ip: '::1' })
  assert.ok(!text.includes('canary'))
})

test('tokens in paths of hooks and mails are masked, the rest of the path stays', () => {
  assert.equal(maskUrl('/mail/unsubscribe/abc'), '/mail/unsubscribe/…')
  assert.equal(maskUrl('/hooks/providers/stripe/abc'), '/hooks/providers/stripe/…')
  assert.equal(maskUrl('/hooks/wise'), '/hooks/wise')
  assert.equal(maskUrl('/api/v1/leads?search=sarah'), '/api/v1/leads')
})

test('error messages are masked, and row contents omitted', () => {
  const error = Object.assign(new Error('no route for sarah@example.com at postgres://app:canary@db/x'), {
    code: '23505',
    constraint: 'partners_email',
    detail: 'Key (email)=(canary) already exists',
    cause: new Error('Bearer canary'),
  })
  const { text, line } = logged((log) => log.error({ err: error }, 'failed for sarah@example.com'))
  assert.equal(line.err.message, 'no route for s…@example.com at postgres://app:…@db/x')
  assert.equal(line.err.constraint, 'partners_email')
  assert.equal(line.msg, 'failed for s…@example.com')
  assert.ok(!text.includes('canary') && !text.includes('sarah'))
})

test('failures from a database that is down or full are logged once at first, then once a minute', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const lines: Record<string, unknown>[] = []
  const log = createLogger(
    { logLevel: 'info', appEnv: 'local' },
    { write: (line) => void lines.push(JSON.parse(line)) },
  )
  const taken = () =>
    lines.splice(0).map(({ level, msg, trouble, linesLeftOut }) => ({ level, msg, trouble, linesLeftOut }))
  const coded = (message: string, code: string) => Object.assign(new Error(message), { code })
  const [full, gone] = [coded('could not extend file', '53100'), coded('terminating connection', '57P01')]

  for (let n = 0; n < 50; n++) {
    log.child({ reqId: n }).error({ err: full }, 'a call failed')
    log.warn({ error: gone }, 'events could not be relayed and are waiting')
  }
  const [first, second, ...others] = taken()
  assert.deepEqual([first?.level, first?.trouble, second?.level, second?.trouble], ['error', 'full', 'error', 'away'])
  assert.deepEqual(others, [])

  t.mock.timers.tick(60_000)
  log.warn({ error: gone }, 'events could not be relayed and are waiting')
  assert.deepEqual(
    taken().map(({ level, trouble, linesLeftOut }) => [level, trouble, linesLeftOut]),
    [
      ['error', 'full', 49],
      ['error', 'away', 49],
    ],
  )
  t.mock.timers.tick(60_000)
  assert.deepEqual(
    taken().map(({ level, trouble }) => [level, trouble]),
    [
      ['info', 'full'],
      ['error', 'away'],
    ],
  )

  // an unavailable receiver or folder is no trouble of the database
  log.warn({ error: coded('connect ECONNREFUSED 192.0.2.1:443', 'ECONNREFUSED') }, 'a delivery failed')
  log.error({ err: coded("ENOENT, open '/backups'", 'ENOENT') }, 'the scheduled backup failed')
  log.fatal({ err: gone }, 'the start failed')
  assert.deepEqual(
    taken().map(({ msg }) => msg),
    ['a delivery failed', 'the scheduled backup failed', 'the start failed'],
  )
})

test('secret fields are censored at each of the top levels', () => {
  const { text } = logged((log) =>
    log.info({ password: 'canary', body: { token: 'canary', deposit: { accountNumber: 'canary' } } }, 'x'),
  )
  assert.ok(!text.includes('canary'))
})

test('masking keeps the useful part', () => {
  assert.equal(maskEmail('sarah@example.com'), 's…@example.com')
  assert.equal(
    maskSecrets('see https://a.example/user-setup#token=abc_d-e now'),
    'see https://a.example/user-setup#token=… now',
  )
  assert.equal(maskSecrets('took 12 ms for /api/v1/leads'), 'took 12 ms for /api/v1/leads')
})
