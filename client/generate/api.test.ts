import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../../contract/index.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { openApiDocument } from '../../server/platform/http/openapi.ts'
import clientPackage from '../package.json' with { type: 'json' }
import { apiOf, methodName } from './api.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(path, 'utf8')
const options = { appUrl: '', environment: 'local', version: '' }

test('the client is what the document makes of it now', () => {
  const made = apiOf(openApiDocument(endpoints, options))
  assert.ok(made === read(`${root}src/api.ts`), 'client/src/api.ts is out of date: run npm run client')
})

test('what is published is what its source makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-client-'))
  try {
    const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))
    execFileSync(tsc, ['-p', root, '--outDir', folder], { stdio: 'inherit' })
    assert.deepEqual(readdirSync(`${root}dist`).sort(), readdirSync(folder).sort())
    for (const name of readdirSync(folder))
      assert.ok(
        read(join(folder, name)) === read(`${root}dist/${name}`),
        `client/dist/${name} is out of date: run npm run client`,
      )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the client needs nothing to run and carries the version of the product it is made from', () => {
  assert.equal(clientPackage.version, packageJson.version)
  assert.ok(!('dependencies' in clientPackage))
  for (const name of readdirSync(`${root}dist`).filter((name) => name.endsWith('.js')))
    for (const [, from] of read(`${root}dist/${name}`).matchAll(/(?:from|import\()\s*['"]([^'"]+)/g))
      assert.match(from!, /^\.\//, `${name} imports ${from}`)
})

test('calls are named within their room', () => {
  const named = (tag: string, operationId: string) => methodName(tag, operationId)
  assert.equal(named('partners', 'createPartner'), 'create')
  assert.equal(named('partners', 'listPartners'), 'list')
  assert.equal(named('partners', 'listPartnerCommissions'), 'listCommissions')
  assert.equal(named('partners', 'listSubPartners'), 'listSubPartners')
  assert.equal(named('payouts', 'approvePayout'), 'approve')
  assert.equal(named('payouts', 'approvePayouts'), 'approvePayouts')
  assert.equal(named('push', 'pushSales'), 'sales')
  assert.equal(named('links', 'testLink'), 'test')
})

test('two calls that would have one name are refused, both named', () => {
  const [one] = endpoints.filter(({ name }) => name === 'createPartner')
  const twin = { ...one!, name: 'create', path: '/elsewhere/:id' }
  assert.throws(
    () => apiOf(openApiDocument([one!, twin], options)),
    /createPartner and create would both be partners\.create/,
  )
})
