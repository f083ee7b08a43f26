import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { OLDEST_VERSION } from '../server/prepare-database.ts'
import { startPrimary } from './support/standby.ts'

// Every call, and what follows from events, on the oldest PostgreSQL that a start accepts: Debian's, where it is
// installed. What only newer ones know fails nowhere else, as all other tests run on the embedded one.

const BINARIES = `/usr/lib/postgresql/${OLDEST_VERSION}/bin`
const skip = existsSync(`${BINARIES}/initdb`) ? false : `PostgreSQL ${OLDEST_VERSION} is not installed`

const FILES = [
  'test/operations.test.ts',
  'server/integrations/outgoing-webhooks/delivery.test.ts',
  'server/integrations/mail/gathered/gathered.test.ts',
  'server/program/stats/verify.test.ts',
]

test('every call is answered, delivered and mailed on the oldest PostgreSQL that a start accepts', {
  skip,
}, async () => {
  const { url } = await startPrimary({ binaries: BINARIES })
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const options = { env: { ...env, TEST_DATABASE_URL: url }, cwd: new URL('..', import.meta.url) }
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) =>
    execFile(process.execPath, ['--test', '--test-concurrency=1', ...FILES], options, (error, stdout) =>
      resolve({ code: error?.code ?? 0, said: stdout }),
    ),
  )
  assert.equal(code, 0, said.slice(said.indexOf('failing tests')))
})
