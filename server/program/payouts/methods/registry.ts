import { type DetailKind, detailKinds } from '#contract/detail-kinds.ts'
import { type Refusal, refusal, wrongField } from '../../../platform/refusal.ts'
import { credit } from './credit/method.ts'
import { manual } from './manual/method.ts'
import type { FileFormat, LocalBanks, Method, MethodRefusal, MethodSettings, PayoutProvider } from './method.ts'
import { paypal } from './paypal/method.ts'
import { sepa } from './sepa/method.ts'
import { units } from './units/method.ts'
import { wiseBatch } from './wise/batch.ts'
import { wise } from './wise/method.ts'

/** Every payout method. An account has its own order of those that are on (payout-terms.ts). */
export const methods: Method[] = [wise, paypal, sepa, units, credit, manual, wiseBatch]

export type ApiMethod = Method & { provider: PayoutProvider }
export type PaymentFileMethod = Method & { file: FileFormat }

export const isApiMethod = (method: Method): method is ApiMethod => method.provider !== undefined

export const apiMethods = methods.filter(isApiMethod)
/** The one method that pays through the accounts' connections, and those whose files a person uploads. */
export const connecting = methods.find(
  (method): method is ApiMethod & { settings: MethodSettings } => isApiMethod(method) && method.settings !== undefined,
)!
/** The one method whose provider defines the fields of bank accounts. */
export const localBanking = methods.find(
  (method): method is Method & { localBanks: LocalBanks } => method.localBanks !== undefined,
)!
export const paymentFileMethods = methods.filter((method): method is PaymentFileMethod => method.file !== undefined)
/** Whose results a table with these columns can only be, in a sentence. */
export function providerOfResults(columns: string[]): string | undefined {
  const method = paymentFileMethods.find(({ file }) => file.isResults?.(columns))
  return method && getPayoutMethod(method.file.takes).label
}
/** Names of those that approve a payout only by putting it in a file. */
export const batchMethodNames: readonly string[] = paymentFileMethods
  .filter(({ file }) => file.payees)
  .map(({ name }) => name)
/** Names of those whose payouts wait for a file. */
export const fileMethodNames: readonly string[] = paymentFileMethods
  .filter(({ file }) => !file.payees)
  .map(({ name }) => name)
export { credit as creditMethod, manual as byHandMethod }

/** Names of the methods that give rewards, and so need nothing of their payees. */
export const rewardMethodNames: readonly string[] = methods
  .filter(({ pays }) => pays.needs === 'nothing')
  .map(({ name }) => name)

/** Names of the methods that pay automatically, and of those by which a person pays. */
export const apiMethodNames = apiMethods.map(({ name }) => name)
export const personMethodNames = methods.filter((method) => !isApiMethod(method)).map(({ name }) => name)

export function getPayoutMethod(name: string): Method {
  const found = methods.find((method) => method.name === name)
  if (!found) throw new Error(`there is no payout method ${name}`)
  return found
}

/** How the method with this name pays automatically; undefined if a person pays by it. */
export const findPayoutProvider = (name: string | null) => (name === null ? undefined : getPayoutMethod(name).provider)

/** Whether the method reaches details of this kind, from an account in this currency. */
export const paysKind = ({ pays: { kinds } }: Method, kind: DetailKind) => kinds === 'any' || kinds.includes(kind)
export const kindsPaid = (method: Method) => detailKinds.filter((kind) => paysKind(method, kind))
export const paysFrom = ({ pays: { currencies } }: Method, currency: string) =>
  currencies === 'any' || currencies.includes(currency)

/** Returns a method's refusal. */
export function refusalOfWrong({ wrong, field, values, details }: MethodRefusal): Refusal {
  // whether a reason has values is unknown here
  if (field) return wrongField(field, wrong, values as never)
  const more = details ? { details } : {}
  return values ? refusal(wrong, values as never, more) : refusal(wrong, more as never)
}
