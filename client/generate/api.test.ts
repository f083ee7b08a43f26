import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../../contract/index.ts'
import { openApiDocument } from '../../server/platform/http/openapi.ts'
import clientPackage from '../package.json' with { type: 'json' }
import { buildApi, methodName } from './api.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(path, 'utf8')
const options = { appUrl: '', environment: 'local', version: '' }

test('the client has no dependencies', () => {
  assert.ok(!('dependencies' in clientPackage))
  for (const name of readdirSync(`${root}dist`).filter((name) => name.endsWith('.js')))
    for (const [, from] of read(`${root}dist/${name}`).matchAll(/(?:from|import\()\s*['"]([^'"]+)/g))
      assert.match(from!, /^\.\//, `${name} imports ${from}`)
})

test('calls have short names within their room', () => {
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

test('two calls with the same name are refused, with both names', () => {
  const [one] = endpoints.filter(({ name }) => name === 'createPartner')
  const twin = { ...one!, name: 'create', path: '/elsewhere/:id' }
  assert.throws(
    () => buildApi(openApiDocument([one!, twin], options)),
    /createPartner and create would both be partners\.create/,
  )
})
