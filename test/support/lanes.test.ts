import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInLanes } from './lanes.ts'
import { removeFolder, scratchFolder } from './scratch.ts'

const root = join(import.meta.dirname, '../..')

test('a lane that cannot start ends the run', async () => {
  const { done } = runInLanes(['a.test.ts'], { root, env: process.env, preload: './no-such-module.ts', quiet: true })
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
  assert.equal(await runInLanes(files, { root, env: process.env, quiet: true, lanes: 1 }).done, true)
  await removeFolder(folder)
})
