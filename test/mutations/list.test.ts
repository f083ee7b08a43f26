import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mutations } from './list.ts'

const root = new URL('../../', import.meta.url)

test('every mutation changes its file, and names tests that exist', () => {
  const stale = mutations.flatMap(({ rule, file, text, also, tests }) => {
    const code = readFileSync(new URL(file, root), 'utf8')
    const absent = [text, ...(also ? [also.text] : [])].filter((one) => !code.includes(one))
    return [...absent, ...tests.filter((path) => !existsSync(new URL(path, root)))].map((one) => `${rule}: ${one}`)
  })
  assert.deepEqual(stale, [])
})
