import { ids } from '#contract/examples/objects.ts'
import { anEmail } from '#test/support/app.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import type { Limit } from '#test/support/sweep.ts'
import { MOST_KEYS } from './contract.ts'

export const bodies = {
  createApiKey: () => ({ name: anEmail().slice(0, 40), rights: ['read'], expiresAt: '2999-01-31T00:00:00.000Z' }),
}

async function aKey({ account, post }: Story) {
  const { id } = await post(`/accounts/${account.id}/api-keys`, { name: anEmail('key').slice(0, 40), rights: ['read'] })
  return { instead: { [ids.apiKey]: id } }
}
export const preparations = { rotateApiKey: aKey, deleteApiKey: aKey } satisfies Record<string, Prepare>

export const requiredRights = { createApiKey: 'own', rotateApiKey: 'own', deleteApiKey: 'own' }
// keys aren’t exported
export const fieldsOfInstall = { listApiKeys: ['items', 'total'] }
export const notCompared = ['downloadApiKeys']

export const limits: Limit[] = [
  { table: 'have', row: ['API keys of an account', `${MOST_KEYS}`], refusals: ['too_many_api_keys'] },
  { table: 'written', row: ['an API key', 'createApiKey'] },
]
