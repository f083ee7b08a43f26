import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { OtherKey, withSecretKey } from './secret-key.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-key-'))
after(() => rm(folder, { recursive: true, force: true }))

test('without a folder of its own, a command says which key is missing', async () => {
  const dataDir = join(folder, 'data')
  await assert.rejects(
    withSecretKey({ secretKey: null, dataDir }, () => Promise.reject(new OtherKey('another'))),
    /^StartRefusal: There is no SECRET_KEY and no \S+data\/secret\.key, and this database is sealed with a key\./,
  )
  assert.deepEqual(await readdir(dataDir), [])
})
