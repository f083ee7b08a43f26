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

/** Licenses under which a product may be passed on, also for money, without its own source. */
const FREE = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0'],
  ...['Unlicense', '(MIT OR CC0-1.0)', 'MIT or MPL-2.0', 'OFL-1.1'],
]
/** Licenses that the lock file doesn't name, read in the packages themselves; and tools that only build the web application. */
const READ: Record<string, RegExp> = {
  'dejavu-fonts-ttf': /free of charge, to any person obtaining/,
  'png-js': /Permission is hereby granted, free of charge/,
  lightningcss: /Mozilla Public License/,
}

test('every package that the program needs may be passed on with it', async () => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  type Package = { dev?: boolean; license?: string }
  const needed = Object.entries<Package>(packages).filter(([path, { dev }]) => path && !dev)
  const others = needed.filter(([, { license = '' }]) => !FREE.includes(license)).map(([path]) => path)
  const names = new Set(
    others.map((path) => path.replace('node_modules/', '').replace(/^lightningcss-.*/, 'lightningcss')),
  )
  assert.deepEqual([...names].toSorted(), Object.keys(READ).toSorted())
  for (const [name, words] of Object.entries(READ))
    assert.match(await readFile(join(root, 'node_modules', name, 'LICENSE'), 'utf8'), words, name)
})
