import { object, type ProviderJson, text } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccess } from '../provider.ts'
import { createLemonSqueezyApi } from './api.ts'
import { idOf } from './objects.ts'

/** Returns the store of a connection. A key opens every store of its user, but webhooks belong to one. */
export async function storeOf(credentials: Credentials, reach: ProviderAccess) {
  const { rows } = await createLemonSqueezyApi(credentials, reach).page('stores?page[size]=100')
  const stores = rows.map(readStore)
  const { storeId } = credentials
  const chosen = storeId ? stores.find(({ id }) => id === storeId) : stores.length === 1 ? stores[0] : undefined
  if (chosen) return chosen
  const named = stores.map(({ id, name }) => `${name} (${id})`).join(', ')
  if (stores.length === 0) throw new PaymentProviderError('forbidden', 'This key can’t access any store.')
  const words = storeId
    ? `This key can access ${named}, not the store ${storeId}.`
    : `This key can access ${named}. Enter the ID of one store.`
  throw new PaymentProviderError('forbidden', words, { field: 'storeId' })
}

function readStore({ id, attributes }: ProviderJson) {
  const { name, currency } = object(attributes)
  return { id: idOf(id) ?? '', name: text(name, 200), currency: text(currency)?.toLowerCase() ?? null }
}
