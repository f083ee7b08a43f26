import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectDevice } from './device.ts'

const like = (platform: string, rest: string) => `Mozilla/5.0 (${platform}) ${rest}`
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test('a device is named by its browser and system', () => {
  const cases: [string, string, string][] = [
    [like('Windows NT 10.0; Win64; x64', `${webkit} Chrome/140.0.0.0 Safari/537.36`), 'Chrome', 'Windows'],
    [like('Windows NT 10.0; Win64; x64', `${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`), 'Edge', 'Windows'],
    [like('Macintosh; Intel Mac OS X 10_15_7', `${webkit} Version/18.5 Safari/605.1.15`), 'Safari', 'macOS'],
    [
      like('iPhone; CPU iPhone OS 18_5 like Mac OS X', `${webkit} Version/18.5 Mobile/15E148 Safari/604.1`),
      'Safari',
      'iPhone',
    ],
    [like('Linux; Android 15; K', `${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`), 'Chrome', 'Android'],
    [like('X11; Linux x86_64; rv:140.0', 'Gecko/20100101 Firefox/140.0'), 'Firefox', 'Linux'],
  ]
  for (const [userAgent, browser, system] of cases) assert.deepEqual(detectDevice(userAgent), { browser, system })
})

test('unknown devices stay unnamed', () => {
  assert.deepEqual(detectDevice(null), { browser: null, system: null })
  assert.deepEqual(detectDevice('curl/8.10.1'), { browser: null, system: null })
})
