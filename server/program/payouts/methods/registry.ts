import { manual } from './manual/method.ts'
import type { Method } from './method.ts'
import { wiseBatch } from './wise/batch.ts'
import { wise } from './wise/method.ts'

/** The ways of paying: an account is paid by the first that is ready. */
export const methods: Method[] = [wise, manual, wiseBatch]

export function methodOf(name: string): Method {
  const found = methods.find((method) => method.name === name)
  if (!found) throw new Error(`there is no payout method ${name}`)
  return found
}
