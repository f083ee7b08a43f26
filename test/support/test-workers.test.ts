import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeFolder, scratchFolder } from './scratch.ts'
import { runInWorkers } from './test-workers.ts'

const root = join(import.meta.dirname, '../..')

test('a lane that cannot start ends the run', async () => {
  const { done } = runInWorkers(['a.test.ts'], { root, env: process.env, preload: './no-such-module.ts', quiet: true })
  assert.equal(await done, false)
})

test('an environment variable set by one file does not reach the next file of its lane', async () => {
  const folder = await scratchFolder()
  const files = [1, 2].map((number) => join(folder, `${number}.test.mjs`))
  const text = `import assert from 'node:assert'
    import { after, test } from 'node:test'
    test('finds none', () => assert.equal(process.env.RUNS, undefined))
    after(() => { process.env.RUNS = '560' })`
  for (const file of files) await writeFile(file, text)
  assert.equal(await runInWorkers(files, { root, env: process.env, quiet: true, lanes: 1 }).done, true)
  await removeFolder(folder)
})

test('hooks belong to the test that set them, and an error that nothing catches fails the running test', async () => {
  const folder = await scratchFolder()
  const [file, summary, said] = ['a.test.mjs', 'summary', 'said'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const text = `import { appendFileSync } from 'node:fs'
    import { after, describe, test } from 'node:test'
    const say = (word) => appendFileSync(${JSON.stringify(said)}, word + ' ')
    const later = () => new Promise((resolve) => setTimeout(resolve, 5))
    after(() => say('file'))
    test('outer', async (t) => {
      after(() => say('outer'))
      await t.test('inner', async () => { await later(); after(() => say('inner')) })
      say('end')
    })
    describe('suite', () => {
      after(() => say('suite'))
      test('in it', () => { after(() => say('in-it')) })
      test('fails', () => { throw new Error('1') })
    })
    test('throws', () => { setTimeout(() => { throw new Error('2') }, 5); return new Promise(() => {}) })
    test('rejects', async () => { Promise.reject(new Error('3')); await later() })`
  await writeFile(file, text)
  // in a test that is run individually, Node's own reporter would replace ours
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const options = { root, env, quiet: true, silent: true, lanes: 1, summary }
  assert.equal(await runInWorkers([file], options).done, false)
  assert.equal(await readFile(said, 'utf8'), 'inner end outer in-it suite file ')
  const { passed, failed, failures } = JSON.parse(await readFile(summary, 'utf8'))
  assert.deepEqual([passed, failed], [3, 3])
  assert.deepEqual(
    failures.map((failure: string) => /› (.*)\nError: (.*)/.exec(failure)?.slice(1)),
    [
      ['suite › fails', '1'],
      ['throws', '2'],
      ['rejects', '3'],
    ],
  )
  await removeFolder(folder)
})
