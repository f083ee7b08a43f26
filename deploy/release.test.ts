import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { numberRelease } from './release.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'tributary-release-'))
after(() => rm(folder, { recursive: true, force: true }))

const NAMES = ['CHANGELOG.md', 'package.json', 'package-lock.json']
const read = (name: string) => readFile(join(folder, name), 'utf8')
const number = (version: string) => numberRelease(folder, version, '2030-01-31')

test('numbering a release changes its number and the changelog’s heading alone', async () => {
  for (const name of NAMES) await cp(join(root, name), join(folder, name))
  const changelog = (await read('CHANGELOG.md')).replace('## Unreleased\n', '## 90.1.0 – 2030-01-31\n')
  const { version } = JSON.parse(await read('package.json'))
  const wanted = await Promise.all(NAMES.map(async (name) => (await read(name)).replaceAll(`"${version}"`, '"90.1.0"')))
  if (!(await read('CHANGELOG.md')).includes('## Unreleased\n'))
    return assert.throws(() => number('90.1.0'), /no section/)
  number('90.1.0')
  assert.deepEqual(await Promise.all(NAMES.map(read)), [changelog, ...wanted.slice(1)])

  for (const [version, said] of [
    ['90.1.0', /isn’t newer than 90\.1\.0/],
    ['90.0.9', /isn’t newer than 90\.1\.0/],
    ['90.2.0', /no section “Unreleased”/],
    ['v91', /isn’t the number of a release/],
    ['91.0.0-dev', /isn’t the number of a release/],
  ] as const)
    assert.throws(() => number(version), { message: said }, version)
  assert.deepEqual(await read('CHANGELOG.md'), changelog)
})
