import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// Comments name their subject first. These are the openers and words that gave away a sentence without one.

const root = fileURLToPath(new URL('../', import.meta.url))
const folders = [
  'bench',
  'client/generate',
  'client/src',
  'contract',
  'demo',
  'embed',
  'features',
  'server',
  'test',
  'web',
]
const files = globSync(
  folders.map((folder) => `${folder}/**/*.{ts,tsx,css,js}`),
  { cwd: root },
)

const HEADLESS = /^(What|Who|Whoever|Where|Those|The same|So often|So many)\b/
const TRANSLATED = /^Answers\b|\b[Ss]tands?\b(?![- ](ins?|out)\b)|\b([Ww]hoever|[Ss]omebody|[Nn]obody)\b/
const LINE = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s?(.*?)\s*(?:\*\/)?$/

test('every comment begins with a subject, in plain English', () => {
  const found = files.flatMap((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const [, comment = ''] = LINE.exec(line) ?? []
        const words = comment.replace(/`[^`]*`/g, '')
        // a directive gives its reason to a tool
        if (/^(biome-ignore|@ts-)/.test(comment)) return []
        return HEADLESS.test(words) || TRANSLATED.test(words) ? [`${file}:${at + 1}: ${comment}`] : []
      }),
  )
  assert.deepEqual(found, [])
})
