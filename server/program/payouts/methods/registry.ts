import type { Queryable } from '../../../platform/database/pool.ts'
import { manual } from './manual/method.ts'
import type { Carrier, Given, Method } from './method.ts'
import { wiseBatch } from './wise/batch.ts'
import { wise } from './wise/method.ts'

/** The payout methods in order: an account is paid by the first that is ready. */
export const methods: Method[] = [wise, manual, wiseBatch]

/** Names of the methods that pay automatically, and of those by which a person pays. */
export const carrying = () => methods.filter(({ carrier }) => carrier).map(({ name }) => name)
export const byHand = () => methods.filter(({ carrier }) => !carrier).map(({ name }) => name)

/** Returns the method with this name if it pays automatically, else the one that an account could be connected to. */
export const carryingOr = (name: string) =>
  [methodOf(name), ...methods].find((method): method is Method & { carrier: Carrier } => method.carrier !== undefined)!

/** Returns the entries of batch files for these payouts, if they were in one. */
export async function givenOf(db: Queryable, payoutIds: string[]): Promise<(Given & Pick<Method, 'name'>)[]> {
  const found = await Promise.all(
    methods.map(async ({ name, batch }) => {
      const given = batch ? await batch.given(db, payoutIds) : []
      return given.map((one) => ({ ...one, name }))
    }),
  )
  return found.flat()
}

export function methodOf(name: string): Method {
  const found = methods.find((method) => method.name === name)
  if (!found) throw new Error(`there is no payout method ${name}`)
  return found
}
