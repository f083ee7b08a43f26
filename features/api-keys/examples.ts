import type { ExamplesOf } from '#contract/examples/example.ts'
import { apiKey, ids, onlyPage } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const key: room.ApiKey = {
  id: ids.apiKey,
  name: 'Warehouse',
  rights: ['read'],
  lastFour: apiKey.slice(-4),
  lastUsedAt: '2026-07-27T21:01:00.000Z',
  createdAt: '2026-07-14T10:06:40.211Z',
  expiresAt: null,
  replacedBy: null,
  createdBy: { userId: ids.owner, name: 'Elena Marsh' },
}

export const calls: ExamplesOf<typeof room> = {
  listApiKeys: { reply: onlyPage(key) },
  createApiKey: {
    refused: ['api_key_name_taken', 'expiry_in_past', 'password_first', 'too_many_api_keys'],
    body: { name: key.name, rights: ['read'] },
    reply: { ...key, lastUsedAt: null, key: apiKey },
  },
  rotateApiKey: {
    params: { keyId: ids.apiKey },
    refused: ['api_key_expired', 'api_key_replaced', 'password_first', 'too_many_api_keys'],
    reply: { ...key, lastUsedAt: null, key: apiKey },
  },
  deleteApiKey: { params: { keyId: ids.apiKey } },
}
