import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readTouched } from './affected-tests.ts'

const root = await mkdtemp(join(tmpdir(), 'tributary-touched-'))
after(() => rm(root, { recursive: true, force: true }))
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root })

const files: Record<string, string> = {
  'contract/leads.ts': '',
  'server/leads/leads.ts': `import { leads } from '#contract/leads.ts'`,
  'server/leads/phone.ts': '',
  'server/leads/leads.test.ts': `import { over } from '../app.ts'`,
  'server/leads/lives.slow.test.ts': `import './phone.ts'`,
  'server/sales/sales.test.ts': `import type { Lead } from '#contract/leads.ts'\nawait import('../leads/phone.ts')`,
  'server/program/sales/record.ts': '',
  'web/features/leads/Leads.tsx': '',
  'test/journeys/leads.spec.ts': `import { test } from '../support/test.ts'`,
  'test/journeys/sales.spec.ts': `import { test } from '../support/test.ts'`,
  'test/support/test.ts': '',
}
for (const [path, text] of Object.entries(files)) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
git('init', '-q')
git('add', '.')
git('commit', '-qm', 'Begin')

async function touchedBy(...changes: string[]) {
  for (const path of changes) await appendFile(join(root, path), '\n')
  const isTouched = readTouched(root, 'HEAD')
  const touched = Object.keys(files).filter((path) => /\.(test|spec)\.ts$/.test(path) && isTouched(path))
  git('stash', '-q', '--include-untracked')
  return touched
}

test('nothing is affected without a change', async () => {
  assert.deepEqual(await touchedBy(), [])
})

test('a change affects the tests beside it and those that import it', async () => {
  assert.deepEqual(await touchedBy('server/leads/phone.ts'), [
    'server/leads/leads.test.ts',
    'server/sales/sales.test.ts',
  ])
  assert.deepEqual(await touchedBy('contract/leads.ts'), ['server/sales/sales.test.ts'])
  assert.deepEqual(await touchedBy('server/leads/new.ts'), ['server/leads/leads.test.ts'])
})

test('a change to a feature’s screens or room affects its journey, a shared builder one journey per feature', async () => {
  assert.deepEqual(await touchedBy('web/features/leads/Leads.tsx'), ['test/journeys/leads.spec.ts'])
  assert.deepEqual(await touchedBy('server/program/sales/record.ts'), ['test/journeys/sales.spec.ts'])
  assert.deepEqual(await touchedBy('test/support/test.ts'), [
    'test/journeys/leads.spec.ts',
    'test/journeys/sales.spec.ts',
  ])
})

test('a changed test affects only itself, slow or not', async () => {
  for (const path of ['server/leads/leads.test.ts', 'server/leads/lives.slow.test.ts', 'test/journeys/sales.spec.ts'])
    assert.deepEqual(await touchedBy(path), [path])
})

test('commits since the given one count too', async () => {
  await appendFile(join(root, 'server/leads/phone.ts'), '\n')
  git('commit', '-qam', 'Change')
  assert.equal(readTouched(root, 'HEAD')('server/sales/sales.test.ts'), false)
  assert.equal(readTouched(root, 'HEAD~')('server/sales/sales.test.ts'), true)
})
