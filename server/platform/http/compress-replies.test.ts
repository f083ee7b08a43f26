import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { anAccount, aPartner, startApp } from '../../../test/support/app.ts'

const app = await startApp()
const account = await anAccount(app)
for (let count = 0; count < 3; count++) await aPartner(app, account)

type Raw = { status: number; headers: Record<string, unknown>; bytes: Buffer }

/** Reads the raw bytes: `fetch` would decompress them. */
const raw = (path: string, accepted?: string, { method = 'GET', body = '' } = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${account.token}`,
      ...(accepted !== undefined && { 'accept-encoding': accepted }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const call = request(`${app.url}${path}`, { method, headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(pieces) }),
      )
    })
    call.on('error', reject).end(body)
  })

const list = `/api/v1/accounts/${account.id}/partners`

test('a list is compressed for clients that accept it, with the same content', async () => {
  const plain = await raw(list)
  assert.equal(plain.headers['content-encoding'], undefined)
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ] as const) {
    const packed = await raw(list, accepted)
    assert.equal(packed.headers['content-encoding'], encoding)
    assert.equal(packed.headers.vary, 'accept-encoding')
    assert.equal(Number(packed.headers['content-length']), packed.bytes.length)
    assert.ok(packed.bytes.length < plain.bytes.length / 2)
    assert.deepEqual(unpack(packed.bytes), plain.bytes)
  }
  for (const accepted of ['', 'identity', 'br;q=0, gzip;q=0', 'zstd'])
    assert.deepEqual((await raw(list, accepted)).bytes, plain.bytes, accepted)
})

test('small responses, responses to writes and non-JSON are left uncompressed', async () => {
  const untouched = [
    await raw('/api/v1/users/me', 'br'),
    await raw(`${list}/csv`, 'br'),
    await raw(`/api/v1/accounts/${account.id}/api-key`, 'br', { method: 'PUT' }),
    await raw('/api/v1/nowhere', 'br'),
  ]
  assert.deepEqual(
    untouched.map(({ status }) => status),
    [200, 200, 200, 404],
  )
  for (const { headers } of untouched) assert.equal(headers['content-encoding'], undefined)
})
