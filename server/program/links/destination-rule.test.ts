import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '../../platform/config/config.ts'
import { domainOfDestination } from './destination-rule.ts'

test('links lead to http pages of the allowed private hosts alone', () => {
  const read = (url: string, allowPrivateWebhookTargets: Config['allowPrivateWebhookTargets']) => {
    try {
      return domainOfDestination(url, { allowPrivateWebhookTargets } as Config)
    } catch {
      return 'refused'
    }
  }
  const list = ['shop.internal', '10.0.0.0/8', 'localhost']
  assert.equal(read('http://shop.internal/', list), 'shop.internal')
  assert.equal(read('http://10.1.2.3/', list), '10.1.2.3')
  assert.equal(read('http://localhost:3000/', list), 'localhost')
  assert.equal(read('https://shop.example/', list), 'shop.example')
  for (const url of ['http://shop.example/', 'http://11.0.0.1/', 'https://11.0.0.1/', 'http://127.0.0.1/'])
    assert.equal(read(url, list), 'refused', url)
  assert.equal(read('http://shop.example/', true), 'shop.example')
  assert.equal(read('http://shop.internal/', false), 'refused')
})
